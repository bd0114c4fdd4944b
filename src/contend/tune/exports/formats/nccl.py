"""NCCL: the CSV of its example tuner plugin, from 2.27 on (src/contend/tune/exports/nccl/rows.py).

Each number of ranks has lines of its own: NCCL knows no "and more". Sizes of an all-gather and a
reduce-scatter are those of all blocks. What is left to NCCL has no line, which means NCCL's own
choice only of a plugin that is mended (src/contend/tune/exports/nccl/lint.py).
"""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import read_text
from contend.schedules.libraries import Version
from contend.schedules.libraries.nccl import ALGORITHMS, CHANNELS, COLLECTIVES, PROTOCOLS
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Unit, by_operation, pieces
from contend.tune.exports.file_rules import head_lines, wanted
from contend.tune.exports.filerule import FileRule, Placement
from contend.tune.exports.finding import Finding
from contend.tune.exports.format import Export, Format, Request, not_merged
from contend.tune.exports.marks import MARK, Made
from contend.tune.exports.nccl.lint import command, lint
from contend.tune.exports.nccl.rows import (
    ALL_BYTES,
    ANY,
    LONGEST,
    NCCL,
    OPERATIONS,
    RCCL,
    Dialect,
    Row,
    is_of_rccl,
    row_of,
    rows,
)
from contend.tune.exports.nccl.rows import pieces as lines_of
from contend.tune.exports.settings import is_script

UNITS: Mapping[str, Unit] = {
    "allgather": "total", "allreduce": "m", "bcast": "m", "reduce": "m", "reduce_scatter": "total",
}  # fmt: skip
MOST_LINES = 20_000  # a reader goes through all of them at every call
FEWEST_RANKS = 2  # one rank alone copies, and asks no tuner
LEAVE_IT = "Nothing is better than the library's own choice: leave it, and load no tuner."
_OF_CHANNELS = (
    "channels: a rule's number is taken as it is; NCCL_MAX_NCHANNELS, by which it was measured, is "
    "the most that is taken for a size"
)


