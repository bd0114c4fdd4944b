"""What rules of a tuner's CSV make of each other: which hide others, and how channels go by size.

A tuner takes the first rule that holds whose algorithm NCCL can run, so that one behind it is used
only where NCCL cannot.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from contend.exports.finding import Faults, Finding
from contend.exports.nccl.rows import ANY, Row
from contend.libraries import Library
from contend.libraries.nccl import ANYWHERE, COLLECTIVES

FOUR_GIB = 2**32 - 1  # that the plugin's own README says to cover all sizes
JUMP = 8  # factor of channels between neighbouring sizes, there and back
MOST_PAIRS = 200_000  # rules that are compared with each other, of a collective
_FAULT = Faults({
    "four-gib": ("warning", f"{FOUR_GIB} is 4 GiB less a byte, and not all sizes: larger calls "
                 "have no rule here", "write 18446744073709551615, the largest"),
    "hidden": ("error", "the rule of line {line} holds for all these calls and is taken before "
               "this: this is never used", "remove one of the two, or put this before that"),
    "hidden:else": ("note", "the rule of line {line} holds for all these calls: this is used only "
                    "where {title} cannot run {name}", "nothing is to be done if that is meant"),
    "overlap": ("warning", "the rule of line {line} holds for {least} to {last} bytes too, and is "
                "taken there", "let one end before the other begins"),
    "many-rules": ("note", "rules of {of} behind this line are not compared with those before: "
                   "there are too many", "split the file by numbers of ranks"),
    "jump": ("warning", "channels go {before}, {value}, {after} from size to size (lines {first} "
             "to {end}), which is more often chance in what was measured than a property of "
             "{title}", "measure these sizes again, in several launches, or take the neighbours' "
             "number"),
})  # fmt: skip


def between(made: Sequence[Row], library: Library) -> Iterator[Finding]:
    """What rules of one operation make of each other."""
    living = [row for row in made if row.least <= row.last]
    by_ranks: dict[int, list[Row]] = {}
    pairs = 0
    for row in living:
        every = (one for each in by_ranks.values() for one in each)
        near = (by_ranks.get(ranks, []) for ranks in (row.ranks, ANY))
        others = every if row.ranks == ANY else chain.from_iterable(near)
        for former in sorted(others, key=lambda one: one.line):
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
