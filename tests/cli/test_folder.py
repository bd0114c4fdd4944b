"""A command costs one file, a group of commands a folder; none is imported before it is called."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from contend.cli.app import make_app
from contend.cli.folder import (
    PANELS,
    Commands,
    folder,
    old_options,
    old_words,
    renewed,
    renewed_options,
)

MODULE = """
{panel}
ORDER = {order}
EXAMPLE = "contend {name}"

def command() -> None:
    \"\"\"Print {name}.\"\"\"
    print("this is {name}")
"""
GROUP = """
ORDER = 5
EXAMPLE = "contend group inner"
HELP = "Hold others."
"""


@pytest.fixture
def commands(tmp_path, monkeypatch) -> Iterator[Commands]:
    """Those of a package with three commands and a group of one."""
    (tmp_path / "dummies" / "group").mkdir(parents=True)
    (tmp_path / "dummies" / "__init__.py").touch()
    (tmp_path / "dummies" / "group" / "__init__.py").write_text(GROUP)
    places = {
        "zebra": ("", 2), "import_": (f'PANEL = "{PANELS[1]}"', 3),
        "two_words": (f'PANEL = "{PANELS[0]}"', 4), "group/inner": ("", 1),
    }  # fmt: skip
    for name, (panel, order) in places.items():
        text = MODULE.format(panel=panel, order=order, name=name)
        (tmp_path / "dummies" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield Commands("dummies")
    for name in [name for name in sys.modules if name.startswith("dummies")]:
        del sys.modules[name]


def test_commands_stand_by_panel_and_order_and_are_listed_without_an_import(commands) -> None:
    found = [(name, one.rich_help_panel, one.help) for name, one in commands.outlines.items()]
    assert found == [
        ("two-words", PANELS[0], "Print two_words."),
        ("import", PANELS[1], "Print import_."),
        ("zebra", PANELS[-1], "Print zebra."),
        ("group", PANELS[-1], "Hold others."),
    ]
    app = typer.Typer(cls=folder("dummies"))
    app.callback()(lambda: None)
    assert "Hold others." in CliRunner().invoke(app, ["--help"]).output
    assert [name for name in sys.modules if name.startswith("dummies.")] == []
    assert CliRunner().invoke(app, ["two-words"]).output == "this is two_words\n"
    assert CliRunner().invoke(app, ["group", "inner"]).output == "this is group/inner\n"
    assert "dummies.zebra" not in sys.modules


def test_a_group_may_have_a_command_that_is_meant_where_none_is_named(commands) -> None:
    app = typer.Typer(cls=folder("dummies", default="zebra"))
    app.callback()(lambda: None)
    runner = CliRunner()
    assert runner.invoke(app, ["--"]).output == "this is zebra\n"
    assert runner.invoke(app, ["import"]).output == "this is import_\n"
    assert "Hold others." in runner.invoke(app, ["--help"]).output
    assert runner.invoke(app, ["unknown"]).exit_code != 0


def test_what_is_listed_of_a_command_is_what_it_says_itself() -> None:
    checked = 0
    groups = [typer.main.get_command(make_app())]
    for group in groups:
        for name, outline in group.commands.outlines.items():  # type: ignore[attr-defined]
            command = group.commands[name]  # type: ignore[attr-defined]
            has_panels = group is groups[0]
            assert (outline.name, outline.help) == (command.name, command.help)
            assert outline.rich_help_panel == (command.rich_help_panel if has_panels else None)
            checked += 1
            if isinstance(getattr(command, "commands", None), Commands):
                groups.append(command)
    assert checked > 30
    assert len(groups) > 4


@pytest.mark.parametrize("old", old_words())
def test_old_words_name_a_command_that_there_is(old: str, capsys) -> None:
    inner = ["plan"] if old == "exchange" else []
    words = renewed([*old.split(), *inner, "a", "b", "--", "plan"])
    assert f"'contend {old}' is now 'contend " in " ".join(capsys.readouterr().err.split())
    assert words[-2:] == ["--", "plan"]
    command: Any = typer.main.get_command(make_app())
    while hasattr(command, "commands"):
        name, *words = words
        command = command.commands[name]
    assert "--levels" not in words and "b" in words


def test_words_that_are_not_old_stay_as_they_are(capsys) -> None:
    for words in (["--markdown", "fit", "plan"], ["measure", "-n", "4"], ["--help"], []):
        assert renewed(words) == words
    assert renewed(["--markdown", "plan"]) == ["--markdown", "design"]
    assert renewed(["bound", "--help"]) == ["predict", "--help"]
    assert capsys.readouterr().err.count("is now") == 2


def test_old_options_go_on_where_they_were(capsys, monkeypatch) -> None:
    words = ["measure", "collectives", "--segment", "8KiB", "--warmup=0", "--", "--start", "x"]
    assert renewed_options(words) == [
        "measure", "collectives", "--with", "segment=8KiB", "--repeat", "warmup=0", "--", "--start",
        "x",
    ]  # fmt: skip
    other = ["alltoall", "run", "mpiexec", "--start", "x"]
    assert renewed_options(other) == other
    assert capsys.readouterr().err.count(" is now ") == 2
    monkeypatch.setenv("MPICC", "before")
    assert renewed_options(["study", "--mpicc", "after", "-n", "4"]) == ["study", "-n", "4"]
    assert os.environ["MPICC"] == "after"
    assert renewed_options(["batch", "--dry-run"]) == ["batch", "--output", "-"]
    assert renewed_options(["measure", "links", "--groups", "a"])[2:] == ["--groups", "a"]


@pytest.mark.parametrize("name", old_options())
def test_new_options_are_those_of_the_commands(name: str) -> None:
    command: Any = typer.main.get_command(make_app())
    for word in name.split():
        command = command.commands[word]
    commands = [command] if not hasattr(command, "commands") else command.commands.values()
    for each in commands:
        there = {word for one in each.params if not one.hidden for word in one.opts}
        options = {new.split()[0] for new in old_options()[name].values() if new.startswith("-")}
        assert options <= there
        assert not old_options()[name].keys() & there
