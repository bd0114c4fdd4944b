"""JSON rules of coll/tuned of Open MPI 6.0: blocks of decisions to objects, and back to rules.

Source: the reader in ompi/mca/coll/tuned/coll_tuned_dynamic_file.c, whose names the published
schema and the converter do not all have. The first communicator rule that fits is taken, and of it
the first message rule; where none fits the library is left to itself. Ranges hold both their ends;
one without an end is left out, which the reader takes for none.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from contend.schedules.libraries import LIBRARIES, Version
from contend.tune.choose.rules import DEFAULT, Rule, without_shadowed
from contend.tune.exports.bands import Band, Piece
from contend.tune.exports.filerule import FileRule, Placement
from contend.tune.exports.json_lines import Value
from contend.tune.exports.openmpi.collectives import BRUCK_RADIX, Entry, Group, file_rule
from contend.tune.exports.openmpi.request import blocks_of

IGNORE = "ignore"  # the algorithm 0, with which the library is left to itself
OPTIONS = {"faninout": "fanout", "seg_size": "segment", "reqs": "requests"}
DISTRIBUTIONS: tuple[Placement, ...] = ("one-per-node", "single-node", "any")  # the narrower first
VERSION = 3


def placement_of(rule: Rule) -> Placement:
    """The placement that the library can tell, of the one that a rule was measured on."""
    if rule.processes_per_node == 1:
        return "one-per-node"
    last = None if rule.n_to is None else rule.n_to - 1
    if rule.processes_per_node and last is not None and last <= rule.processes_per_node:
        return "single-node"
    return "any"


def communicator_rules(
    operation: str, rules: Sequence[Rule], version: Version
) -> tuple[list[str], list[str]]:
    """The rules of an operation, an object a line, and what was left out of them."""
    objects: list[str] = []
    notes: list[str] = []
    for placement in DISTRIBUTIONS:
        if placed := [rule for rule in rules if placement_of(rule) == placement]:
            blocks, omitted = blocks_of(operation, without_shadowed(placed))
            notes += omitted
            for block in blocks:
                if any(band.rule for band in block.bands):
                    objects.append(_block(operation, block, placement, version))
    return objects, notes


def _block(operation: str, block: Piece, placement: Placement, version: Version) -> str:
    bands = [band for band in block.bands if band.rule]
    entries = [json.dumps(_entry(operation, band, version)) for band in bands]
    last = {} if block.last is None else {"comm_size_max": block.last}
    head = {"comm_size_min": block.first, **last, "comm_rank_distribution": placement}
    return f'{json.dumps(head)[:-1]}, "rules": [\n    ' + ",\n    ".join(entries) + "\n   ]}"


def _entry(operation: str, band: Band, version: Version) -> dict[str, object]:
    entry: dict[str, object] = {"msg_size_min": band.least}
    if band.last is not None:
        entry["msg_size_max"] = band.last
    if (rule := band.departure) is None:
        return entry | {"alg": IGNORE}
    algorithm = LIBRARIES.get("openmpi").algorithm(operation, rule.algorithm, version)
    given = {**algorithm.defaults, **rule.options}
    entry["alg"] = algorithm.name
    entry |= {name: given[option] for name, option in OPTIONS.items() if option in given}
    if (operation, algorithm.name) == ("allgather", "bruck"):
        entry["faninout"] = BRUCK_RADIX
    return entry


def json_text(collectives: Mapping[str, Sequence[str]]) -> str:
    """The file, a message rule a line."""
    parts = [
        f'  "{operation}": [\n   ' + ",\n   ".join(rules) + "\n  ]"
        for operation, rules in sorted(collectives.items())
    ]
    body = "{\n" + ",\n".join(parts) + "\n }" if parts else "{}"
    return f'{{"rule_file_version": {VERSION}, "module": "tuned", "collectives": {body}}}\n'


def groups_in(root: Value, version: Version) -> Iterator[Group]:
    """The rules of a file by communicators, in the order in which the library looks at them."""
    collectives = root.get("collectives")
    for member in collectives.members() if collectives else ():
        offered = LIBRARIES.get("openmpi").algorithms(member.name, version)
        numbers = {DEFAULT: 0, **{algorithm.name: algorithm.number or 0 for algorithm in offered}}
        for communicator in member.value.items():
            messages = communicator.get("rules")
            entries = []
            for message in messages.items() if messages else ():
                algorithm = algorithm_of(member.name, message, version)
                size, last = bounds(message, "msg_size")
                entries.append(
                    Entry(size, None if last is None else last + 1,
                          None if algorithm is None else numbers[algorithm], _numbers(message),
                          message.line)
                )  # fmt: skip
            n, last = bounds(communicator, "comm_size")
            yield Group(member.name, n, None if last is None else last + 1, entries,
                        communicator.line, placed_on(communicator))  # fmt: skip


def rules_in(root: Value, version: Version) -> Iterator[FileRule]:
    """The rules of a file that the library takes, in the order in which it looks at them."""
    for group in groups_in(root, version):
        for entry in group.entries:
            if entry.number is not None:
                yield file_rule(group, entry, version)


def placed_on(communicator: Value) -> Placement:
    """The placement that a rule of communicators is for; what is misspelt is read as any."""
    given = communicator.get("comm_rank_distribution")
    return next(
        (distribution for distribution in DISTRIBUTIONS if given and given.content == distribution),
        "any",
    )


def bounds(value: Value, name: str) -> tuple[int, int | None]:
    """The least and the last of a range; None for no end."""
    least, most = value.get(f"{name}_min"), value.get(f"{name}_max")
    first = least.content if least and least.kind == "integer" else 0
    return first, most.content if most and most.kind == "integer" else None


def algorithm_of(operation: str, message: Value, version: Version) -> str | None:
    """The algorithm that a rule names, by name or number; None where there is none of it."""
    given = message.get("alg")
    if given is None:
        return DEFAULT
    if given.content in (IGNORE, 0) and given.content is not False:
        return DEFAULT
    for algorithm in LIBRARIES.get("openmpi").algorithms(operation, version):
        if given.kind in ("string", "integer") and given.content in (
            algorithm.name,
            algorithm.number,
        ):
            return algorithm.name
    return None


def _numbers(message: Value) -> dict[str, int]:
    """The numbers of a rule, 0 for those that are left out or unreadable."""
    given = {option: message.get(name) for name, option in OPTIONS.items()}
    return {
        option: value.content if value is not None and value.kind == "integer" else 0
        for option, value in given.items()
    }
