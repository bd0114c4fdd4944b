"""The CSV of NCCL's example tuner plugin and of RCCL's tuner, read as these read it.

Source: ext-tuner/example/plugin.c of NCCL 2.27.5, plugins/tuner/example/plugin.c of 2.29.7 and of
the first with ncclTunerPlugin_v6, and src/plugin/tuner/csv_tuner.cc of RCCL 2.30 (rocm-systems).
Layout: collective,bytes from,bytes to,algorithm,protocol,channels,nodes,ranks[,numPipeOps
[,regBuff]], where both ends of bytes are within, and -1 is any number of nodes, ranks, ...; RCCL
goes on with partitionMode and localGroup.

How it is read: fgets takes 255 bytes at a time, so that a longer line is several, also of a
comment, which is a line that begins with '#'. strtok leaves out empty fields, and those behind them
move up; blanks and tabs around a field go. Fewer than 8 fields: nothing, and no word. Fields beyond
the last are not looked at. strtoull and atoi read a number as far as it goes, or 0, and wrap. A
collective that is not known is an all-reduce, an algorithm ring, a protocol simple; RCCL leaves
such lines out. Of the rules that hold for a call the first is taken whose algorithm and protocol
NCCL can run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from contend.schedules.libraries.nccl import ALGORITHMS, COLLECTIVES, PROTOCOLS

LONGEST = 255  # bytes that fgets takes at most, the end of the line included
FEWEST = 8
ANY = -1
ALL_BYTES = 2**64 - 1
OPERATIONS = {collective: operation for operation, collective in COLLECTIVES.items()}
NAMES = ("collective", "bytes from", "bytes to", "algorithm", "protocol", "channels", "nodes",
         "ranks", "numPipeOps", "regBuff", "partitionMode", "localGroup")  # fmt: skip
SIZES, COUNTS = (1, 2), (5, 6, 7, 8, 9, 11)  # places of fields that are numbers
PARTITIONS = ("-1", "any", "spx", "cpx")
INTEGER = 2**31
_NUMBER = re.compile(rb"[ \t\n\v\f\r]*([+-]?)(\d*)")
_OF_RCCL = re.compile(r"^#.*\b(?:rccl|gfx9\w*)", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """What the readers differ in.

    `most`: fields that are looked at. `rejects`: lines with names that are not known, or with
    blanks for a field, are left out. `library_choice`: the channels that leave their number to the
    library.
    """

    most: int = 10
    rejects: bool = False
    library_choice: int = 0


NCCL = Dialect()
RCCL = Dialect(12, rejects=True, library_choice=ANY)


@dataclass(frozen=True)
class Row:
    """A line of which a reader makes a rule, and what it makes of each field."""

    line: int
    fields: tuple[str, ...]
    operation: str
    least: int
    last: int
    algorithm: str
    protocol: str
    channels: int
    nodes: int
    ranks: int
    pipe_ops: int = ANY
    buffers: int = ANY
    partition: str = "any"
    group: int = ANY

    @property
    def name(self) -> str:
        return f"{self.algorithm}_{self.protocol}"

    @property
    def where(self) -> tuple[object, ...]:
        """What has to agree in two rows for one to be beside the other by size."""
        return (self.operation, *self.topology)

    @property
    def topology(self) -> tuple[object, ...]:
        """Nodes, ranks and what else a rule asks of a call beside its size."""
        return (self.nodes, self.ranks, self.pipe_ops, self.buffers, self.partition, self.group)


@dataclass(frozen=True)
class Piece:
    """What one fgets returns: a line, or a part of one that is too long."""

    line: int
    text: bytes
    is_rest: bool = False  # of a line that began before
    is_cut: bool = False

    @property
    def is_comment(self) -> bool:
        """Whether readers skip it: a comment, or nothing."""
        return self.text[:1] in (b"#", b"\n", b"")

    @property
    def fields(self) -> list[str]:
        """The fields that strtok makes of it, without blanks around them."""
        text = self.text.partition(b"\0")[0].rstrip(b"\n")
        return [word.strip(b" \t").decode(errors="replace") for word in text.split(b",") if word]


def pieces(text: str) -> Iterator[Piece]:
    """The lines as fgets returns them, which cuts those that do not fit its buffer."""
    for number, line in enumerate(text.encode(errors="surrogatepass").split(b"\n"), start=1):
        rest = line + b"\n"
        for at in range(0, len(rest), LONGEST):
            part = rest[at : at + LONGEST]
            if part != b"\n" or at == 0:
                yield Piece(number, part, is_rest=at > 0, is_cut=at + LONGEST < len(rest))


def row_of(piece: Piece, dialect: Dialect) -> Row | None:
    """The rule that a reader makes of a line; None where it makes none."""
    fields = piece.fields[: dialect.most]
    if _is_skipped(piece, dialect) or len(fields) < FEWEST:
        return None
    if dialect.rejects and _is_rejected(fields):
        return None
    numbers = [integer(field) for field in fields[5:10]]
    channels, nodes, ranks, pipe_ops, buffers = *numbers, *(ANY,) * (5 - len(numbers))
    return Row(
        piece.line, tuple(piece.fields), OPERATIONS.get(fields[0], "allreduce"),
        size(fields[1]), size(fields[2]),
        fields[3] if fields[3] in ALGORITHMS else "ring",
        fields[4] if fields[4] in PROTOCOLS else "simple",
        channels, nodes, ranks, pipe_ops, buffers,
        fields[10].lower().replace("-1", "any") if len(fields) > 10 else "any",
        integer(fields[11]) if len(fields) > 11 else ANY,
    )  # fmt: skip


def rows(text: str, dialect: Dialect = NCCL) -> tuple[Row, ...]:
    """The rules of a text, in the order in which they are looked at."""
    made = (row_of(piece, dialect) for piece in pieces(text))
    return tuple(row for row in made if row)


def size(field: str) -> int:
    """What strtoull makes of a field: a minus wraps, and the largest is the end.

    >>> size("4096"), size("4K"), size("-1") == ALL_BYTES, size("many")
    (4096, 4, True, 0)
    """
    sign, value = _number(field)
    return ALL_BYTES if value > ALL_BYTES else -value % 2**64 if sign == b"-" else value


def integer(field: str) -> int:
    """What atoi of glibc makes of a field: a long that ends at its largest, cut to an int.

    >>> integer("-1"), integer("16 # comment"), integer("4294967296"), integer("auto")
    (-1, 16, 0, 0)
    """
    sign, value = _number(field)
    long = max(-value, -(2**63)) if sign == b"-" else min(value, 2**63 - 1)
    return (long + INTEGER) % (2 * INTEGER) - INTEGER


def _number(field: str) -> tuple[bytes, int]:
    match = _NUMBER.match(field.encode(errors="surrogatepass"))
    sign, digits = match.groups() if match else (b"", b"")
    return sign, int(digits[:400] or 0)  # beyond that it is the largest anyhow


def _is_skipped(piece: Piece, dialect: Dialect) -> bool:
    return piece.is_comment or (dialect.rejects and piece.text.lstrip(b" \t")[:1] in b"#\n")


def _is_rejected(fields: list[str]) -> bool:
    """Whether RCCL leaves out a line of so many fields."""
    is_known = fields[0] in OPERATIONS and fields[3] in ALGORITHMS and fields[4] in PROTOCOLS
    partition = fields[10].lower() if len(fields) > 10 else "any"
    return "" in fields or not is_known or partition not in PARTITIONS


def is_of_rccl(text: str) -> bool:
    """Whether comments name RCCL or a GPU of AMD, or a line has fields that only RCCL reads."""
    return _OF_RCCL.search(text) is not None or any(
        len(piece.fields) > NCCL.most and piece.fields[NCCL.most].lower() in PARTITIONS
        for piece in pieces(text)
        if not piece.is_comment
    )
