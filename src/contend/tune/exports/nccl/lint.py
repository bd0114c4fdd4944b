"""What is wrong with a CSV of NCCL's tuner plugin or of RCCL's tuner, by line.

The readers say nothing of a line that they leave out (RCCL does, in a log), and take names that
they do not know for others. NCCL asks a plugin again at every call; what the plugin leaves open in
the number of channels is 1, and no number of NCCL's own.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter

from contend.schedules.libraries import Library, Version, version_text
from contend.schedules.libraries.nccl import ALGORITHMS, ANYWHERE, COLLECTIVES, PROTOCOLS
from contend.tune.exports.finding import Faults, Finding, by_line, meant
from contend.tune.exports.nccl.rows import (
    ANY,
    COUNTS,
    FEWEST,
    LONGEST,
    NAMES,
    OPERATIONS,
    RCCL,
    SIZES,
    Dialect,
    Piece,
    Row,
    integer,
    pieces,
    row_of,
    size,
)

MOST_CHANNELS = {"nccl": 64, "rccl": 128}  # MAXCHANNELS of src/include/device.h
_FAULT = Faults(__file__, never="no call has such a number, and the rule never holds")
SENT = ("alltoall", "alltoallv", "gather", "scatter", "sendrecv", "send", "recv")
HEADINGS = ("collective", "collective_type", "colltype", "coll")


def lint(text: str, version: Version, dialect: Dialect, library: Library) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    findings: list[Finding] = []
    made: list[Row] = []
    for piece in pieces(text):
        form = list(_of_form(piece, dialect))
        findings += form
        if row := row_of(piece, dialect):
            made.append(row)
            if not any(finding.code == "empty" for finding in form):
                findings += _of_row(row, dialect, library, version)
    operation = attrgetter("operation")
    for _, together in groupby(sorted(made, key=operation), operation):
        findings += between(list(together), library)
    if made and dialect is not RCCL:
        findings.append(of_plugin(text, version))
    return by_line(findings)


def _of_form(piece: Piece, dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with the form of a line, and with names and fields that RCCL refuses."""
    raw = piece.text.partition(b"\0")[0].rstrip(b"\r\n")
    fields = piece.fields
    if piece.is_cut and not piece.is_rest:
        yield _FAULT("long", piece.line, bytes=f"more than {LONGEST - 1}")
    if piece.is_comment or not raw.strip():
        return
    if piece.is_rest:
        shown = raw.decode(errors="replace")
        yield _FAULT("rest", piece.line, byte=LONGEST, text=shown)
    if raw.lstrip(b" \t")[:1] == b"#":
        if not dialect.rejects:
            yield _FAULT("comment", piece.line)
        return
    due = raw.split(b",")
    for place, field in enumerate(due[: dialect.most]):
        if not field and any(due[place:]):
            name = NAMES[min(place, len(NAMES) - 1)]
            value = fields[place] if place < len(fields) else ""
            yield _FAULT("empty", piece.line, name=name, value=value)
            return
    if len(fields) < FEWEST:
        yield _FAULT("few", piece.line, count=len(fields))
        return
    if len(fields) > dialect.most:
        yield _FAULT("many", piece.line, count=len(fields), most=dialect.most)
    yield from _of_names(piece.line, fields[: dialect.most], dialect)


def _of_names(line: int, fields: Sequence[str], dialect: Dialect) -> Iterator[Finding]:
    """Names that are not known, and what is made of them."""
    ignored = "the line is left out"
    if fields[0].lower() in HEADINGS:
        instead = ignored if dialect.rejects else "it is read as a rule, which never holds"
        yield _FAULT("heading", line, made=instead)
        return
    if "" in fields and dialect.rejects:
        yield _FAULT("blank", line, made=ignored)
        return
    if fields[0] not in OPERATIONS:
        key = "collective:none" if fields[0].lower() in SENT else "collective"
        given = {"made": ignored if dialect.rejects else "the rule is one of all-reduce"}
        remedy = meant(fields[0].lower(), OPERATIONS, f"write one of {', '.join(OPERATIONS)}")
        yield _FAULT(key, line, name=fields[0], remedy=remedy, **given)
    for key, name, offered, other in (
        ("algorithm", fields[3], tuple(ALGORITHMS), "ring"),
        ("protocol", fields[4], PROTOCOLS, "simple"),
    ):
        if name not in offered:
            remedy = meant(name.lower(), offered, f"write one of {', '.join(offered)}")
            instead = ignored if dialect.rejects else f"{other} is taken"
            yield _FAULT(key, line, name=name, made=instead, remedy=remedy)
    if dialect.most > 10 < len(fields) and fields[10].lower() not in ("-1", "any", "spx", "cpx"):
        yield _FAULT("partition", line, name=fields[10])


