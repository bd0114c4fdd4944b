"""Reports without what takes most of their time and has its own tests: maps, figures as files.

As a program it is contend with such reports.
"""

import signal

import pytest

from contend.cli.app import main
from contend.report.figures import decisions, figure


def without_files_and_maps(patch: pytest.MonkeyPatch) -> None:
    """The page that a report then is has all else."""
    patch.setattr(decisions, "SHOWN", ())
    patch.setattr(figure, "write_for_paper", lambda *_: None)


if __name__ == "__main__":
    # Children of nohup and of batch jobs inherit that SIGINT is ignored, and Python keeps to that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    without_files_and_maps(pytest.MonkeyPatch())
    main()
