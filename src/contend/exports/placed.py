"""Rules for one placement of processes, for formats that cannot tell placements apart."""

from contend.choose.rules import Rule
from contend.errors import InvalidInputError
from contend.exports.format import Request


def wanted(request: Request) -> list[Rule]:
    """The rules for the processes per node that a request names, and for any; else all.

    Raises
    ------
    InvalidInputError
        Where nothing was decided for the number that is named.
    """
    rules, named = request.decisions.rules, request.processes_per_node
    known = {rule.processes_per_node for rule in rules} - {None}
    if named is not None and known and named not in known:
        raise InvalidInputError(
            f"nothing was decided on for {named} processes per node", f"choose from {listed(known)}"
        )
    return [rule for rule in rules if named is None or rule.processes_per_node in (None, named)]


def placed(request: Request) -> tuple[list[Rule], list[str]]:
    """The wanted rules, which are for one number of processes per node at most, and a note of it.

    Raises
    ------
    InvalidInputError
        Where they are for several.
    """
    rules = wanted(request)
    known = {rule.processes_per_node for rule in rules} - {None}
    if len(known) > 1:
        raise InvalidInputError(
            f"decisions for {listed(known)} processes per node, of which the file can hold one",
            "choose one with --ppn",
        )
    return rules, [
        f"measured with {processes(only)} per node; the file holds for any placement of them"
        for only in known
    ]


def listed(counts: set[int | None]) -> str:
    """Numbers of processes in ascending order."""
    return ", ".join(map(str, sorted(one for one in counts if one is not None)))


def processes(count: int | None) -> str:
    """So many processes, in words."""
    return "one process" if count == 1 else f"{count} processes"
