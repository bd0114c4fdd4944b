"""Rules of coll/han as text: which component serves a call, where coll/han would take it.

Idea: samples time coll/tuned's algorithms with coll/han taken out, and the default as it is. So
where a file of coll/tuned names an algorithm the component "tuned" is to serve the call, and
everywhere else "han", as by default. Sizes are those of a block or of the message: where coll/tuned
counts the bytes of all ranks, a size is its own if it is so on every number of ranks of the rule.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from contend.schedules.libraries import Version
from contend.schedules.libraries.openmpi import PREFIX
from contend.tune.choose.rules import DEFAULT, Rule
from contend.tune.exports.bands import by_operation
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.openmpi.collectives import IDS, PER_COMMUNICATOR, han_takes
from contend.tune.exports.openmpi.han_file import HAN, NAMES, WHOLE, Level
from contend.tune.exports.openmpi.request import blocks_of
from contend.tune.exports.openmpi.tokens import Counted, SizeRule

TUNED = "tuned"
BEHIND = ".han"  # behind the name of the file of coll/tuned that it belongs to
VARIABLES = {f"{PREFIX}coll_han_use_dynamic_file_rules": "1"}
FILE = f"{PREFIX}coll_han_dynamic_rules_filename"
Bands = tuple[tuple[int, int | None], ...]  # sizes: the first, and the first behind
Serving = dict[str, dict[int, Bands]]  # by operation and least number of processes


def loading(path: str) -> dict[str, str]:
    """Environment variables that make coll/han take the file at a path."""
    return {**VARIABLES, FILE: path}


def tuned_rules(rules: Iterable[Rule]) -> Iterator[FileRule]:
    """What a file of coll/tuned makes of decisions."""
    for operation, of_operation in by_operation(rules).items():
        for block in blocks_of(operation, of_operation)[0]:
            for band in block.bands:
                yield FileRule(
                    operation, block.first, None if block.last is None else block.last + 1,
                    band.least, None if band.last is None else band.last + 1,
                    band.departure.algorithm if band.departure else DEFAULT,
                    is_per_communicator=operation in PER_COMMUNICATOR,
                )  # fmt: skip


def serving(rules: Iterable[FileRule], version: Version) -> Serving:
    """The sizes that coll/tuned is to serve, of operations that coll/han would take.

    `rules` are those of a file of coll/tuned.
    """
    grouped: dict[str, dict[int, list[FileRule]]] = {}
    for rule in rules:
        if han_takes(rule.operation, max(version, NAMES)):
            grouped.setdefault(rule.operation, {}).setdefault(rule.n, []).append(rule)
    return {
        operation: blocks
        for operation, by_n in grouped.items()
        if any((blocks := _changing({n: _served(block) for n, block in by_n.items()})).values())
    }


def _served(block: Sequence[FileRule]) -> Bands:
    """The sizes of a block that depart, on each of its numbers of processes."""
    spans: list[tuple[int, int | None]] = []
    for rule in (rule for rule in block if not rule.is_default):
        is_next = bool(spans) and spans[-1][1] == rule.size
        first = spans.pop()[0] if is_next else rule.size
        spans.append((first, rule.size_to))
    if block[0].is_per_communicator:
        n, last = block[0].n, None if block[0].n_to is None else block[0].n_to - 1
        spans = [(-(-first // n), _of_each(end, last)) for first, end in spans]
    return tuple((first, end) for first, end in spans if end is None or first < end)


def _of_each(end: int | None, processes: int | None) -> int | None:
    """The first size behind those whose total on so many processes and fewer is below `end`."""
    if end is None:
        return None
    return 0 if processes is None else (end - 1) // processes + 1


def _changing(blocks: Mapping[int, Bands]) -> dict[int, Bands]:
    """The blocks that differ from the one before them, the first for one process and more."""
    kept: dict[int, Bands] = {}
    last: Bands = ()
    for n, bands in sorted(({1: ()} | dict(blocks)).items()):
        if not kept or bands != last:
            kept[n] = last = bands
    return kept


def collective_lines(operation: str, blocks: Mapping[int, Bands]) -> list[str]:
    lines = [f"{operation}  # collective", "1  # level", f"{WHOLE}  # whole communicators"]
    lines.append(f"{len(blocks)}  # communicator sizes")
    for n, bands in blocks.items():
        starts = {0: HAN}
        for first, end in bands:
            starts |= {first: TUNED} | ({} if end is None else {end: HAN})
        lines += [f"{n}  # processes and more", f"{len(starts)}  # lines of bytes and component"]
        lines += [f"{size} {component}" for size, component in sorted(starts.items())]
    return lines


def kept_lines(collective: Counted[Level]) -> list[str]:
    lines = [f"{collective.operation}  # kept as it was", f"{len(collective.parts)}  # levels"]
    for level in collective.parts:
        lines += [f"{level.key.value}  # level", f"{len(level.parts)}  # communicator sizes"]
        for block in level.parts:
            lines += [f"{block.key.value}  # processes and more", f"{len(block.parts)}  # lines"]
            lines += [f"{rule.size.value} {_served_by(rule)}" for rule in block.parts]
    return lines


def _served_by(rule: SizeRule) -> str:
    component = rule.rest[0].text
    return f"{component} @{rule.algorithm}" if rule.algorithm else component


def han_text(about: Sequence[str], collectives: Mapping[str, Sequence[str]]) -> str:
    """The file: what it is as comments, then the lines of each collective."""
    if not collectives:
        collectives = {"barrier": ["barrier  # collective", "0  # levels: left to the library"]}
    body = [f"{len(collectives)}  # collectives"]
    for operation in sorted(collectives, key=IDS.index):
        body += collectives[operation]
    return "\n".join([*(f"# {line}".rstrip() for line in about), *body]) + "\n"


def rules_at(operation: str, level: Level) -> Iterator[FileRule]:
    """The rules as the library applies them: the last key that is not above a call's."""
    for index, n, n_to in ranges([block.key.value for block in level.parts]):
        sizes = level.parts[index].parts
        for which, size, size_to in ranges([rule.size.value for rule in sizes]):
            served = _served_by(sizes[which])
            yield FileRule(
                operation, n, n_to, size, size_to, DEFAULT if served == HAN else served,
                line=sizes[which].size.line,
            )  # fmt: skip


def ranges(keys: Sequence[int]) -> Iterator[tuple[int, int, int | None]]:
    """Index, begin and end of the ranges in which each key is the last that is not above.

    >>> list(ranges([0, 8, 4]))
    [(0, 0, 4), (2, 4, None)]
    """
    end: int | None = None
    spans = []
    for index in reversed(range(len(keys))):
        begin = keys[index]
        if end is None or begin < end:
            spans.append((index, begin, end))
            end = begin
    return reversed(spans)
