"""Every command explains itself; every format has a published schema."""

import json
import pkgutil
import sys

import pytest

from contend.api.schemas import FORMATS
from contend.cli import app, commands
from contend.cli.folder import PANELS

NAMES = [
    found.name.rstrip("_").replace("_", "-") for found in pkgutil.iter_modules(commands.__path__)
]


def test_the_main_help_lists_every_command(contend):
    text = contend("--help").out
    assert all(name in text for name in NAMES)
    assert "--install-completion" in text


def test_the_version_is_that_of_the_package(contend):
    from contend import __version__

    assert contend("--version").out.strip() == f"contend {__version__}"


@pytest.mark.parametrize("name", FORMATS)
def test_the_schema_of_every_format_is_printed_as_json(contend, name):
    schema = json.loads(contend("list", "schema", name).out)
    assert schema["title"] == getattr(FORMATS[name], "schema_name", "contend-watch")
    assert schema["title"] in [one.get("const") for one in schema["properties"].values()]


def test_commands_stand_in_panels_whose_order_is_given(contend):
    heads = [line.split()[1] for line in contend("--help").out.splitlines() if line[:2] == "╭─"]
    shown = [head for head in heads if head != "Options"]
    assert shown == [panel for panel in PANELS if panel in shown]
    assert {"Start", "Measure", "Learn", "Act", "Simulate", "Show"} == set(shown)


SCREEN = 45  # lines of 80 columns
MOST_USED = (
    "study", "measure collectives", "measure library", "fit", "predict", "explain", "choose",
    "tune apply", "tune export", "replay", "alltoall run", "report",
)  # fmt: skip


@pytest.mark.parametrize("name", MOST_USED)
def test_the_help_of_a_command_that_is_much_used_fits_a_screen(contend, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = contend(*name.split(), "--help").out
    _, _, below = text.partition("\n\n")  # the usage, which names the runner of tests
    assert 2 + len(below.splitlines()) <= SCREEN
    assert ":o:g:G" in text or name != "replay"  # no picture of the shell's console


def test_ctrl_c_before_a_command_begins_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "make_app", interrupted)
    monkeypatch.setattr(sys, "argv", ["contend", "doctor"])
    with pytest.raises(SystemExit) as caught:
        app.main()
    assert caught.value.code == app.INTERRUPTED
