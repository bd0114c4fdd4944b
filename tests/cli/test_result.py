"""One renderer prints what every command returns: as text, as Markdown, as JSON."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from contend.base.units import format_seconds
from contend.cli import output
from contend.cli.options import argument, option
from contend.cli.result import Cell, Line, Result, Table, plain, show
from contend.cli.signature import prepared


@dataclass(frozen=True)
class Row:
    """A row as commands have them."""

    name: str
    seconds: float | None
    count: int | None = 2


ROWS = [Row("a|b", 1e-3), Row("c", None, None), Row("d", float("nan"))]
COLUMNS: dict[str, Cell] = {
    "name": "name",
    "time": ("seconds", format_seconds),
    "count": "count",
    "both": lambda row: f"{row.name}\n{row.count}",
}
CELLS = {
    "name": ["a|b", "c", "d"],
    "time": ["1 ms", "–", "–"],
    "count": ["2", "", "2"],
    "both": ["a|b\n2", "c\nNone", "d\n2"],
}


def test_a_column_is_a_field_a_field_with_its_unit_or_a_function_of_the_row() -> None:
    assert Table(ROWS, COLUMNS).text() == CELLS


@pytest.mark.parametrize(
    "rows",
    [
        [{"n": 2, "m": "x"}, {"n": 3, "m": "y"}],
        {"n": np.array([2, 3]), "m": ["x", "y"]},
        pd.DataFrame({"n": [2, 3], "m": ["x", "y"]}),
    ],
    ids=["objects", "arrays", "table"],
)
def test_rows_of_any_kind_are_shown_whole_where_no_columns_are_given(rows: Any) -> None:
    assert Table(rows).text() == {"n": ["2", "3"], "m": ["x", "y"]}
    assert Table(rows, {"of": "m"}).text() == {"of": ["x", "y"]}


def test_no_rows_are_a_table_of_heads() -> None:
    assert Table([], COLUMNS).text() == {name: [] for name in COLUMNS}
    assert Table([]).text() == {}


def test_json_has_what_python_has_and_null_for_what_is_no_number() -> None:
    table = pd.DataFrame({"n": [1, 2], "s": [0.5, np.nan]})
    found = plain({"rows": ROWS[:2], "table": table, "array": np.array([1.0, np.inf]), "it": {1}})
    assert found == {
        "rows": [{"name": "a|b", "seconds": 1e-3, "count": 2},
                 {"name": "c", "seconds": None, "count": None}],
        "table": [{"n": 1, "s": 0.5}, {"n": 2, "s": None}],
        "array": [1.0, None],
        "it": [1],
    }  # fmt: skip


def result(code: int = 0) -> Result:
    parts = [Table(ROWS, {"name": "name"}, "rows"), Line("a [line]"), "a [note]"]
    return Result({"seconds": float("nan")}, parts, code, warnings=["doubtful"])


def test_tables_and_lines_are_results_and_notes_are_not(capsys) -> None:
    show(result(), as_json=False)
    streams = capsys.readouterr()
    assert [line.strip() for line in streams.out.splitlines() if line.strip("─ ")] == [
        "rows", "name", "a|b", "c", "d", "a [line]",
    ]  # fmt: skip
    assert streams.err.splitlines() == ["warning: doubtful", "a [note]"]


def test_json_is_alone_on_standard_output_and_warnings_stay(capsys) -> None:
    parts = (pytest.fail("parts are of no use") for _ in range(1))
    show(Result({"seconds": float("nan")}, parts, warnings=["doubtful"]), as_json=True)
    streams = capsys.readouterr()
    assert json.loads(streams.out) == {"seconds": None}
    assert streams.err == "warning: doubtful\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_the_exit_code_is_that_of_the_result(capsys, as_json: bool) -> None:
    with pytest.raises(typer.Exit) as leaving:
        show(result(code=3), as_json=as_json)
    assert leaving.value.exit_code == 3
    assert capsys.readouterr().out


def test_columns_of_numbers_stand_to_the_right() -> None:
    shown = output.table({"n": ["2", "16"], "to": ["–", ""], "what": ["one", "2 or more"]})
    assert [column.justify for column in shown.columns] == ["right", "right", "left"]


def test_markdown_has_the_rows_of_the_console_until_the_next_command(contend) -> None:
    lines = contend("--markdown", "list", "algorithms", "barrier").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("|---"))
    table = [lines[at - 1], *(line for line in lines[at + 1 :] if line[:1] == "|")]
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    assert all(len(row) == len(head) for row in rows)
    known = {row["name"] for row in contend("list", "algorithms", "barrier", "--json").json}
    assert {row[head.index("algorithm")] for row in rows} == known
    assert "|---" not in contend("list", "algorithms", "barrier").out


def test_a_cell_of_markdown_keeps_to_its_line_and_column() -> None:
    assert output.markdown({"a|b": ["x\ny | z"], "c": [1]}).split("\n") == [
        "| a\\|b | c |",
        "|---|---|",
        "| x y \\| z | 1 |",
    ]


@dataclass(frozen=True)
class Base:
    """Options that several commands have."""

    n: Annotated[int, typer.Option("-n")] = 1


@dataclass(frozen=True)
class Bundle(Base):
    """Options of one command."""

    size: int = option("A size.", "-m", default=8)
    n: Annotated[int, typer.Option("-n")] = 2


def command(bundle: Bundle, what: str = argument("What.")) -> Result:
    """Do it."""
    return Result({"what": what, "n": bundle.n, "m": bundle.size}, [Line(what)])


def test_a_bundle_stands_for_its_options_and_a_result_brings_json() -> None:
    app = typer.Typer()
    app.command()(prepared(command))

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return done.output

    assert json.loads(run("x", "--json")) == {"what": "x", "n": 2, "m": 8}
    assert json.loads(run("x", "-n", "4", "-m", "1", "--json")) == {"what": "x", "n": 4, "m": 1}
    assert run("x") == "x\n"
    text = run("--help")
    assert text.index("-m") < text.index("-n ")
    assert "--json" not in text  # shown by `contend --help`, once for all
    assert CliRunner().invoke(app, []).exit_code == 2


def test_a_command_without_a_result_has_no_json() -> None:
    def silent() -> None:
        """Do nothing."""

    app = typer.Typer()
    app.command()(prepared(silent))
    assert CliRunner().invoke(app, ["--json"]).exit_code == 2
    assert CliRunner().invoke(app, []).output == ""
