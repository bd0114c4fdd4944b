"""What is wrong with a CSV of NCCL's tuner plugin or of RCCL's tuner, by line.

The readers say nothing of a line that they leave out (RCCL does, in a log), and take names that
they do not know for others. NCCL asks a plugin again at every call; what the plugin leaves open in
the number of channels is 1, and no number of NCCL's own.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from contend.exports.finding import Faults, Finding, by_line, meant
from contend.exports.nccl.between import between
from contend.exports.nccl.plugin import MENDING, of_plugin
from contend.exports.nccl.rows import (
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
from contend.libraries import Library, Version
from contend.libraries.nccl import ALGORITHMS, COLLECTIVES, PROTOCOLS

MOST_CHANNELS = {"nccl": 64, "rccl": 128}  # MAXCHANNELS of src/include/device.h
_NEVER = "no call has such a number, and the rule never holds"
_FAULT = Faults({
    "long": ("error", f"has {{bytes}} bytes, and {LONGEST} are read at a time: the rest is read as "
             "a line of its own", "shorten it"),
    "rest": ("error", "what stands behind byte {byte} is read as a rule: {text!r:.60}",
             "shorten the line"),
    "few": ("error", f"{{count}} fields, where {FEWEST} are the fewest: the line is left out "
            "without a word", "write collective,bytes,bytes,algorithm,protocol,channels,nodes,"
            "ranks; -1 for any nodes and ranks"),
    "many": ("warning", "{count} fields, of which {most} are read", "remove what stands behind"),
    "empty": ("error", "an empty field is left out, and those behind it move up: {name} is read as "
              "{value!r:.40}", "write -1 for any"),
    "blank": ("error", "a field of blanks: {made}", "write -1 for any"),
    "comment": ("error", "a comment begins in the first column; this line is read as fields",
                "put # there"),
    "heading": ("warning", "a line of names is no comment: {made}",
                "put # before it"),
    "collective": ("error", "no collective is named {name!r:.40}: {made}", "{remedy}"),
    "collective:none": ("error", "NCCL asks no tuner about {name}, which is sends and receives: "
                        "{made}", "remove the line"),
    "algorithm": ("error", "no algorithm is named {name!r:.40}: {made}", "{remedy}"),
    "protocol": ("error", "no protocol is named {name!r:.40}: {made}", "{remedy}"),
    "partition": ("error", "no partition mode is named {name!r:.40}: the line is left out",
                  "write any, spx or cpx"),
    "number": ("error", "{name} {text!r:.40} is read as {value}", "write decimal digits alone"),
    "range": ("error", "bytes from {least} to {last} hold nothing: the rule never holds",
              "write the smaller number first"),
    "nodes": ("error", f"nodes {{value}}: {_NEVER}", "write the number of hosts, or -1 for any"),
    "ranks": ("error", f"ranks {{value}}: {_NEVER}", "write the number of ranks, or -1 for any"),
    "ranks:one": ("error", "a communicator of one rank copies, and asks no rule",
                  "remove the line"),
    "placement": ("error", "{ranks} ranks cannot be on {nodes} nodes: the rule never holds",
                  "write no more nodes than ranks"),
    "placement:nvls": ("error", "NCCL has no NVLS tree on a single node: the rule is passed over",
                       "take nvls, simple"),
    "placement:pat": ("warning", "NCCL runs PAT with one rank of a node alone, unless "
                      "NCCL_PAT_ENABLE says otherwise: the rule is passed over",
                      "take it where nodes and ranks are as many"),
    "pipe-ops": ("error", f"numPipeOps {{value}}: {_NEVER}", "write -1 for any, or 1 and more"),
    "buffers": ("error", f"regBuff {{value}}: {_NEVER}", "write -1 for any, 0 or 1"),
    "combination": ("error", "{title} runs no {of} by {name}: the rule is passed over",
                    "take one of {others}"),
    "channels": ("error", "channels {value}: a negative number is handed on as it is",
                 "write 0 for NCCL's own number"),
    "channels:own": ("warning", "channels -1 does not leave the number to NCCL, whatever the "
                     "plugin's README says: the plugin returns 1, and the call runs on one channel",
                     f"write 0, or build the plugin with {MENDING}"),
    "channels:zero": ("warning", "channels {value} is not valid, which RCCL says at each call, and "
                      "leaves the number to itself", "write -1"),
    "channels:most": ("warning", "channels {value}: there are {most} at most, and no more than the "
                      "communicator has", "write the number that was measured"),
})  # fmt: skip
SENT = ("alltoall", "alltoallv", "gather", "scatter", "sendrecv", "send", "recv")
HEADINGS = ("collective", "collective_type", "colltype", "coll")


def lint(text: str, version: Version, dialect: Dialect, library: Library) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    found: list[Finding] = []
    made: list[Row] = []
    for piece in pieces(text):
        form = list(_of_form(piece, dialect))
        found += form
        if row := row_of(piece, dialect):
            made.append(row)
            if not any(one.code == "empty" for one in form):
                found += _of_row(row, dialect, library, version)
    operation = attrgetter("operation")
    for _, together in groupby(sorted(made, key=operation), operation):
        found += between(list(together), library)
    if made and dialect is not RCCL:
        found.append(of_plugin(text, version))
    return by_line(found)


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
    left = "the line is left out"
    if fields[0].lower() in HEADINGS:
        instead = left if dialect.rejects else "it is read as a rule, which never holds"
        yield _FAULT("heading", line, made=instead)
        return
    if "" in fields and dialect.rejects:
        yield _FAULT("blank", line, made=left)
        return
    if fields[0] not in OPERATIONS:
        key = "collective:none" if fields[0].lower() in SENT else "collective"
        given = {"made": left if dialect.rejects else "the rule is one of all-reduce"}
        remedy = meant(fields[0].lower(), OPERATIONS, f"write one of {', '.join(OPERATIONS)}")
        yield _FAULT(key, line, name=fields[0], remedy=remedy, **given)
    for key, name, there, other in (
        ("algorithm", fields[3], tuple(ALGORITHMS), "ring"),
        ("protocol", fields[4], PROTOCOLS, "simple"),
    ):
        if name not in there:
            remedy = meant(name.lower(), there, f"write one of {', '.join(there)}")
            instead = left if dialect.rejects else f"{other} is taken"
            yield _FAULT(key, line, name=name, made=instead, remedy=remedy)
    if dialect.most > 10 < len(fields) and fields[10].lower() not in ("-1", "any", "spx", "cpx"):
        yield _FAULT("partition", line, name=fields[10])


def _of_row(row: Row, dialect: Dialect, library: Library, version: Version) -> Iterator[Finding]:
    """What is wrong with what a line says."""
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
