"""What of a request can be said to Open MPI: rules by operation, and what goes into variables.

A file cannot hold the radix of "knomial" and of "linear_nb" the most requests, nor before 5.0.7 the
most requests of any: these are MCA parameters, one for all calls. Of rules that want different
values those with the largest gain get theirs, and the others are left to the library.
"""

from collections.abc import Iterable, Mapping, Sequence

from contend.choose.rules import DEFAULT, Rule
from contend.exports.format import Request
from contend.exports.openmpi.blocks import Block, blocks_of
from contend.exports.openmpi.collectives import HAN_OFF, IDS, VERSION_LINE, han_takes
from contend.exports.operands import always_right
from contend.exports.placed import placed
from contend.libraries import LIBRARIES, Version
from contend.libraries.openmpi import PREFIX, told_rules

# Operation, algorithm and option that only an MCA parameter says, for all calls.
BY_PARAMETER = {
    ("bcast", "knomial", "k"): "coll_tuned_bcast_algorithm_knomial_radix",
    ("scatter", "linear_nb", "requests"): "coll_tuned_scatter_algorithm_max_requests",
}
BEFORE_VERSION_LINE = {
    ("alltoall", "linear_sync", "requests"): "coll_tuned_alltoall_algorithm_max_requests",
}
Told = tuple[Mapping[str, Sequence[Block]], dict[str, str], tuple[str, ...]]


def told(request: Request) -> Told:
    """Blocks by operation, environment variables, and what could not be said."""
    rules, notes = placed(request)
    rules = [checked(rule, request.version) for rule in rules]
    rules, left_out = always_right(rules, request, LIBRARIES.get("openmpi"))
    rules, settings, more = by_parameter(rules, request.version)
    blocks: dict[str, Sequence[Block]] = {}
    notes += [*left_out, *more]
    settings |= without_han(
        (rule.operation for rule in rules if not rule.is_default), request.version
    )
    notes += of_han(rules, settings, request.version)
    for operation in dict.fromkeys(rule.operation for rule in rules):
        if operation not in IDS:
            notes.append(f"{operation}: Open MPI has no rules for it")
            continue
        blocks[operation], left = blocks_of(
            operation, [rule for rule in rules if rule.operation == operation]
        )
        notes += left
    return blocks, settings, tuple(notes)


def without_han(operations: Iterable[str], version: Version) -> dict[str, str]:
    """The variable that takes coll/han out, if it would take calls of one of the operations."""
    return dict(HAN_OFF) if any(han_takes(one, version) for one in operations) else {}


def of_han(rules: Sequence[Rule], settings: Mapping[str, str], version: Version) -> list[str]:
    """A note where the library's default is another one without coll/han."""
    changed = {
        rule.operation
        for rule in rules
        if rule.is_default and rule.processes_per_node != 1 and han_takes(rule.operation, version)
    }
    if not (settings.keys() & HAN_OFF.keys() and changed):
        return []
    return [
        f"without coll/han the default of {', '.join(sorted(changed))} is that of coll/tuned, "
        "which is another where several nodes have several processes each"
    ]


def loading(path: str) -> dict[str, str]:
    """Environment variables that make coll/tuned take the file at a path."""
    named = {"coll_tuned_dynamic_rules_filename": path}
    return {PREFIX + name: value for name, value in (told_rules() | named).items()}


def checked(rule: Rule, version: Version) -> Rule:
    """The rule, if that version has its algorithm with its options; else an error."""
    if rule.is_default:
        return rule
    library = LIBRARIES.get("openmpi")
    algorithm = library.algorithm(rule.operation, rule.algorithm, version)
    library.require_options(algorithm, rule.options)
    return rule


def by_parameter(
    rules: Sequence[Rule], version: Version
) -> tuple[list[Rule], dict[str, str], list[str]]:
    """The rules, without those that want another value of a parameter than the best of them."""
    settings: dict[str, str] = {}
    notes: list[str] = []
    kept = list(rules)
    parameters = BY_PARAMETER | (BEFORE_VERSION_LINE if version < VERSION_LINE else {})
    for (operation, algorithm, option), parameter in parameters.items():
        values = {
            index: rule.options[option]
            for index, rule in enumerate(kept)
            if (rule.operation, rule.algorithm) == (operation, algorithm) and option in rule.options
        }
        if not values:
            continue
        best = values[max(values, key=lambda index: kept[index].gain or 0)]
        settings[f"OMPI_MCA_{parameter}"] = str(best)
        for index in (one for one, value in values.items() if value != best):
            kept[index] = _left(kept[index])
        if others := sorted(set(values.values()) - {best}):
            notes.append(
                f"{operation} {algorithm} with {option} {_listed(others)}: left to the library, "
                f"since {option} is one for all calls, and {best} gains more"
            )
    return kept, settings, notes


def _left(rule: Rule) -> Rule:
    return rule.model_copy(update={"algorithm": DEFAULT, "options": {}, "gain": None})


def _listed(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))
