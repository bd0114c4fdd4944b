"""Which calls of watched programs ran what the library takes by itself.

Idea: a library that tells which algorithm ran says nothing of who had chosen it. Where its tables
say what it takes at n and m (`contend.schedules.libraries`), that is its default, and all else was
chosen by somebody: a file of rules, a variable, or `contend watch --try`. Where they do not, an
algorithm is the default that was the only one ever seen there; of several nothing is known.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from contend.base.errors import InvalidInputError
from contend.samples import Sample
from contend.samples.setting import NATIVE, OF_LIBRARY, conditions_text, own_name
from contend.schedules.libraries import library_of


def with_defaults(samples: Sequence[Sample]) -> list[Sample]:
    """The same samples; of watched programs those of the library's own choice are `native`."""
    seen: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for sample in samples:
        if sample.is_of_production:
            seen[_place(sample)].add(sample.algorithm)
    return [
        sample.model_copy(update={"algorithm": NATIVE})
        if sample.is_of_production and _is_default(sample, len(seen[_place(sample)]) == 1)
        else sample
        for sample in samples
    ]


def _place(sample: Sample) -> tuple[object, ...]:
    conditions = conditions_text(sample.conditions)
    return sample.experiment, sample.n, sample.processes_per_node, sample.m, conditions


def _is_default(sample: Sample, is_the_only: bool) -> bool:
    if OF_LIBRARY not in sample.algorithm:
        return False
    place = sample.experiment, sample.n, sample.m, sample.processes_per_node
    default = _default(sample.provenance.mpi_library or "", *place)
    return own_name(sample.algorithm) == default if default else is_the_only


@cache
def _default(title: str, operation: str, n: int, m: int, ppn: int | None) -> str | None:
    """What a library takes by itself, by its own name; None where that is not known."""
    try:
        library, version = library_of(title)
    except InvalidInputError:
        return None
    default = library.default(operation, n, m, version, ppn=ppn).algorithm
    return default.name if default else None