def _of_row(row: Row, dialect: Dialect, library: Library, version: Version) -> Iterator[Finding]:
    line = row.line
    if row.fields[0].lower() in HEADINGS:
        return
    for places, read in ((SIZES, size), (COUNTS, integer)):
        for place in places:
            text = row.fields[place] if place < min(len(row.fields), dialect.most) else "0"
            text = text.rstrip("\r")
            is_plain = text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal()
            if not is_plain or (text != str(read(text)) and (place, text) != (2, "-1")):
                yield _FAULT("number", line, name=NAMES[place], text=text, value=read(text))
    yield from _of_ranges(row)
    offered = [each.name for each in library.algorithms(row.operation, version)]
    if row.name not in offered:
        given = {"title": library.title, "of": COLLECTIVES[row.operation], "name": row.name}
        yield _FAULT("combination", line, others=", ".join(offered), **given)
    yield from _of_channels(row, dialect, library)


def _of_ranges(row: Row) -> Iterator[Finding]:
    """Sizes, nodes, ranks and what else no call can have."""
    line = row.line
    if row.least > row.last:
        yield _FAULT("range", line, least=row.least, last=row.last)
    if row.nodes < 1 and row.nodes != ANY:
        yield _FAULT("nodes", line, value=row.nodes)
    if row.ranks < 1 and row.ranks != ANY:
        yield _FAULT("ranks", line, value=row.ranks)
    elif row.ranks == 1:
        yield _FAULT("ranks:one", line)
    elif row.nodes > row.ranks > 0:
        yield _FAULT("placement", line, ranks=row.ranks, nodes=row.nodes)
    elif row.algorithm == "nvls_tree" and row.nodes == 1:
        yield _FAULT("placement:nvls", line)
    elif row.algorithm == "pat" and row.nodes > 0 and row.ranks not in (ANY, row.nodes):
        yield _FAULT("placement:pat", line)
    if row.pipe_ops < 1 and row.pipe_ops != ANY:
        yield _FAULT("pipe-ops", line, value=row.pipe_ops)
    if row.buffers not in (ANY, 0, 1):
        yield _FAULT("buffers", line, value=row.buffers)


def _of_channels(row: Row, dialect: Dialect, library: Library) -> Iterator[Finding]:
    most = MOST_CHANNELS[library.name]
    if row.channels > most:
        yield _FAULT("channels:most", row.line, value=row.channels, most=most)
    elif dialect is RCCL and row.channels < 1 and row.channels != ANY:
        yield _FAULT("channels:zero", row.line, value=row.channels)
    elif dialect is not RCCL and row.channels == ANY:
        yield _FAULT("channels:own", row.line)
    elif dialect is not RCCL and row.channels < ANY:
        yield _FAULT("channels", row.line, value=row.channels)


FOUR_GIB = 2**32 - 1  # that the plugin's own README says to cover all sizes
JUMP = 8  # factor of channels between neighbouring sizes, there and back
MOST_PAIRS = 200_000  # rules that are compared with each other, of a collective


