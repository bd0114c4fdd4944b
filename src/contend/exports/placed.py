"""Rules for one placement of processes, for formats that cannot tell placements apart."""

from contend.choose.rules import Rule
from contend.errors import InvalidInputError
from contend.exports.format import Request


def placed(request: Request, notes: list[str]) -> list[Rule]:
    """The rules of a request for the processes per node that it names, or the only ones there are.

    Raises
    ------
    InvalidInputError
        Where rules are for several placements and none is named.
    """
    rules = request.decisions.rules
    counts = {rule.processes_per_node for rule in rules} - {None}
    if len(counts) > 1 and request.processes_per_node is None:
        raise InvalidInputError(
            f"the rules are for {', '.join(map(str, sorted(c for c in counts if c)))} processes "
            "per node, which this format cannot tell apart",
            "choose one with --ppn",
        )
    wanted = request.processes_per_node or next(iter(counts), None)
    if wanted is not None:
        notes.append(f"the rules are those of {wanted} processes per node, and hold for any")
    return [rule for rule in rules if rule.processes_per_node in (None, wanted)]
