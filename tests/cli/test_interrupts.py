"""Ctrl-C, whenever it comes."""

import sys

import pytest

from contend.cli import app


def test_ctrl_c_before_a_command_begins_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "make_app", interrupted)
    monkeypatch.setattr(sys, "argv", ["contend", "doctor"])
    with pytest.raises(SystemExit) as caught:
        app.main()
    assert caught.value.code == app.INTERRUPTED
