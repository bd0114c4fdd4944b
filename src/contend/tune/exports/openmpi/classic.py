"""The classic rules file of coll/tuned, as text: blocks to lines of numbers, and back to rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from contend.base.errors import FileFormatError
from contend.schedules.libraries import LIBRARIES, Version
from contend.schedules.libraries.span import default_words
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Band, Piece
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.openmpi.classic_file import Parsed, entry_of, parse
from contend.tune.exports.openmpi.collectives import (
    BY_ELEMENT,
    IDS,
    JSON,
    PER_COMMUNICATOR,
    WITHOUT_SIZE,
    Group,
    counted_in,
    file_rule,
)
from contend.tune.exports.openmpi.tokens import Block, Counted

VERSION_2 = "rule-file-version-2"
COLUMNS = "bytes algorithm fanout segment"


def classic_text(
    about: Iterable[str], collectives: Mapping[str, Sequence[str]], has_requests: bool
) -> str:
    """The file: what it is as comments, then the lines of each collective by its id."""
    head = [VERSION_2] if has_requests else []
    head += [f"# {line}".rstrip() for line in about]
    body = [f"{len(collectives)}  # collectives"]
    for operation in sorted(collectives, key=IDS.index):
        body += collectives[operation]
    return "\n".join([*head, *body]) + "\n"


def collective_lines(
    operation: str, blocks: Sequence[Piece], version: Version, has_requests: bool
) -> Iterator[str]:
    """The lines of the blocks of a collective: a piece holds up to the next, a band likewise."""
    yield f"{IDS.index(operation)}  # {operation}"
    yield f"{len(blocks)}  # communicator sizes"
    columns = f"{COLUMNS} requests" if has_requests else COLUMNS
    library = LIBRARIES.get("openmpi")
    for block in blocks:
        yield f"{block.first}  # processes and more"
        yield f"{len(block.bands)}  # lines of {columns}; {counted_in(operation)}"
        for band in block.bands:
            numbers = _numbers(operation, band, version)
            shown = " ".join(map(str, numbers if has_requests else numbers[:4]))
            n, size = block.first, band.least
            shift = max(n, 1) if operation in PER_COMMUNICATOR else 1
            end = None if band.last is None else -(-(band.last + 1) // shift)
            by_itself = default_words(library, operation, n, -(-size // shift), end, version)
            yield f"{shown}  # {_expected(band.rule, by_itself)}"


def _numbers(operation: str, band: Band, version: Version) -> tuple[int, int, int, int, int]:
    if (rule := band.departure) is None:
        return band.least, 0, 0, 0, 0
    algorithm = LIBRARIES.get("openmpi").algorithm(operation, rule.algorithm, version)
    given = {**algorithm.defaults, **rule.options}
    fanout, segment, requests = (given.get(name, 0) for name in ("fanout", "segment", "requests"))
    return band.least, algorithm.number or 0, fanout, segment, requests


def _expected(rule: Rule | None, by_itself: str) -> str:
    """What a line is for, what is expected of it, and what the library runs by itself there."""
    if rule is None or rule.is_default:
        named = f", {by_itself}" if by_itself else ""
        return f"the library's default{named}{'' if rule else ': nothing was decided'}"
    instead = f"; by itself {by_itself}" if by_itself else ""
    if rule.gain is None:
        return f"{rule.algorithm}{instead}"
    sure = (
        f" ({rule.gain_low:.3g} to {rule.gain_high:.3g})"
        if rule.gain_low is not None and rule.gain_high is not None
        else ""
    )
    further = ", beyond what was measured" if rule.extrapolates else ""
    gain = f"{rule.gain:.3g} times as fast{sure}, points: {rule.points}{further}"
    return f"{rule.algorithm}: {gain}{instead}"


def kept_lines(parsed: Parsed, has_requests: bool) -> dict[str, list[str]]:
    """Lines of a file that was read."""
    return {
        collective.operation: list(_kept(collective, has_requests))
        for collective in parsed.collectives
    }


def _kept(collective: Counted[Block], has_requests: bool) -> Iterator[str]:
    yield f"{collective.key.value}  # {collective.operation}, kept as it was"
    yield f"{collective.count.value}  # communicator sizes"
    for block in collective.parts:
        yield f"{block.key.value}  # processes and more"
        yield f"{block.count.value}  # lines; {counted_in(collective.operation)}"
        for rule in block.parts:
            values = [str(number.value) for number in (rule.size, *rule.rest)]
            yield " ".join(values if has_requests else values[:4])


def read_classic(text: str, version: Version) -> tuple[FileRule, ...]:
    """The rules of a text, an error for one that the library ignores."""
    parsed = parse(text, version)
    if parsed.stopped:
        raise FileFormatError(str(parsed.stopped), "'contend tune lint' says more")
    return tuple(rules_of(parsed, version))


def rules_of(parsed: Parsed, version: Version) -> Iterator[FileRule]:
    """The rules as the library applies them, each with the ranges that it holds for."""
    for name, collective in {each.operation: each for each in parsed.collectives}.items():
        is_for_all_sizes = name in WITHOUT_SIZE | BY_ELEMENT
        counts = [block.key.value for block in collective.parts]
        for index, n, n_to in _spans(counts, version):
            messages = collective.parts[index].parts
            group = Group(name, max(n, 1), n_to, (), None)
            spans = _spans([message.size.value for message in messages], (0,))
            for which, size, size_to in islice(spans, 1 if is_for_all_sizes else None):
                end = None if is_for_all_sizes else size_to
                yield file_rule(group, entry_of(messages[which], size, end), version)


def _spans(keys: Sequence[int], version: Version) -> Iterator[tuple[int, int, int | None]]:
    """Index, begin and end of the ranges in which each key is the one that the library takes.

    Up to 5.0 it is the last before the first key that is too large, and the first at least; 6.0
    takes key i for the end of range i.
    """
    if version >= JSON:
        ends: list[int | None] = [*keys[:-1], None] if keys else []
        begin = 0
        for index, end in enumerate(ends):
            if end is None or end > begin:
                yield index, begin, end
                begin = begin if end is None else end
        return
    begin = 0
    for index, key in enumerate(keys):
        begin = max(begin, key) if index else 0
        following = keys[index + 1] if index + 1 < len(keys) else None
        end = None if following is None else max(following, *keys[: index + 1])
        if end is None or end > begin:
            yield index, begin, end
