"""A command costs one file, a group of commands a folder."""

import sys

import typer
from typer.testing import CliRunner

from contend.cli.found import PANELS, add_commands

MODULE = """
ORDER = {order}
EXAMPLE = "contend {name}"

def command() -> None:
    print("this is {name}")
"""


def test_a_file_is_a_command_in_its_order(tmp_path, monkeypatch):
    folder = tmp_path / "dummy_commands"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for order, name in enumerate(("zebra", "import_", "two_words")):
        (folder / f"{name}.py").write_text(MODULE.format(order=order, name=name))
    monkeypatch.syspath_prepend(tmp_path)
    app = typer.Typer()
    add_commands(app, "dummy_commands", [str(folder)])
    names = [found.name for found in app.registered_commands]
    assert names == ["zebra", "import", "two-words"]
    assert CliRunner().invoke(app, ["two-words"]).output == "this is two_words\n"
    for name in [name for name in sys.modules if name.startswith("dummy_commands")]:
        del sys.modules[name]


def test_a_file_says_its_panel_and_the_last_is_for_the_others(tmp_path, monkeypatch):
    folder = tmp_path / "dummy_panels"
    folder.mkdir()
    (folder / "__init__.py").touch()
    panels = {"one": "", "two": f'PANEL = "{PANELS[1]}"\n', "three": f'PANEL = "{PANELS[0]}"\n'}
    for order, (name, panel) in enumerate(panels.items()):
        (folder / f"{name}.py").write_text(panel + MODULE.format(order=order, name=name))
    monkeypatch.syspath_prepend(tmp_path)
    app = typer.Typer()
    add_commands(app, "dummy_panels", [str(folder)])
    found = [(command.name, command.rich_help_panel) for command in app.registered_commands]
    assert found == [("three", PANELS[0]), ("two", PANELS[1]), ("one", PANELS[-1])]
    for name in [name for name in sys.modules if name.startswith("dummy_panels")]:
        del sys.modules[name]
