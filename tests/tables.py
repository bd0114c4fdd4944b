"""Tables of figures in the documents, and the commands that make them.

    make tables               lists all of them, with commit, day and machine
    make tables TABLES=WORD   makes those anew whose command has the word

Above a table of figures stands a comment that says what made it:

    <!-- table: COMMAND | commit HASH | DAY | MACHINE -->

COMMAND is a line for a shell, run in an empty folder, in which `contend` and `python` are those of
this project, $CONTEND_DATA the folder of published measurements, and "$MEASURED"/NAME that of kept
samples (measured.py). Of the tables of Markdown that it prints, a document takes the first that has
the head it has.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import measured
from support import processes
from support.processes import HOME

COMMENT = re.compile(
    r"<!-- table: (?P<command>.+?) \| commit (?P<commit>\w+) \| (?P<day>[\d-]+) "
    r"\| (?P<machine>[^|]+?) -->"
)
SAMPLES = re.compile(r'"\$MEASURED"/([\w-]+)')
LINE = re.compile(r"\|[-:| ]+\|?$")  # between the head of a table and its rows
ANY = "any machine"  # where the figures do not depend on it
FIGURE = re.compile(r"[\d+−–(<*≥~]|none")


@dataclass(frozen=True)
class Table:
    """A table of a document; `comment` is None where none says what made it."""

    document: Path
    at: int  # index of the line of its head
    lines: list[str]
    comment: "re.Match[str] | None"

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.document.name}:{self.at + 1}"


def tables_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line's index and the lines of each table of Markdown."""
    lines = text.split("\n")
    for at, (head, below) in enumerate(pairwise(lines)):
        if head.startswith("|") and LINE.match(below):
            yield at, list(takewhile(lambda line: line.startswith("|"), lines[at:]))


def every_table() -> list[Table]:
    """Return the tables of figures of the documents and the README.

    Such have a comment, or half of the cells beside the first column begin as figures do.
    """
    listed = []
    for document in [
        HOME / "README.md",
        *sorted((HOME / "docs").glob("*.md")),
        *sorted((HOME / "docs" / "results").glob("*.md")),
    ]:
        text = document.read_text()
        for at, lines in tables_of(text):
            cells = [cell.strip() for row in lines[2:] for cell in row.strip("|").split("|")[1:]]
            figures = sum(FIGURE.match(cell) is not None for cell in cells)
            comment = COMMENT.search(text.split("\n")[at - 1])
            if comment or figures >= max(1, len(cells) / 2):
                listed.append(Table(document, at, lines, comment))
    return listed


def made_by(command: str) -> list[Table]:
    """Return the tables of a command, in order."""
    commented = [table for table in every_table() if table.comment]
    return [table for table in commented if table.comment["command"] == command]


def renew(word: str) -> None:
    """Make every table anew whose command has the word."""
    commands = {table.comment["command"] for table in every_table() if table.comment}
    chosen = sorted(command for command in commands if word in command)
    if not chosen:
        raise SystemExit(f"no table's command has {word!r}; `make tables` lists them")
    commit = processes.commit()
    for command in chosen:
        print(f"{', '.join(table.place for table in made_by(command))}: {command}", flush=True)
        with TemporaryDirectory() as kept, TemporaryDirectory() as empty:
            for name in SAMPLES.findall(command):
                measured.unpack(name, Path(kept))
            put(made_by(command), processes.run(command, Path(empty), MEASURED=kept), commit)


def put(old: list[Table], text: str, commit: str) -> None:
    """Replace tables by those of their heads in a text, the last first: lines move below it."""
    printed = defaultdict(list)
    for _, lines in tables_of(text):
        printed[lines[0]].append(lines)
    replaced = []
    for table in old:
        head = table.lines[0]
        if not printed.get(head):
            heads = "\n".join(printed) or "no table"
            raise SystemExit(f"{table.place} is headed\n{head}\nprinted was\n{heads}")
        replaced.append((table, printed[head].pop(0)))
    for table, lines in reversed(replaced):
        assert table.comment is not None
        machine = ANY if table.comment["machine"] == ANY else measured.machine()
        made = f"{table.comment['command']} | commit {commit} | {date.today()} | {machine}"
        document = table.document.read_text().split("\n")
        document[table.at - 1 : table.at + len(table.lines)] = [f"<!-- table: {made} -->", *lines]
        table.document.write_text("\n".join(document))


if __name__ == "__main__":
    for word in sys.argv[1:]:
        renew(word)
    for table in every_table():
        if table.comment:
            print(f"{table.place:<28} {' | '.join(table.comment.groups())}")
