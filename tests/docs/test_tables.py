"""Every table of figures says what made it, and is made anew by that."""

import re

import measured
from support.processes import HOME
from tables import SAMPLES, every_table


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
