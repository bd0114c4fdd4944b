"""What of a request Open MPI can express: rules by operation, and what goes into variables.

A file cannot hold the radix of "knomial" and of "linear_nb" the most requests, nor before 5.0.7 the
most requests of any: these are MCA parameters, one for all calls. Of rules that want different
values those with the largest gain get theirs, and the others are left to the library.
"""

from collections.abc import Iterable, Mapping, Sequence

from contend.schedules.libraries import LIBRARIES, Version
from contend.schedules.libraries.openmpi import DYNAMIC, PREFIX, rule_parameters
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Piece, notes_without_sizes, pieces
from contend.tune.exports.file_rules import always_right, as_default, head_lines
from contend.tune.exports.format import Request
from contend.tune.exports.openmpi.collectives import (
    BY_ROOT,
    HAN_OFF,
    IDS,
    ONE_FOR_ALL_SIZES,
    PER_COMMUNICATOR,
    VERSION_LINE,
    han_takes,
)

# Operation, algorithm and option that only an MCA parameter says, for all calls.
BY_PARAMETER = {
    ("bcast", "knomial", "k"): "coll_tuned_bcast_algorithm_knomial_radix",
    ("scatter", "linear_nb", "requests"): "coll_tuned_scatter_algorithm_max_requests",
}
BEFORE_VERSION_LINE = {
    ("alltoall", "linear_sync", "requests"): "coll_tuned_alltoall_algorithm_max_requests"
}
STEPS = 5  # within a fifth sizes that are counted over all ranks hold, see `exports.bands`
FURTHER = tuple[list[Rule], dict[str, str], list[str]]


def expressible(request: Request, every: Iterable[Rule], notes: Iterable[str]) -> FURTHER:
    """Return the rules that a file can hold, environment variables, and notes on the rest."""
    version, library = request.version, LIBRARIES.get("openmpi")
    rules, left_out = always_right([_checked(rule, version) for rule in every], request, library)
    rules, settings, more = by_parameter(rules, version)
    unknown = dict.fromkeys(rule.operation for rule in rules if rule.operation not in IDS)
    return [rule for rule in rules if rule.operation in IDS], settings, [
        *notes, *left_out, *more,
        *(f"{operation}: Open MPI has no rules for it" for operation in unknown),
    ]  # fmt: skip


def blocks_of(operation: str, rules: Sequence[Rule]) -> tuple[list[Piece], list[str]]:
    """The rules of an operation in blocks of processes, and what is less than was decided."""
    if operation not in ONE_FOR_ALL_SIZES:
        return pieces(rules, "total" if operation in PER_COMMUNICATOR else "m", steps=STEPS), []
    hangs = "ranks of one call would take different ones and hang"
    why = hangs if operation in BY_ROOT else "Open MPI looks it up without a size"
    return pieces(rules, "none"), list(notes_without_sizes(operation, rules, why))


def about_lines(
    request: Request, settings: Mapping[str, str], notes: Iterable[str], written: Iterable[Rule]
) -> list[str]:
    """What a file of rules is and how it is loaded; `settings` are all variables that it needs."""
    loading = ["To load them:", *(f"  export {name}={value}" for name, value in settings.items())]
    return head_lines("coll/tuned of Open MPI", request, loading, notes, written)


def without_han(operations: Iterable[str], version: Version) -> dict[str, str]:
    """The variable that takes coll/han out, if it would take calls of one of the operations."""
    return dict(HAN_OFF) if any(han_takes(operation, version) for operation in operations) else {}


def of_han(rules: Sequence[Rule], version: Version) -> list[str]:
    """A note where the library's default is another one without coll/han, which is taken out."""
    changed = {
        rule.operation
        for rule in rules
        if rule.is_default and rule.processes_per_node != 1 and han_takes(rule.operation, version)
    }
    if not changed:
        return []
    return [
        f"without coll/han the default of {', '.join(sorted(changed))} is that of coll/tuned, "
        "which is another where several nodes have several processes each"
    ]


def loading(path: str, acts: bool) -> dict[str, str]:
    """Environment variables that make coll/tuned take the file at a path.

    Where no rule `acts` no other component is taken out for its sake.
    """
    parameters = rule_parameters() if acts else {DYNAMIC: "1"}
    named = {"coll_tuned_dynamic_rules_filename": path}
    return {PREFIX + name: value for name, value in (parameters | named).items()}


def _checked(rule: Rule, version: Version) -> Rule:
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
        for index in (place for place, value in values.items() if value != best):
            kept[index] = as_default(kept[index])
        if others := sorted(set(values.values()) - {best}):
            values_left = ", ".join(map(str, others))
            notes.append(
                f"{operation} {algorithm} with {option} {values_left}: left to the library, "
                f"since {option} is one for all calls, and {best} gains more"
            )
    return kept, settings, notes
