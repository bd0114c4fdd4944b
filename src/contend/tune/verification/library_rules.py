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
    rules, trees = form.read(text, version), _own(form, library)
    given = json.loads(text) if trees else {}
    same = {name for name, tree in trees.items() if given.get(name) == tree}
    shipped_rules = {replace(rule, line=None) for rule in _read(trees, form, version) if rule.when}
    return tuple(
        as_default(rule)
        if rule.n_to == ALONE + 1
        or f"collective={rule.operation}" in same
        or replace(rule, line=None) in shipped_rules
        else rule
        for rule in rules
    )


def written_out(
    rules: Iterable[FileRule], form: Format, version: Version, library: Path
) -> frozenset[FileRule]:
    """Rules that say what the library's own tree says, as a file does for each default.

    A decision may say the same, and differ: what the library makes of parts is none of its tree.
    """
    of_library = _read(_own(form, library), form, version)
    return frozenset(
        rule for rule in rules if not rule.is_default and _says_the_same(of_library, rule)
    )


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


def _read(trees: Tree, form: Format, version: Version) -> Sequence[FileRule]:
    return form.read(json.dumps(trees), version) if trees else ()


def _says_the_same(of_library: Iterable[FileRule], rule: FileRule) -> bool:
    """Whether the first that meets a rule, and holds wherever that does, has all of it, alike."""
    for candidate in of_library:
        if _holds_wherever(candidate, rule) and candidate.meets(rule):
            is_alike = (candidate.algorithm, candidate.options) == (rule.algorithm, rule.options)
            return is_alike and _has_all(candidate, rule)
    return False


def _holds_wherever(rule: FileRule, other: FileRule) -> bool:
    """Whether a rule holds wherever another does, for sizes that are counted alike."""
    return (
        rule.is_per_communicator == other.is_per_communicator
        and rule.placement in ("any", other.placement)
        and set(rule.when) <= set(other.when)
    )


def _has_all(rule: FileRule, other: FileRule) -> bool:
    """Whether a rule has all calls of another."""
    ranges = (
        ((rule.n, rule.n_to), (other.n, other.n_to)),
        ((rule.size, rule.size_to), (other.size, other.size_to)),
    )
    return all(
        first <= low and (end is None or (last is not None and last <= end))
        for (first, end), (low, last) in ranges
    )
