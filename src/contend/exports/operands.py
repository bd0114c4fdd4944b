"""Rules by algorithms that reorder operands, which are wrong for operations that do not commute.

They are left to the library unless the user says that all reduction operations commute. That stands
in the head of the file, where whoever reads it, and lint, finds it.
"""

from collections.abc import Sequence

from contend.choose.rules import DEFAULT, Rule
from contend.exports.finding import Finding
from contend.exports.format import Request
from contend.libraries import Library, Version

OPTION = "--all-commute"
PROMISE = "all operations are said to commute"  # in a comment, for lint
HEAD = f"Of the programs {PROMISE} ({OPTION}); others would compute wrong numbers."
# Operations whose calls have another one inside, by which operands are reordered as well.
INSIDE = {
    ("openmpi", "reduce"): "MPI_Reduce_scatter, MPI_Reduce_scatter_block and the all-reduce "
    "'nonoverlapping', which reduce by it inside, are wrong too",
}


def keeping_order(
    rules: Sequence[Rule], request: Request, library: Library
) -> tuple[list[Rule], list[str]]:
    """The rules, "default" in the place of those that reorder operands, and a note of each.

    All of them, where all operations commute.
    """
    notes = [one.words for one in request.decisions.left_out]
    if request.commutes:
        return list(rules), notes
    reordering = [
        one for one in rules
        if library.reorders_operands(one.operation, one.algorithm, request.version)
    ]  # fmt: skip
    for operation in dict.fromkeys(one.operation for one in reordering):
        names = dict.fromkeys(one.algorithm for one in reordering if one.operation == operation)
        notes.append(
            f"{operation}: {', '.join(names)} left to the library, since operations that do not "
            f"commute would compute wrong numbers; if all of the programs commute: {OPTION}"
        )
    return [_default(one) if one in reordering else one for one in rules], notes


def _default(rule: Rule) -> Rule:
    return rule.model_copy(update={"algorithm": DEFAULT, "options": {}, "gain": None})


def reordering(
    library: Library, operation: str, algorithm: str, version: Version, text: str, line: int | None
) -> list[Finding]:
    """The finding on a rule of a file whose text may say that all operations commute."""
    if not library.reorders_operands(operation, algorithm, version):
        return []
    others = ", ".join(library.keeping_order(operation, version))
    inside = INSIDE.get((library.name, operation))
    return [
        Finding(
            "note" if PROMISE in text else "warning", "operands",
            f"{operation} {algorithm} reorders operands, whether or not the operation commutes: a "
            "valid program whose operation does not (MPI_Op_create with commute = 0) computes "
            f"wrong numbers{'; ' + inside if inside else ''}",
            f"take one of {others}; if all operations of the programs commute, say so in a "
            f"comment: {PROMISE}", line,
        )
    ]  # fmt: skip
