"""Which rules of a file of MPICH are the library's own, for a file has to have them all."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from contend.choose.rules import DEFAULT
from contend.errors import FileFormatError
from contend.exports import FileRule, Format
from contend.exports.csel.shipped import shipped
from contend.libraries import Version
from contend.measure.linked import linked_mpi

ALONE = 1  # a process, which exchanges nothing


def decided(text: str, form: Format, version: Version, library: Path) -> tuple[FileRule, ...]:
    """The rules of a text, "default" where they leave all to the MPI that `library` is linked with.

    Of a file of MPICH those are left to it whose operation has the library's own tree, and those
    of conditions that also stand there. So are, of any file, rules for one process.
    """
    rules = form.read(text, version)
    is_own = _own(text, form, version, library)
    return tuple(
        replace(rule, algorithm=DEFAULT, options={})
        if rule.n_to == ALONE + 1 or is_own(rule)
        else rule
        for rule in rules
    )


def _own(text: str, form: Format, version: Version, library: Path) -> Callable[[FileRule], bool]:
    """Whether a rule is the library's own."""
    linked = linked_mpi(library)
    if form.library_name != "mpich" or linked is None or linked.path is None:
        return lambda rule: False
    try:
        own = shipped(linked.path).tree
    except FileFormatError:
        return lambda rule: False
    given = json.loads(text)
    same = {name for name, tree in own.items() if given.get(name) == tree}
    known = {replace(rule, line=None) for rule in form.read(json.dumps(own), version) if rule.when}
    return lambda rule: f"collective={rule.operation}" in same or replace(rule, line=None) in known
