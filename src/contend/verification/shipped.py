"""Which rules of a file of MPICH are the library's own, for a file has to have them all."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contend.errors import FileFormatError
from contend.exports import FileRule, Format
from contend.exports.csel.shipped import shipped
from contend.libraries import Version
from contend.measure.linked import linked_mpi

ALONE = 1  # a process, which exchanges nothing


def departing(
    rules: Sequence[FileRule], text: str, form: Format, version: Version, library: Path
) -> list[FileRule]:
    """Rules for several processes that depart from those of the MPI that `library` is linked with.

    Of a file of MPICH these are those of operations whose tree is another than the library's own,
    without those of conditions that also stand there.
    """
    chosen = [rule for rule in rules if not (rule.is_default or rule.n_to == ALONE + 1)]
    linked = linked_mpi(library)
    if form.library_name != "mpich" or linked is None or linked.path is None:
        return chosen
    try:
        own = shipped(linked.path).tree
    except FileFormatError:
        return chosen
    given = json.loads(text)
    same = {name for name, tree in own.items() if given.get(name) == tree}
    known = {replace(rule, line=None) for rule in form.read(json.dumps(own), version) if rule.when}
    return [
        rule
        for rule in chosen
        if f"collective={rule.operation}" not in same and replace(rule, line=None) not in known
    ]
