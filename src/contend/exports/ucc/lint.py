"""What is wrong with UCC_TL_UCP_TUNE: what makes UCC ignore all of it, or parts of it.

Source: src/coll_score/ucc_coll_score.c and ucc_coll_score_map.c of UCC 1.3 on; what makes it ignore
the variable was run with 1.9.0, which then says "failed to parse UCC_*_TUNE parameter".
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations

from contend.exports.bands import Unit
from contend.exports.finding import Finding
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.findings import checked, form_findings
from contend.exports.ucc.tune_text import COLLECTIVES, MEMORY, Entry, entries
from contend.libraries import Library, Version

VARIABLE = "UCC_TL_UCP_TUNE"
FAMILY = "UCC_TL_UCP_TU"  # what misspelt names begin with
LONGEST = 128 * 1024 - 64  # bytes of a variable that Linux passes on
# MPI's operation: UCC's collective, and how it counts sizes (ucc_coll_args_msgsize).
NAMES = {"reduce_scatter_block": "reduce_scatter", "reduce_scatter": "reduce_scatterv"}
UNITS: Mapping[str, Unit] = {
    "bcast": "m", "reduce": "m", "allreduce": "m", "alltoall": "total", "allgather": "total",
    "allgatherv": "total", "gather": "total", "scatter": "total",
}  # fmt: skip
ASYMMETRIC = ("alltoallv", "gatherv", "scatterv")  # ranks cannot agree on a size: it is taken as 0
# One-sided and device algorithms, and those of collectives that are not decided on; after ucc_info
# -A of 1.9.0.
OTHERS = {
    "allgather": ("linear", "batched"), "allgatherv": ("ring", "knomial"),
    "allreduce": ("dbt", "ring", "sliding_window"), "alltoall": ("onesided", "linear"),
    "alltoallv": ("onesided",), "barrier": ("knomial",), "fanin": ("knomial",),
    "fanout": ("knomial",), "gather": ("knomial",), "gatherv": ("linear",), "reduce": ("srg",),
    "reduce_scatter": ("ring", "knomial"), "reduce_scatterv": ("ring",), "scatterv": ("linear",),
}  # fmt: skip


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    settings = settings_of(text, lambda name: name.startswith(FAMILY))
    findings = [*form_findings(settings, "#")]
    for one in checked(settings):
        if one.name == VARIABLE:
            findings += _value(one, library, version)
        else:
            findings.append(Finding("warning", "variable", f"{one.name} is not {VARIABLE}",
                                    "check its spelling", one.line))  # fmt: skip
    return sorted(findings, key=lambda finding: finding.line or 0)


def _value(one: Setting, library: Library, version: Version) -> Iterator[Finding]:
    held = list(entries(one.value))
    for entry in held:
        for token in entry.unread:
            yield Finding(
                "error", "field", f"{token!r:.60} in {entry.text!r:.80} is no field: UCC ignores "
                f"all of {VARIABLE}", _remedy(token), one.line,
            )  # fmt: skip
        yield from _entry(entry, one.line, library, version)
    if len(one.value) > LONGEST:
        yield Finding("error", "length", f"the value has {len(one.value)} bytes, and the system "
                      f"passes no more than {LONGEST}", "leave entries out", one.line)  # fmt: skip
    yield from _overlaps(held, one.line)


def _remedy(token: str) -> str:
    near = get_close_matches(token.lower(), (*COLLECTIVES, *MEMORY), 1)
    if token.lower() == "cpu":
        return "write host"
    return f"write {near[0]}" if near else "see the fields that docs/tuning.md names"


def _entry(entry: Entry, line: int, library: Library, version: Version) -> Iterator[Finding]:
    for first, last in entry.sizes:
        if first >= last:
            yield Finding(
                "error", "sizes", f"sizes {first}-{last} of {entry.text!r:.80} hold nothing: UCC "
                f"ignores all of {VARIABLE}", "let the end be above the start", line,
            )  # fmt: skip
    for least, most in entry.processes:
        if least > most:
            yield Finding(
                "error", "processes", f"[{least}-{most}] ends before it begins: UCC ignores all of "
                f"{VARIABLE}", "write the smaller number first", line,
            )  # fmt: skip
    if not entry.score and not entry.algorithm:
        yield Finding("warning", "nothing", f"{entry.text!r:.80} has neither score nor algorithm, "
                      "and changes nothing", "add @algorithm", line)  # fmt: skip
    if entry.algorithm and not entry.collectives:
        yield Finding("error", "collective", f"{entry.text!r:.80} names no collective: its "
                      "algorithm is wanted of all", "begin it with a collective", line)  # fmt: skip
    for collective in entry.collectives:
        yield from _algorithm(entry, collective, line, library, version)
        if collective in ASYMMETRIC and entry.sizes and entry.sizes[0][0] > 0:
            yield Finding(
                "warning", "size", f"sizes of {collective} are taken as 0, so that "
                f"{entry.text!r:.80} never holds", "leave the sizes out", line,
            )  # fmt: skip


def _algorithm(
    entry: Entry, collective: str, line: int, library: Library, version: Version
) -> Iterator[Finding]:
    back = {ucc: mpi for mpi, ucc in NAMES.items()}
    known = [one.name for one in library.algorithms(back.get(collective, collective), version)]
    known += OTHERS.get(collective, ())
    if not known or entry.algorithm in ("", *known) or entry.algorithm.isdecimal():
        return
    near = get_close_matches(entry.algorithm, known, 1)
    yield Finding(
        "error", "algorithm",
        f"no algorithm {entry.algorithm!r} of {collective} is known: UCC ignores all of {VARIABLE}",
        f"write {near[0]}" if near else
        f"choose from {', '.join(known)}; ucc_info -A lists those of the library at hand", line,
    )  # fmt: skip


def _overlaps(held: list[Entry], line: int) -> Iterator[Finding]:
    ranges = [
        (entry, sizes, processes)
        for entry in held
        for sizes in entry.sizes or ((0, 2**64),)
        for processes in entry.processes or ((1, 2**31),)
    ]
    for (one, s, p), (other, t, q) in combinations(ranges[:200], 2):
        both = not one.collectives or not other.collectives
        both = both or bool({*one.collectives} & {*other.collectives})
        both &= not one.memory or not other.memory or bool({*one.memory} & {*other.memory})
        if both and max(s[0], t[0]) < min(s[1], t[1]) and max(p[0], q[0]) <= min(p[1], q[1]):
            yield Finding(
                "error", "overlap", f"{one.text!r:.60} and {other.text!r:.60} hold for the same "
                f"calls: UCC ignores all of {VARIABLE} on such processes",
                "let the sizes of one end before the other's begin", line,
            )  # fmt: skip