class NCCLFormat(Format):
    name = "nccl"
    title = "CSV of NCCL's tuner plugin"
    library_name = "nccl"
    first: ClassVar[Version] = (2, 27)
    dialect: ClassVar[Dialect] = NCCL
    # Variables that load what reads the file.
    plugin: ClassVar[Mapping[str, str]] = {"NCCL_TUNER_PLUGIN": "libnccl-tuner-example.so"}
    by_hand: ClassVar[str] = (
        "calls of MPI are watched alone: see what is taken by NCCL_DEBUG=INFO and "
        "NCCL_DEBUG_SUBSYS=TUNING, and compare nccl-tests with the tuner and without it"
    )

    def loading(self, version: Version) -> tuple[str, ...]:
        """Lines of the head that say what reads the file, and what has to be mended in it."""
        return (
            "Read by NCCL's example tuner plugin, built after:",
            f"  {command(version)}",
            "Without that it runs calls that no rule is for on one channel.",
        )

    def write(self, request: Request) -> Export:
        """Comments and a line for each number of ranks and range of sizes that departs."""
        version, (kept, lost) = request.version, self._others(request)
        written = [*request.notes, *lost]
        rules = wanted(request)
        written += [excluded.words for excluded in request.decisions.left_out]
        lines = [
            line
            for operation, of in by_operation(rules).items()
            for line in self._lines(operation, of, version, written)
        ]
        if len(lines) > MOST_LINES:
            raise InvalidInputError(
                f"the rules make {len(lines)} lines, where {MOST_LINES} are the most: the tuner "
                "goes through all of them at every call",
                "let rules hold for the numbers of ranks that are used",
            )
        if any(CHANNELS in rule.options for rule in rules):
            written.append(_OF_CHANNELS)
        head = self.loading(version) if lines or kept else (LEAVE_IT,)
        about = head_lines(self.library.title, request, head, written, rules)
        parts = [*_comments(about), "", *lines, *kept]
        return Export("\n".join(parts) + "\n", "\n".join(about), {}, tuple(written))

    def _others(self, request: Request) -> tuple[list[str], list[str]]:
        """Return lines of collectives that nothing was decided on, and a note of what is lost."""
        if (old := request.old) is None:
            return [], []
        if not rows(old, self.dialect) and any(not line.is_comment for line in lines_of(old)):
            raise not_merged("no line of it is read as a rule")
        return list(self._kept(old, request.decided)), self._lost(old)

    def _kept(self, old: str, decided: set[str]) -> Iterator[str]:
        """Rules of an old file as they are read, and comments that stand right above them."""
        above: list[str] = []
        for piece in lines_of(old):
            row = row_of(piece, self.dialect)
            if row and row.operation not in decided:
                yield from (*above, ",".join(row.fields[: self.dialect.most]).rstrip("\r"))
            is_comment = piece.text[:1] == b"#" and not piece.is_rest
            above = (
                [*above, piece.text.decode(errors="replace").rstrip("\r\n")] if is_comment else []
            )

    def _lost(self, old: str) -> list[str]:
        """A note of lines that are no rules, which are not kept."""
        lines = [
            line.line
            for line in lines_of(old)
            if not line.is_comment and line.text.strip() and row_of(line, self.dialect) is None
        ]
        where = ", ".join(map(str, dict.fromkeys(lines)))
        return [f"not kept, as {self.library.title} reads no rule there: line {where}"] * bool(
            lines
        )

    def _lines(
        self, operation: str, rules: Sequence[Rule], version: Version, notes: list[str]
    ) -> Iterator[str]:
        """The lines of an operation; `notes` are added to."""
        if operation not in COLLECTIVES:
            if any(not rule.is_default for rule in rules):
                raise InvalidInputError(
                    f"{self.library.title} asks no tuner about {operation}",
                    f"it asks about {', '.join(COLLECTIVES)}",
                )
            return
        placed: dict[int | None, list[Rule]] = {}
        for rule in rules:
            placed.setdefault(rule.processes_per_node, []).append(rule)
        taken: set[int] = set()
        for per_node in sorted(placed, key=lambda count: (count is None, count)):
            of = _with_ends(operation, placed[per_node], notes)
            counts: set[int] = set()
            for piece in pieces(of, UNITS[operation], ALL_BYTES, steps=2**31):
                assert piece.last is not None or not any(band.departure for band in piece.bands)
                for n in range(max(piece.first, FEWEST_RANKS), (piece.last or piece.first) + 1):
                    if per_node is None and n in taken:
                        continue
                    if per_node and n % per_node and n > per_node:
                        continue
                    counts.add(n)
                    for band in piece.bands:
                        if chosen := band.departure:
                            nodes = -(-n // per_node) if per_node else ANY
                            sizes = (band.least, ALL_BYTES if band.last is None else band.last)
                            yield self._line(chosen, sizes, nodes, n, version)
            taken |= counts

    def _line(
        self, rule: Rule, sizes: tuple[int, int], nodes: int, n: int, version: Version
    ) -> str:
        algorithm = self.library.algorithm(rule.operation, rule.algorithm, version)
        self.library.require_options(algorithm, rule.options)
        name, protocol = algorithm.own_name, algorithm.fixed["protocol"]
        channels = rule.options.get(CHANNELS, self.dialect.library_choice)
        values = (COLLECTIVES[rule.operation], *sizes, name, protocol, channels, nodes, n)
        return ",".join(map(str, values))

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules of all lines that are read as such."""
        made = rows(text, self.dialect)
        if not made and any(not line.is_comment and line.text.strip() for line in lines_of(text)):
            raise FileFormatError(
                f"{self.library.title} reads no rule from the file",
                "'contend tune lint' says why, by line",
            )
        return tuple(_rule(row) for row in made)

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is left out, and what is read as something else; nothing of another script."""
        if is_script(text) and not self.recognises(text):
            return []
        return lint(text, version, self.dialect, self.library)

    def made_of_mark(self, text: str) -> Made:
        """It is a part of the first word, so that neither `#` nor a collective begins the line."""
        row = row_of(next(lines_of(MARK + text)), self.dialect)
        taken = f"taken for a rule of {row.operation}" if row else "left out without a word"
        first = text.partition("\n")[0]
        is_lost = bool(row) or row_of(next(lines_of(text)), self.dialect) is not None
        return "error" if is_lost else "note", f"the first line, {first!r:.60}, is {taken}"

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """What loads the tuner and names its file; nothing for a file without rules."""
        file = Path(path)
        if file.is_file() and not rows(read_text(file, errors="replace"), self.dialect):
            return {}
        return {**self.plugin, "NCCL_TUNER_CONFIG_FILE": path}

    def recognises(self, text: str) -> bool:
        """Whether it says so, or a line has the names of a collective, or an algorithm, in it."""
        head = f"# Rules for {self.library.title} "
        return text.startswith(head) or (
            self._is_ours(text) and any(_is_row(line.fields) for line in lines_of(text))
        )

    def _is_ours(self, text: str) -> bool:
        """Whether a text of this form is for this library and not for its twin."""
        return is_of_rccl(text) == (self.dialect is RCCL)


def _is_row(fields: Sequence[str]) -> bool:
    """Whether fields look like those of a rule, broken or not: two names where they are due."""
    words = [field.lower().strip('"') for field in fields]
    has_algorithm = bool({*words[2:5]} & {*ALGORITHMS})
    has_protocol = bool({*words[3:6]} & {*PROTOCOLS})
    has_collective = words[:1] != [] and words[0] in OPERATIONS
    return has_collective + has_algorithm + has_protocol > 1


def _with_ends(operation: str, rules: Sequence[Rule], notes: list[str]) -> list[Rule]:
    """Rules that end: those without an end hold for their first number of ranks alone."""
    if all(rule.n_to for rule in rules):
        return list(rules)
    first = max(rule.n for rule in rules if not rule.n_to)
    if any(not rule.is_default for rule in rules if not rule.n_to):
        notes.append(
            f"{operation}: a line is for one number of ranks, and none for more: rules without an "
            f"end are written for {first} ranks at most"
        )
    end = {"n_to": first + 1}
    return [rule if rule.n_to else rule.model_copy(update=end) for rule in rules]


def _rule(row: Row) -> FileRule:
    is_one = row.ranks > 0
    conditions = (
        (f"{row.nodes} nodes", row.nodes),
        (f"{row.pipe_ops} operations at once", row.pipe_ops),
        ("registered buffers" if row.buffers else "buffers that are not registered", row.buffers),
        (f"{row.group} in a local group", row.group),
    )
    when = [words for words, value in conditions if value != ANY]
    placement: Placement = (
        "single-node" if row.nodes == 1
        else "one-per-node" if is_one and row.nodes == row.ranks
        else "any"
    )  # fmt: skip
    return FileRule(
        row.operation, row.ranks if is_one else 1, row.ranks + 1 if is_one else None,
        row.least, None if row.last == ALL_BYTES else row.last + 1, row.name,
        {CHANNELS: row.channels} if row.channels > 0 else {},
        is_per_communicator=UNITS[row.operation] == "total", placement=placement,
        when=(*when, *[f"partition {row.partition}"] * (row.partition != "any")), line=row.line,
    )  # fmt: skip


def _comments(about: Iterable[str]) -> Iterator[str]:
    """Comments that no reader cuts, since what it cuts off would be read as a rule."""
    for line in about:
        width = (LONGEST - 15) if line.isascii() else (LONGEST - 15) // 4
        yield from (f"# {part}" for part in textwrap.wrap(line, width) or [""])
