"""Tables of figures in the documents: which command made each, and which are older than the code.

    python tests/tables.py                        lists all of them (make tables)
    python tests/tables.py --old                  those that the code has changed since
    python tests/tables.py --renew WORD [FOLDER]  makes those anew whose command has the word

Above a table of figures stands a comment that says what made it, and of what code the figures come:

    <!-- table: COMMAND | commit HASH | MACHINE | code: PATH PATH ... -->

A table is old when a file below one of the paths is not what it was at that commit (history.py), or
when the kept samples that COMMAND reads are others, or older than the code that measured them.

To make it anew, COMMAND runs in FOLDER, or in an empty one of its own: a line for a shell, in which
`contend` and `python` are those of this project, $CONTEND_DATA the folder of published
measurements, and "$MEASURED"/NAME that of kept samples (measured.py). Of the tables of Markdown
that it prints, a document takes the first that has the head it has.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import history
import measured
import shell
from history import HOME

COMMENT = re.compile(
    r"<!-- table: (?P<command>.+?) \| commit (?P<commit>\w+) \| (?P<machine>[^|]+) "
    r"\| code: (?P<code>[^|]+?) -->"
)
LINE = re.compile(r"\|[-:| ]+\|?$")  # between the head of a table and its rows
ANY = "any machine"  # where the figures do not depend on it
FIGURE = re.compile(r"[\d+−–(<*≥~]|none")


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
    def command(self) -> str:
        """What made it; "" where that is not said."""
        return self.comment["command"] if self.comment else ""

    @property
    def commit(self) -> str:
        """That of the code which made it; "" where that is not said."""
        return self.comment["commit"] if self.comment else ""

    @property
    def code(self) -> list[str]:
        """Paths that the figures come from."""
        return self.comment["code"].split() if self.comment else []


def tables(document: Path) -> Iterator[Table]:
    """Tables of figures: with a comment, or half of the cells beside the first column begin so."""
    lines = document.read_text(encoding="utf-8").split("\n")
    for at, (head, below) in enumerate(pairwise(lines)):
        if not (head.startswith("|") and LINE.match(below)):
            continue
        rows = [line.strip("|").split("|") for line in _rows(lines[at + 2 :])]
        cells = [cell.strip() for row in rows for cell in row[1:]]
        figures = sum(FIGURE.match(cell) is not None for cell in cells)
        comment = COMMENT.search(lines[at - 1])
        if comment or figures >= max(1, len(cells) / 2):
            yield Table(document, at + 1, head, comment)


def _rows(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("|"):
            return
        yield line


def since(table: Table, home: Path = HOME) -> list[str] | None:
    """Files of the table's code that changed since; None where that cannot be told."""
    sets = measured.named_in(table.command, home)
    changed = history.changed(table.commit, home) if table.comment else None
    ages = [one.since() for one in sets]
    if changed is None or None in ages:
        return None
    own = history.below(changed, [*table.code, *(one.path for one in sets)])
    return sorted({*own, *(file for age in ages if age for file in age)})


def every_table(home: Path = HOME) -> list[Table]:
    """Of the documents and the README."""
    documents = [home / "README.md", *sorted((home / "docs").glob("*.md"))]
    return [table for document in documents for table in tables(document)]


def renew(word: str, folder: Path | None = None, home: Path = HOME) -> None:
    """Every table whose command has the word: its rows, and commit and machine in its comment.

    Without a folder each command has an empty one of its own: what another leaves may change it.
    """
    commands = {table.command for table in every_table(home) if word in table.command}
    if not commands:
        remedy = "`python tests/tables.py` lists them"
        raise shell.FailedError(f"no table's command has {word!r}; {remedy}")
    for command in sorted(commands):
        own = made_by(command, home)
        code = {path for one in own for path in one.code}
        code |= {one.path for one in measured.named_in(command, home)}
        commit = history.commit_of(sorted(code), home)
        print(f"{', '.join(one.place for one in own)}: {command}", flush=True)
        with measured.unpacked(command, home) as found, TemporaryDirectory() as empty:
            text = shell.run(command, folder or Path(empty), home, found)
        _put(made_by(command, home), printed(text), commit)


def made_by(command: str, home: Path = HOME) -> list[Table]:
    """The tables of a command, in order."""
    return [table for table in every_table(home) if table.command == command]


def printed(text: str) -> dict[str, list[list[str]]]:
    """The tables of Markdown in it, by their heads: lines of each, in order."""
    lines, found = text.split("\n"), defaultdict(list)
    for at, (head, below) in enumerate(pairwise(lines)):
        if head.startswith("|") and LINE.match(below):
            found[head].append([head, below, *_rows(lines[at + 2 :])])
    return found


def _put(own: list[Table], found: dict[str, list[list[str]]], commit: str) -> None:
    """The rows that were printed, in the documents, the last table first: lines move below it."""
    taken = []
    for table in own:
        if not found.get(table.head):
            heads = "\n".join(found) or "no table"
            expected = f"{table.place} is headed\n{table.head}"
            raise shell.FailedError(f"{expected}\nand printed was\n{heads}")
        taken.append((table, found[table.head].pop(0)))
    for table, rows in reversed(taken):
        assert table.comment is not None
        lines = table.document.read_text(encoding="utf-8").split("\n")
        old = [table.head, lines[table.line], *_rows(lines[table.line + 1 :])]
        begin = table.line - 1
        is_any = table.comment["machine"] == ANY
        lines[begin : begin + len(old)] = rows
        lines[begin - 1] = (
            f"<!-- table: {table.comment['command']} | commit {commit} "
            f"| {ANY if is_any else history.machine()} | code: {' '.join(table.code)} -->"
        )
        table.document.write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    """Print the list, or make tables anew."""
    if "--renew" in sys.argv[1:2]:
        if len(sys.argv) not in (3, 4):
            raise SystemExit("--renew takes a word of the commands and, if you like, a folder")
        word, *folder = sys.argv[2:]
        try:
            renew(word, *map(Path, folder))
        except (shell.FailedError, history.HistoryError) as why:
            raise SystemExit(str(why)) from None
        return
    only_old = "--old" in sys.argv[1:]
    for table in every_table():
        files = since(table)
        if files != [] or not only_old:
            print(f"{table.place:<32} {history.age(files, table.commit)}")
            if table.comment:
                print(f"{'':<32} {table.comment['command']}, {table.comment['machine']}")


if __name__ == "__main__":
    main()
