"""A command costs one file, a group of commands a folder."""

import sys

import typer
from typer.testing import CliRunner

from contend.cli.found import add_commands

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
