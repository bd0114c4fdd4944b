"""Every table of figures says what made it, and is made anew by that."""

import re

import pytest

import measured
import tables
from support.processes import HOME
from tables import COMMENT, SAMPLES, every_table, put


def test_a_table_of_figures_says_what_made_it():
    silent = [table.place for table in every_table() if table.comment is None]
    assert silent == [], "a comment above it has command, commit, day and machine"


def test_commands_of_tables_name_benchmarks_and_samples_that_exist():
    commands = {table.comment["command"] for table in every_table() if table.comment}
    modules = {name for text in commands for name in re.findall(r"-m (benchmarks\S+)", text)}
    paths = [HOME / name.replace(".", "/") for name in modules]
    assert [path for path in paths if not (path.is_dir() or path.with_suffix(".py").exists())] == []
    described = measured.descriptions()
    assert {name for text in commands for name in SAMPLES.findall(text)} == described.keys()
    assert {path.name.split(".")[0] for path in measured.PLACE.glob("*.xz")} == described.keys()


DOCUMENTS = [
    HOME / "README.md",
    HOME / "CONTRIBUTING.md",
    *(HOME / "docs").glob("*.md"),
    *(HOME / "docs" / "results").glob("*.md"),
]


def test_every_row_has_the_cells_of_its_head():
    for document in DOCUMENTS:
        for block in re.findall(r"(?:^\|.*\n)+", document.read_text(), re.M):
            numbers = {len(re.split(r"(?<!\\)\|", row)) for row in block.splitlines()}
            assert len(numbers) == 1, f"{document.name}: {block.splitlines()[0]}"


OLD = """Some figures.

<!-- table: make | commit abc | 2020-01-01 | a machine -->
| what | seconds |
|---|---|
| this | 1.5 |

<!-- table: make | commit abc | 2020-01-01 | any machine -->
| what | seconds |
|---|---|
| else | 1 |
"""
PRINTED = """| what | seconds |
|---|---|
| this | 2.5 |
| that | 3 |

| what | seconds |
|---|---|
| else | 2 |
"""


def test_rows_are_put_in_the_place_of_the_old(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "HOME", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").touch()
    document = tmp_path / "docs" / "d.md"
    document.write_text(OLD)
    put(every_table(), PRINTED, "def")
    text = document.read_text()
    assert COMMENT.sub("", text) == COMMENT.sub("", OLD).replace(
        "| this | 1.5 |", "| this | 2.5 |\n| that | 3 |"
    ).replace("| else | 1 |", "| else | 2 |")
    assert [match["commit"] for match in COMMENT.finditer(text)] == ["def", "def"]
    machines = [match["machine"] for match in COMMENT.finditer(text)]
    assert machines == [measured.machine(), tables.ANY]
    with pytest.raises(SystemExit, match=r"d\.md:10 is headed\n.*\nprinted was\n\| what"):
        put(every_table(), PRINTED.split("\n\n", maxsplit=1)[0], "ghi")
    assert document.read_text() == text
