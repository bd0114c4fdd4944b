"""Which rules of a file of MPICH are the library's own, for a file has to have them all."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from contend.choose.rules import DEFAULT, Range, meet
from contend.errors import FileFormatError
from contend.exports import FileRule, Format
from contend.exports.csel.shipped import shipped
from contend.libraries import Version
from contend.measure.linked import linked_mpi

ALONE = 1  # a process, which exchanges nothing


def decided(text: str, form: Format, version: Version, library: Path) -> tuple[FileRule, ...]:
    """The rules of a text, "default" where they leave all to the MPI that `library` is linked with.

    Of a file of MPICH those are left to it whose operation has the library's own tree, and those
    that say for all of their calls what it says: a file has to write out each default. So are, of
    any file, rules for one process.
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
    known = form.read(json.dumps(own), version)
    return lambda rule: f"collective={rule.operation}" in same or _says_the_same(known, rule)


def _says_the_same(known: Iterable[FileRule], rule: FileRule) -> bool:
    """Whether the first that has calls in common with a rule has all of them, and is alike."""
    for one in known:
        if _conditions(one) != _conditions(rule):
            continue
        pairs = ((_of_n(one), _of_n(rule)), (_of_size(one), _of_size(rule)))
        if all(meet(*pair) for pair in pairs):
            is_alike = (one.algorithm, one.options) == (rule.algorithm, rule.options)
            return is_alike and all(_holds_all(*pair) for pair in pairs)
    return False


def _conditions(rule: FileRule) -> tuple[object, ...]:
    return rule.operation, rule.is_per_communicator, rule.placement, rule.when


def _of_n(rule: FileRule) -> Range:
    return rule.n, rule.n_to


def _of_size(rule: FileRule) -> Range:
    return rule.size, rule.size_to


def _holds_all(one: Range, other: Range) -> bool:
    """Whether a range has all of another."""
    (first, end), (low, last) = one, other
    return first <= low and (end is None or (last is not None and last <= end))
