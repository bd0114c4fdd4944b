"""What is wrong with UCC_TL_UCP_TUNE: what makes UCC ignore all of it, or parts of it.

Source: src/coll_score/ucc_coll_score.c and ucc_coll_score_map.c of UCC 1.3 on; what makes it ignore
the variable was run with 1.9.0, which then says "failed to parse UCC_*_TUNE parameter".
"""

from collections.abc import Iterator, Mapping
from itertools import combinations

from contend.exports.bands import Unit
from contend.exports.finding import Faults, Finding, by_line, meant
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.findings import checked, form_findings
from contend.exports.ucc.tune_text import COLLECTIVES, MEMORY, Entry, entries
from contend.libraries import Library, Version

VARIABLE = "UCC_TL_UCP_TUNE"
FAMILY = "UCC_TL_UCP_TU"  # what misspelt names begin with
LONGEST = 128 * 1024 - 64  # bytes of a variable that Linux passes on
# MPI's operation: UCC's collective, and how it counts sizes (ucc_coll_args_msgsize).
NAMES = {"reduce_scatter_block": "reduce_scatter", "reduce_scatter": "reduce_scatterv"}
BACK = {ucc: mpi for mpi, ucc in NAMES.items()}
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


_FAULT = Faults({
    "variable": ("warning", f"{{name}} is not {VARIABLE}", "check its spelling"),
    "field": ("error", f"{{token!r:.60}} in {{text!r:.80}} is no field: UCC ignores all of "
              f"{VARIABLE}", "{remedy}"),
    "length": ("error", f"the value has {{bytes}} bytes, and the system passes no more than "
               f"{LONGEST}", "leave entries out"),
    "sizes": ("error", f"sizes {{first}}-{{last}} of {{text!r:.80}} hold nothing: UCC ignores all "
              f"of {VARIABLE}", "let the end be above the start"),
    "processes": ("error", f"[{{first}}-{{last}}] ends before it begins: UCC ignores all of "
                  f"{VARIABLE}", "write the smaller number first"),
    "nothing": ("warning", "{text!r:.80} has neither score nor algorithm, and changes nothing",
                "add @algorithm"),
    "collective": ("error", "{text!r:.80} names no collective: its algorithm is wanted of all",
                   "begin it with a collective"),
    "size": ("warning", "sizes of {of} are taken as 0, so that {text!r:.80} never holds",
             "leave the sizes out"),
    "algorithm": ("error", f"no algorithm {{name!r}} of {{of}} is known: UCC ignores all of "
                  f"{VARIABLE}", "{remedy}"),
    "overlap": ("error", f"{{one!r:.60}} and {{other!r:.60}} hold for the same calls: UCC ignores "
                f"all of {VARIABLE} on such processes",
                "let the sizes of one end before the other's begin"),
})  # fmt: skip


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    settings = settings_of(text, lambda name: name.startswith(FAMILY))
    findings = [*form_findings(settings, "#")]
    for one in checked(settings):
        if one.name == VARIABLE:
            findings += _value(one, library, version)
        else:
            findings.append(_FAULT("variable", one.line, name=one.name))
    return by_line(findings)


def _value(one: Setting, library: Library, version: Version) -> Iterator[Finding]:
    held = list(entries(one.value))
    for entry in held:
        for token in entry.unread:
            given = {"token": token, "text": entry.text, "remedy": _remedy(token.lower())}
            yield _FAULT("field", one.line, **given)
        yield from _entry(entry, one.line, library, version)
    if len(one.value) > LONGEST:
        yield _FAULT("length", one.line, bytes=len(one.value))
    yield from _overlaps(held, one.line)


def _remedy(token: str) -> str:
    otherwise = "see the fields that docs/tuning.md names"
    return "write host" if token == "cpu" else meant(token, (*COLLECTIVES, *MEMORY), otherwise)


def _entry(entry: Entry, line: int, library: Library, version: Version) -> Iterator[Finding]:
    for first, last in entry.sizes:
        if first >= last:
            yield _FAULT("sizes", line, first=first, last=last, text=entry.text)
    for first, last in entry.processes:
        if first > last:
            yield _FAULT("processes", line, first=first, last=last)
    if not entry.score and not entry.algorithm:
        yield _FAULT("nothing", line, text=entry.text)
    if entry.algorithm and not entry.collectives:
        yield _FAULT("collective", line, text=entry.text)
    for collective in entry.collectives:
        yield from _algorithm(entry, collective, line, library, version)
        if collective in ASYMMETRIC and entry.sizes and entry.sizes[0][0] > 0:
            yield _FAULT("size", line, of=collective, text=entry.text)


def _algorithm(
    entry: Entry, collective: str, line: int, library: Library, version: Version
) -> Iterator[Finding]:
    names = [one.name for one in library.algorithms(BACK.get(collective, collective), version)]
    names += OTHERS.get(collective, ())
    if names and entry.algorithm not in ("", *names) and not entry.algorithm.isdecimal():
        listed = f"choose from {', '.join(names)}; ucc_info -A lists those of the library at hand"
        remedy = meant(entry.algorithm, names, listed)
        yield _FAULT("algorithm", line, name=entry.algorithm, of=collective, remedy=remedy)


def _overlaps(held: list[Entry], line: int) -> Iterator[Finding]:
    ranges = [
        (entry, sizes, processes)
        for entry in held
        for sizes in entry.sizes or ((0, 2**64),)
        for processes in entry.processes or ((1, 2**31),)
    ]
    for (one, s, p), (other, t, q) in combinations(ranges[:200], 2):
        both = _meet(one.collectives, other.collectives) and _meet(one.memory, other.memory)
        if both and max(s[0], t[0]) < min(s[1], t[1]) and max(p[0], q[0]) <= min(p[1], q[1]):
            yield _FAULT("overlap", line, one=one.text, other=other.text)


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two lists of words name one alike; an empty one names all."""
    return not one or not other or bool({*one} & {*other})
