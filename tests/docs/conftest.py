import os
import shlex
import warnings

import prepared_files
import pytest
from filelock import FileLock
from typer.testing import CliRunner

from contend.cli.app import make_app


def in_process(*words, given=""):
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # a user's warnings are shown, not raised
        done = CliRunner().invoke(make_app(), words, input=given, catch_exceptions=False)
    assert done.exit_code == 0, f"{shlex.join(words)}\n{done.output}"


@pytest.fixture(scope="session")
def run():
    """A function that runs a command of contend in this process, which has to succeed."""
    return in_process


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """A folder with the files that commands of the documents name; tests work on copies of it.

    Workers share it.
    """
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    folder = place / "prepared-for-documents"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            made = tmp_path_factory.mktemp("prepared")
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(made)
                prepared_files.write(made, in_process)
            made.rename(folder)
    return folder