def between(made: Sequence[Row], library: Library) -> Iterator[Finding]:
    """What rules of one operation make of each other."""
    living = [row for row in made if row.least <= row.last]
    by_ranks: dict[int, list[Row]] = {}
    pairs = 0
    for row in living:
        every = (earlier for each in by_ranks.values() for earlier in each)
        near = (by_ranks.get(ranks, []) for ranks in (row.ranks, ANY))
        others = every if row.ranks == ANY else chain.from_iterable(near)
        for former in sorted(others, key=lambda entry: entry.line):
            pairs += 1
            finding = _of_pair(former, row, library)
            if finding:
                yield finding
            if finding and finding.code == "hidden":
                break
        by_ranks.setdefault(row.ranks, []).append(row)
        if pairs > MOST_PAIRS:
            yield _FAULT("many-rules", row.line, of=COLLECTIVES[row.operation])
            break
    ends = {row.least for row in living}
    for row in living:
        if row.last == FOUR_GIB and FOUR_GIB + 1 not in ends:
            yield _FAULT("four-gib", row.line)
    yield from _jumps(living, library)


def _of_pair(former: Row, row: Row, library: Library) -> Finding | None:
    """What a rule makes of one that stands behind it."""
    least, last = max(former.least, row.least), min(former.last, row.last)
    if least > last or not _meets(former.topology, row.topology):
        return None
    is_all = (least, last) == (row.least, row.last) and _holds(former.topology, row.topology)
    if not is_all and former.where != row.where:
        return None  # one is for more nodes or ranks, and stands in for the other there
    is_sure = former.algorithm in ANYWHERE and former.protocol != "ll128"
    key = "overlap" if not is_all else "hidden" if is_sure else "hidden:else"
    given = {"title": library.title, "name": former.name, "least": least, "last": last}
    return _FAULT(key, row.line, line=former.line, **given)


def _jumps(living: Sequence[Row], library: Library) -> Iterator[Finding]:
    """Numbers of channels that go far from one size to the next, and back."""
    for _, together in groupby(sorted(living, key=_by_size), lambda row: row.where):
        beside = list(together)
        for before, row, after in zip(beside, beside[1:], beside[2:], strict=False):
            counts = before.channels, row.channels, after.channels
            low, high = min(counts[0], counts[2]), max(counts[0], counts[2])
            is_jump = row.channels * JUMP <= low or row.channels >= JUMP * high
            is_beside = before.last + 1 == row.least and row.last + 1 == after.least
            if min(counts) > 0 and is_jump and is_beside:
                yield _FAULT(
                    "jump", row.line, before=counts[0], value=row.channels, after=counts[2],
                    first=before.line, end=after.line, title=library.title,
                )  # fmt: skip


def _by_size(row: Row) -> tuple[str, int]:
    return repr(row.where), row.least


def _meets(topology: Sequence[object], other: Sequence[object]) -> bool:
    """Whether there is a call that both hold for, sizes aside."""
    return all(a == b or {a, b} & {ANY, "any"} for a, b in zip(topology, other, strict=True))


def _holds(topology: Sequence[object], other: Sequence[object]) -> bool:
    """Whether the first holds for all calls that the second does, sizes aside."""
    return all(a == b or a in (ANY, "any") for a, b in zip(topology, other, strict=True))


FIRST_WITH_TABLE = (2, 30)
MENDING = "*nChannels = 0"
_TABLE = r"; s/collCostTable\[config->/((float (*)[NCCL_NUM_PROTOCOLS])collCostTable)[config->/g"
_MENDED = re.compile(r"^#.*\*nChannels = 0", re.MULTILINE)


def command(version: Version) -> str:
    """Return what mends the plugin's source, for a shell."""
    table = _TABLE if version < FIRST_WITH_TABLE else ""
    return rf"sed -i 's/\*nChannels = 1;/*nChannels = 0;/{table}' plugin.c"


def of_plugin(text: str, version: Version) -> Finding:
    """Return the finding that each file with rules has: a note, where it says what to mend."""
    crash = f"crashes at the first call that a rule is for ({version_text(version)}), and "
    finding = _FAULT(
        "plugin", None, crash=crash if version < FIRST_WITH_TABLE else "", command=command(version)
    )
    if _MENDED.search(text):
        return Finding("note", finding.code, finding.message, finding.remedy)
    return finding
