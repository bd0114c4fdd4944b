"""Which algorithm of the catalogue a collective operation of a trace is run by.

An algorithm that is named for an operation serves all its calls. Else it is what the MPI library
runs by itself (`contend.schedules.libraries.default`): that of the trace, or one that is named;
where neither is, or its tables do not have the call, MPICH. Of what the library runs, the schedule
that sends the same messages is taken, or the nearest, with a note.
Restrictions: calls are taken to have a node for each rank, blocks that are not in place, operations
that commute, and elements of 8 bytes where their number decides, with a note where it differs; a
library that was tuned chooses otherwise, then name the algorithm that it took.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from, operation_of
from contend.programs.traces.kinds import OpKind
from contend.schedules import COLLECTIVES, Algorithm, algorithms
from contend.schedules.libraries import (
    Default,
    Library,
    Version,
    library_named,
    library_of,
    version_text,
)
from contend.schedules.ragged_rows import Ints

# What each kind of operation is in the catalogue. Those of different sizes that it has not: a
# gatherv is an alltoallv in which only the root receives, an allgatherv has blocks of mean size, a
# scan is the exchange of an allreduce by recursive doubling.
COLLECTIVE = {
    OpKind.BARRIER: "barrier",
    OpKind.BCAST: "bcast",
    OpKind.REDUCE: "reduce",
    OpKind.ALLREDUCE: "allreduce",
    OpKind.GATHER: "gather",
    OpKind.GATHERV: "alltoallv",
    OpKind.SCATTER: "scatter",
    OpKind.SCATTERV: "alltoallv",
    OpKind.ALLGATHER: "allgather",
    OpKind.ALLGATHERV: "allgather",
    OpKind.ALLTOALL: "alltoall",
    OpKind.ALLTOALLV: "alltoallv",
    OpKind.REDUCE_SCATTER: "reduce_scatter",
    OpKind.SCAN: "allreduce",
    OpKind.EXSCAN: "allreduce",
}
# Run by one schedule whatever the library, as no other says what they send.
_ONE_SCHEDULE = {OpKind.SCAN: "recursive_doubling", OpKind.EXSCAN: "recursive_doubling",
                 OpKind.GATHERV: "direct", OpKind.SCATTERV: "direct"}  # fmt: skip
ASSUMED = "mpich-5.0.2"
ELEMENT = 8  # bytes


@dataclass(frozen=True)
class Choice:
    """The schedule of a call: what the library calls its algorithm, and how the two differ.

    `options` are those of the schedule.
    """

    operation: str
    algorithm: Algorithm
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    library_name: str = ""
    note: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """What it is, to be sorted by."""
        return self.operation, self.library_name, self.algorithm.name, self.note


@dataclass(frozen=True)
class Chooser:
    """What chooses: algorithms by name, or a library; `why` says how it is known which."""

    library: Library
    version: Version
    why: str
    named: Mapping[str, str] = field(default_factory=dict, hash=False)
    ppn: int | None = None  # ranks a host, where there are several hosts with several

    def choice(self, kind: OpKind, n: int, m: int, call: str = "") -> Choice:
        """The schedule of an operation of `n` ranks; `m` is what the catalogue counts for it.

        Of an alltoallv `m` does not matter. `call` is its name in the program.
        """
        collective = COLLECTIVE[kind]
        registry = algorithms(collective)
        if name := self.named.get(collective, _ONE_SCHEDULE.get(kind)):
            return Choice(collective, registry.get(name))
        if beside := self.library.beside_table.get(call.removeprefix("MPI_").lower()):
            name, library_name = beside
            return Choice(collective, registry.get(name), library_name=library_name)
        operation = kind.name.lower()
        if kind == OpKind.REDUCE_SCATTER and call.lower().endswith("_block"):
            operation = "reduce_scatter_block"
        if choice := _chosen(self.library, self.version, operation, n, m):
            return self._by_nodes(choice, operation, n, m)
        other = _chosen(*library_named(ASSUMED), operation, n, m)
        assert other is not None, (operation, n, m)  # tests/replay/test_choice.py
        why = self.library.default(operation, n, max(m, 1), self.version).why
        return replace(other, note=f"as {ASSUMED} has it, since {why or 'it has no schedule'}")

    def _by_nodes(self, choice: Choice, operation: str, n: int, m: int) -> Choice:
        """The choice, with a note where the library does otherwise with several ranks a node."""
        apart, together = (
            str(self.library.default(operation, n, max(m, 1), self.version, ppn=ppn))
            for ppn in (None, self.ppn)
        )
        if apart == together:
            return choice
        return _noted(choice, f"as with a node for each rank; with {self.ppn} a node: {together}")

    @property
    def about(self) -> str:
        """The library, how it is known, and what its choices are known from."""
        source = self.library.default("barrier", 2, 0, self.version).source
        return f"{self.library.title} {version_text(self.version)}, {self.why} ({source})"


def _chosen(library: Library, version: Version, operation: str, n: int, m: int) -> Choice | None:
    """The schedule of what a library runs for a call; None where there is none."""
    default = library.default(operation, n, max(m, 1), version)
    if default.algorithm is not None:
        return _scheduled(default, n, m)
    default = library.default(operation, n, max(m, 1), version, element=ELEMENT)
    choice = _scheduled(default, n, m)
    return choice and _noted(choice, f"if elements have {ELEMENT} bytes")


def _noted(choice: Choice, note: str) -> Choice:
    return replace(choice, note="; ".join(filter(None, (choice.note, note))))


def _scheduled(default: Default, n: int, m: int) -> Choice | None:
    """The schedule that sends what it does, or comes nearest."""
    algorithm = default.algorithm
    if algorithm is None:
        return None
    is_in_catalogue = algorithm.operation in COLLECTIVES
    if is_in_catalogue and (scheduled := algorithm.scheduled(n, m, default.options)):
        return Choice(algorithm.operation, *scheduled, str(default))
    if algorithm.nearest is None:
        return None
    operation = algorithm.catalogue_of
    nearest = algorithms(operation).get(algorithm.nearest)
    if nearest.restriction(n):
        return None
    note = f"by {operation} {nearest.name}, the nearest that the catalogue has"
    return Choice(algorithm.operation, nearest, {}, str(default), note)


def chooser(named: Mapping[str, str], recorded: str = "", given: str = "") -> Chooser:
    """What chooses, of `recorded`, the library of a trace, and one that is `given` by name.

    Raises
    ------
    InvalidInputError
        For a name that is of no library.
    """
    assumed = library_named(ASSUMED)
    if not (given or recorded):
        return Chooser(*assumed, "assumed, as nothing names a library", named)
    try:
        library, version = library_named(given) if given else library_of(recorded)
    except InvalidInputError:
        if given:
            raise
        return Chooser(*assumed, f"assumed, as nothing is known of {recorded!r}", named)
    if not library.default("barrier", 2, 0, version).source:
        why = library.default("barrier", 2, 0, version).why
        return Chooser(*assumed, f"assumed, as {why}", named)
    return Chooser(library, version, "which is named" if given else "which the trace names", named)


def per_host(host: Ints) -> int | None:
    """Ranks a host of several hosts, the mean; None for a host each, and for one host.

    >>> per_host(np.array([0, 0, 1, 1])), per_host(np.array([0, 1, 2])), per_host(np.array([0, 0]))
    (2, None, None)
    """
    hosts = np.unique(host).size
    return -(-host.size // hosts) if 1 < hosts < host.size else None


def in_words(chooser: Chooser | None, choices: Iterable[Choice]) -> Iterator[str]:
    """What the library takes by itself, where that is known from, and what differs."""
    taken: dict[str, set[str]] = {}
    notes = set()
    for choice in choices:
        if choice.library_name:
            taken.setdefault(choice.operation, set()).add(choice.library_name)
        if choice.note:
            notes.add(f"{choice.operation} {choice.library_name}: {choice.note}")
    if chooser and taken:
        texts = (f"{name} {', '.join(sorted(used))}" for name, used in sorted(taken.items()))
        yield f"as by {chooser.about}: {'; '.join(texts)}"
    yield from sorted(notes)


def parse_choices(texts: list[str]) -> dict[str, str]:
    """Algorithms by collective operation, from texts such as alltoall=rotated.

    >>> parse_choices(["alltoall=rotated"])
    {'alltoall': 'rotated'}
    """
    choices: dict[str, str] = {}
    for text in texts:
        collective, _, name = operation_of(text).partition("=")
        if not name or collective not in COLLECTIVES:
            raise InvalidInputError(
                f"--algorithm {text}",
                f"give OPERATION=ALGORITHM; of operations {choose_from(collective, COLLECTIVES)}",
            )
        algorithm = algorithms(collective).get(name)
        if algorithm.needs_groups:
            raise InvalidInputError(
                f"{collective} {name} looks at groups of ranks, which a trace does not name",
                "choose another one",
            )
        choices[collective] = name
    return choices
