"""Tables of figures in the documents: which command made each, and which are older than the code.

    python tests/tables.py            lists all of them (make tables)
    python tests/tables.py --old      those that the code has changed since

Above a table of figures stands a comment that says what made it, and of what code the figures come:

    <!-- table: COMMAND | commit HASH | MACHINE | code: PATH PATH ... -->

A table is old when a file below one of the paths is not what it was at that commit. A file that was
only renamed, or whose imports alone changed, is what it was.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

HOME = Path(__file__).parents[1]
COMMENT = re.compile(
    r"<!-- table: (?P<command>[^|]+) \| commit (?P<commit>\w+) \| (?P<machine>[^|]+) "
    r"\| code: (?P<code>[^|]+?) -->"
)
LINE = re.compile(r"\|[-:| ]+\|?$")  # between the head of a table and its rows
FIGURE = re.compile(r"[\d+−–(<*≥~]|none")
IMPORTS = "^(from |import |#include )"


@dataclass(frozen=True)
class Table:
    """A table of a document; `comment` is None where none says what made it."""

    document: Path
    line: int  # of its head, from 1
    head: str
    comment: "re.Match[str] | None"

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.document.name}:{self.line}"

    @property
    def code(self) -> list[str]:
        """Paths that the figures come from."""
        return self.comment["code"].split() if self.comment else []


def tables(document: Path) -> Iterator[Table]:
    """Tables of figures: at least half of the cells beside the first column begin with one."""
    lines = document.read_text(encoding="utf-8").split("\n")
    for at, (head, below) in enumerate(pairwise(lines)):
        if not (head.startswith("|") and LINE.match(below)):
            continue
        rows = [line.strip("|").split("|") for line in _rows(lines[at + 2 :])]
        cells = [cell.strip() for row in rows for cell in row[1:]]
        if sum(FIGURE.match(cell) is not None for cell in cells) >= max(1, len(cells) / 2):
            yield Table(document, at + 1, head, COMMENT.search(lines[at - 1]))


def _rows(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("|"):
            return
        yield line


@cache
def changed(commit: str, home: Path = HOME) -> frozenset[str] | None:
    """Files that are not what they were at a commit; None where it is not known here."""
    words = ["diff", "-U0", "-M", "--no-color", "-I", IMPORTS, commit, "--"]
    done = subprocess.run(
        ["git", "-C", str(home), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return None
    return frozenset(re.findall(r"^(?:---|\+\+\+) [ab]/(.+)$", done.stdout, re.M))


def since(table: Table, home: Path = HOME) -> list[str] | None:
    """Files of the table's code that changed since; None where that cannot be told."""
    if table.comment is None or (files := changed(table.comment["commit"], home)) is None:
        return None
    return sorted(file for file in files if any(_is_below(file, path) for path in table.code))


def _is_below(file: str, path: str) -> bool:
    return file == path or file.startswith(path.rstrip("/") + "/")


def every_table(home: Path = HOME) -> list[Table]:
    """Of the documents and the README."""
    documents = [home / "README.md", *sorted((home / "docs").glob("*.md"))]
    return [table for document in documents for table in tables(document)]


def main() -> None:
    """Print the list."""
    only_old = "--old" in sys.argv[1:]
    for table in every_table():
        files = since(table)
        if files or not only_old:
            print(f"{table.place:<32} {_age(table, files)}")
            if table.comment:
                print(f"{'':<32} {table.comment['command']}, {table.comment['machine']}")


def _age(table: Table, files: list[str] | None) -> str:
    if table.comment is None:
        return "says not what made it"
    if files is None:
        return f"commit {table.comment['commit']} is not known here"
    if not files:
        return "current"
    return f"old: {len(files)} files changed since {table.comment['commit']}, as {files[0]}"


if __name__ == "__main__":
    main()
