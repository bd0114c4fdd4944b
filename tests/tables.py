"""Tables of figures in the documents: which command made each, and which are older than the code.

    python tests/tables.py                        lists all of them (make tables)
    python tests/tables.py --old                  those that the code has changed since
    python tests/tables.py --renew WORD [FOLDER]  makes those anew whose command has the word

Above a table of figures stands a comment that says what made it, and of what code the figures come:

    <!-- table: COMMAND | commit HASH | MACHINE | code: PATH PATH ... -->

A table is old when a file below one of the paths is not what it was at that commit. A file that was
only renamed, or whose imports alone changed, is what it was.

To make it anew, COMMAND runs in FOLDER, or in an empty one: a line for a shell, in which `contend`
and `python` are those of this project, and $CONTEND_DATA the folder of published measurements. Of
the tables of Markdown that it prints, a document takes the first that has the head it has.
"""

import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

HOME = Path(__file__).parents[1]
COMMENT = re.compile(
    r"<!-- table: (?P<command>.+?) \| commit (?P<commit>\w+) \| (?P<machine>[^|]+) "
    r"\| code: (?P<code>[^|]+?) -->"
)
LINE = re.compile(r"\|[-:| ]+\|?$")  # between the head of a table and its rows
ANY = "any machine"  # where the figures do not depend on it
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
    def command(self) -> str:
        """What made it; "" where that is not said."""
        return self.comment["command"] if self.comment else ""

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


class RenewalError(Exception):
    """Why a table was not made anew."""


def renew(word: str, folder: Path, home: Path = HOME) -> None:
    """Every table whose command has the word: its rows, and commit and machine in its comment."""
    commands = {table.command for table in every_table(home) if word in table.command}
    if not commands:
        raise RenewalError(f"no table's command has {word!r}; `python tests/tables.py` lists them")
    for command in sorted(commands):
        commit = _commit_of({path for table in made_by(command, home) for path in table.code}, home)
        print(f"{', '.join(one.place for one in made_by(command, home))}: {command}", flush=True)
        found = printed(_run(command, folder, home))
        _put(made_by(command, home), found, commit)


def made_by(command: str, home: Path = HOME) -> list[Table]:
    """The tables of a command, in order."""
    return [table for table in every_table(home) if table.command == command]


def _commit_of(code: set[str], home: Path) -> str:
    """HEAD, of which the code has to be."""
    git = ["git", "-C", str(home)]
    dirty = subprocess.check_output([*git, "status", "--porcelain", "--", *sorted(code)], text=True)
    if dirty:
        raise RenewalError(f"commit the code first, which was changed:\n{dirty}")
    return subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()


def _run(command: str, folder: Path, home: Path) -> str:
    """What it prints."""
    paths = {"PATH": [str(Path(sys.executable).parent)], "PYTHONPATH": [str(home)]}
    found = {
        name: os.pathsep.join([*first, *filter(None, [os.environ.get(name)])])
        for name, first in paths.items()
    }
    words = ["bash", "-euo", "pipefail", "-c", command]
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        words, cwd=folder, env=os.environ | found, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise RenewalError(f"exit code {done.returncode}: {shlex.join(words)}\n{done.stdout}")
    return done.stdout


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
            raise RenewalError(f"{table.place} is headed\n{table.head}\nand printed was\n{heads}")
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
            f"| {ANY if is_any else machine()} | code: {' '.join(table.code)} -->"
        )
        table.document.write_text("\n".join(lines), encoding="utf-8")


def machine() -> str:
    """This one, as far as it tells."""
    information = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.+)$", information, re.M)
    is_virtual = re.search(r"^flags\s*:.* hypervisor\b", information, re.M)
    name = model[1].strip() if model else "an unknown processor"
    return f"{os.cpu_count()} cores, {name}{' (virtual)' if is_virtual else ''}"


def main() -> None:
    """Print the list, or make tables anew."""
    if "--renew" in sys.argv[1:2]:
        if len(sys.argv) not in (3, 4):
            raise SystemExit("--renew takes a word of the commands and, if you like, a folder")
        word, *folder = sys.argv[2:]
        with TemporaryDirectory() as empty:
            try:
                renew(word, Path(folder[0] if folder else empty))
            except RenewalError as why:
                raise SystemExit(str(why)) from None
        return
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
