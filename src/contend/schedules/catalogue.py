"""What there is to say of every algorithm, read off the algorithm and the header of its file."""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from contend.schedules.algorithm import Algorithm, Call, algorithms, in_groups
from contend.schedules.collective import COLLECTIVES
from contend.schedules.groups import halves

# Calls of which some have equal parts and full segments and some have not.
_PROBES = [Call(n=n, m=m, segment=8) for n in (7, 8) for m in (64, 77)]


@dataclass(frozen=True)
class Entry:
    collective: str
    name: str
    title: str
    source: str
    restrictions: str
    cost: str  # the closed form
    claims: tuple[str, ...]  # what the closed form is to the schedule: exact, a bound, or either
    options: tuple[str, ...]
    needs_groups: bool  # whether it looks at which rank is in which group
    openmpi: int | None
    mpich: str | None


def catalogue(collective: str | None = None) -> list[Entry]:
    """The algorithms of one collective operation, or of all.

    >>> [entry.name for entry in catalogue("barrier")]
    ['dissemination', 'double_ring', 'flat', 'recursive_doubling', 'tree']
    """
    wanted = COLLECTIVES if collective is None else [collective]
    return [entry(algorithm) for name in wanted for algorithm in algorithms(name).all()]


def entry(algorithm: Algorithm) -> Entry:
    """What there is to say of an algorithm."""
    parts = dict(_header(algorithm))
    return Entry(
        collective=algorithm.collective,
        name=algorithm.name,
        title=algorithm.title,
        source=algorithm.source,
        restrictions=parts.get("Restrictions", ""),
        cost=parts.get("Cost", ""),
        claims=_claims(algorithm),
        options=algorithm.options,
        needs_groups=algorithm.needs_groups,
        openmpi=algorithm.openmpi,
        mpich=algorithm.mpich,
    )


def first_sentence(text: str) -> str:
    """The text up to its first full stop.

    >>> first_sentence("P a power of two. As in the libraries, twice.")
    'P a power of two'
    """
    return re.split(r"\.(?:\s|$)", text, maxsplit=1)[0]


def _header(algorithm: Algorithm) -> Iterator[tuple[str, str]]:
    """The parts of the header of its file, each on one line."""
    text = inspect.getdoc(sys.modules[type(algorithm).__module__]) or ""
    parts = re.split(r"^(Source|Idea|Cost|Restrictions):", text, flags=re.MULTILINE)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        yield name, " ".join(body.split())


def _claims(algorithm: Algorithm) -> tuple[str, ...]:
    in_halves = in_groups(algorithm, halves)
    served = [
        replace(call, groups=halves(call.n))
        for call in _PROBES
        if not in_halves.restriction(call.n)
    ]
    return tuple(sorted({in_halves.claim(call) for call in served}))
