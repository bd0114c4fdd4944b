"""Which rules of a file of MPICH are the library's own, for a file has to have them all."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.measure.linked_library import linked_mpi
from contend.schedules.libraries import Version
from contend.tune.choose.rules import DEFAULT
from contend.tune.exports import FileRule, Format
from contend.tune.exports.csel.library_trees import Tree, shipped

ALONE = 1  # a process, which exchanges nothing


def decided(text: str, form: Format, version: Version, library: Path) -> tuple[FileRule, ...]:
    """The rules of a text, "default" where they leave all to the MPI that `library` is linked with.

    Of a file of MPICH those are left to it whose operation has the library's own tree, and those
    of conditions that also stand there. So are, of any file, rules for one process.
    """
    rules, own = form.read(text, version), _own(form, library)
    given = json.loads(text) if own else {}
    same = {name for name, tree in own.items() if given.get(name) == tree}
    known = {replace(one, line=None) for one in _read(own, form, version) if one.when}
    return tuple(
        as_default(rule)
        if rule.n_to == ALONE + 1
        or f"collective={rule.operation}" in same
        or replace(rule, line=None) in known
        else rule
        for rule in rules
    )


def written_out(
    rules: Iterable[FileRule], form: Format, version: Version, library: Path
) -> frozenset[FileRule]:
    """Rules that say what the library's own tree says, as a file does for each default.

    A decision may say the same, and differ: what the library makes of parts is none of its tree.
    """
    known = _read(_own(form, library), form, version)
    return frozenset(rule for rule in rules if not rule.is_default and _says_the_same(known, rule))


def as_default(rule: FileRule) -> FileRule:
    """The rule that leaves its calls to the library."""
    return replace(rule, algorithm=DEFAULT, options={})


def _own(form: Format, library: Path) -> Tree:
    """The tree of the MPICH that a library of ours is linked with; empty for any other MPI."""
    linked = linked_mpi(library)
    if form.library_name != "mpich" or linked is None or linked.path is None:
        return {}
    try:
        return shipped(linked.path).tree
    except FileFormatError:
        return {}


def _read(own: Tree, form: Format, version: Version) -> Sequence[FileRule]:
    return form.read(json.dumps(own), version) if own else ()


def _says_the_same(known: Iterable[FileRule], rule: FileRule) -> bool:
    """Whether the first that meets a rule, and holds wherever that does, has all of it, alike."""
    for one in known:
        if _holds_wherever(one, rule) and one.meets(rule):
            is_alike = (one.algorithm, one.options) == (rule.algorithm, rule.options)
            return is_alike and _has_all(one, rule)
    return False


def _holds_wherever(one: FileRule, other: FileRule) -> bool:
    """Whether a rule holds wherever another does, for sizes that are counted alike."""
    return (
        one.is_per_communicator == other.is_per_communicator
        and one.placement in ("any", other.placement)
        and set(one.when) <= set(other.when)
    )


def _has_all(one: FileRule, other: FileRule) -> bool:
    """Whether a rule has all calls of another."""
    ranges = (
        ((one.n, one.n_to), (other.n, other.n_to)),
        ((one.size, one.size_to), (other.size, other.size_to)),
    )
    return all(
        first <= low and (end is None or (last is not None and last <= end))
        for (first, end), (low, last) in ranges
    )
