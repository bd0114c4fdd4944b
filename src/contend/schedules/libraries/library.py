"""What an MPI library is: its algorithms by operation and version, and how one is forced."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf
from typing import ClassVar

from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.base.registry import Registry
from contend.schedules.libraries.algorithm import (
    LibraryAlgorithm,
    Version,
    version_of,
    version_text,
)
from contend.schedules.libraries.default import (
    LARGEST,
    SMALLEST,
    Call,
    Default,
    default_of,
    defaults_of,
)


class Library(ABC):
    """Base of the libraries; a module of this folder that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]  # pattern of what MPI_Get_library_version says, with the version as group
    oldest: ClassVar[Version]  # that is known
    table: ClassVar[tuple[LibraryAlgorithm, ...]]
    one_for_all_sizes: ClassVar[frozenset[str]] = frozenset()  # operations that rules cannot cut
    alongside: ClassVar[Mapping[str, str]] = {}  # variables that stand beside all rules
    # Calls that the table is not asked for: schedule of the catalogue, and what the library runs.
    beside_table: ClassVar[Mapping[str, tuple[str, str]]] = {}
    # Over TCP, round trips before the data of the first message between two ranks; 0: not known.
    first_trips: ClassVar[int] = 0
    # Over TCP, bytes of the largest message that is sent without asking; inf: not known.
    eager_by_tcp: ClassVar[float] = inf

    @abstractmethod
    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """Environment variables that make the library use it for every call of the operation."""

    def added_to(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Variables `alongside`, but for those that an environment has already."""
        return {name: to for name, to in self.alongside.items() if name not in environment}

    def algorithms(self, operation: str, version: Version) -> tuple[LibraryAlgorithm, ...]:
        """What that version offers for an operation, by number; empty where nothing is known."""
        return tuple(
            algorithm
            for algorithm in self.table
            if algorithm.operation == operation and algorithm.since <= version < algorithm.before
        )

    def operations(self, version: Version) -> tuple[str, ...]:
        """Operations of which that version lets one choose the algorithm."""
        names = dict.fromkeys(algorithm.operation for algorithm in self.table)
        return tuple(name for name in names if self.algorithms(name, version))

    def algorithm(self, operation: str, name: str, version: Version) -> LibraryAlgorithm:
        """The algorithm of that name; the error for an unknown one lists those there are."""
        offered = self.algorithms(operation, version)
        for algorithm in offered:
            if algorithm.name == name:
                return algorithm
        missing = f"{self.title} {version_text(version)} has no {operation} algorithm {name!r}"
        since = [
            other.since
            for other in self.table
            if (other.operation, other.name) == (operation, name) and other.since > version
        ]
        if since:
            first = version_text(min(since))
            raise InvalidInputError(
                f"{missing}, which came with {first}",
                f"name the version that is used, such as {self.name}-{first}, or choose from "
                f"{', '.join(algorithm.name for algorithm in offered)}",
            )
        raise InvalidInputError(
            missing,
            choose_from(name, [algorithm.name for algorithm in offered])
            if offered
            else choose_from(operation, self.operations(version)),
        )

    def default(
        self, operation: str, n: int, m: int, version: Version, *, ppn: int | None = None,
        is_in_place: bool = False, commutes: bool = True, is_built_in: bool | None = None,
        element: int | None = None,
    ) -> Default:  # fmt: skip
        """What n ranks run if nothing is forced, and where it is known from.

        Parameters
        ----------
        m
            Bytes, as docs/samples.md counts them.
        ppn
            Ranks a node; None: a node each, or all on one.
        commutes, is_built_in
            Whether the reduction's operation commutes, and is one of MPI, as all that commute are
            taken to be.
        element
            Bytes of an element; None: not known.

        >>> str(library_named("openmpi-5.0.11")[0].default("alltoall", 8, 64, (5, 0, 11)))
        'linear_sync'
        """
        is_built_in = commutes if is_built_in is None else is_built_in
        call = Call(operation, n, m, m, ppn, is_in_place, commutes, is_built_in)
        offered = {algorithm.name: algorithm for algorithm in self.algorithms(operation, version)}
        table, title = defaults_of(self.name), f"{self.title} {version_text(version)}"
        first, *others = [
            default_of(title, table, offered, replace(call, elements=m // size), version)
            for size in ((SMALLEST, LARGEST) if element is None else (element,))
        ]
        if all(other.algorithm == first.algorithm for other in others):
            return first
        names = " or ".join(map(str, (first, *others)))
        return Default(why=f"{names}, as the number of elements is", source=first.source)

    def runs(self, operation: str, name: str, n: int, version: Version) -> bool:
        """Whether it runs the algorithm of that name on n ranks, as far as that is known."""
        offered = self.algorithms(operation, version)
        return all(algorithm.serves(n) for algorithm in offered if algorithm.name == name)

    def reorders_operands(self, operation: str, name: str, version: Version) -> bool:
        """Whether its algorithm of that name is wrong for operations that do not commute."""
        offered = self.algorithms(operation, version)
        return any(algorithm.reorders_operands for algorithm in offered if algorithm.name == name)

    def wrong_where(self, operation: str, name: str, version: Version) -> str:
        """Valid calls that its algorithm of that name does not serve right; empty for none."""
        offered = self.algorithms(operation, version)
        wrong = (
            algorithm
            for algorithm in offered
            if algorithm.name == name and version < algorithm.wrong_before
        )
        return next((algorithm.wrong_where for algorithm in wrong), "")

    def always_right(self, operation: str, version: Version) -> tuple[str, ...]:
        """Its algorithms that are right for every operation and all datatypes."""
        names = [algorithm.name for algorithm in self.algorithms(operation, version)]
        faults = self.reorders_operands, self.wrong_where
        return tuple(
            name for name in names if not any(has(operation, name, version) for has in faults)
        )

    def numbered(self, operation: str, number: int, version: Version) -> LibraryAlgorithm | None:
        """The algorithm of a number; None for one that there is not."""
        offered = self.algorithms(operation, version)
        return next((algorithm for algorithm in offered if algorithm.number == number), None)

    def require_options(self, algorithm: LibraryAlgorithm, options: Iterable[str]) -> None:
        """Raise an error for an option that the algorithm does not take."""
        if unknown := [name for name in options if name not in algorithm.options]:
            raise InvalidInputError(
                f"{algorithm.operation} {algorithm.name} of {self.title} has no option "
                f"{unknown[0]!r}",
                f"its options: {', '.join(algorithm.options) or 'none'}",
            )


LIBRARIES: Registry[Library] = Registry(
    "MPI library", Library, "contend.schedules.libraries", group="contend.libraries"
)


def library_of(mpi_library: str) -> tuple[Library, Version]:
    """Library and version that MPI_Get_library_version, or the provenance of a sample, says.

    >>> library, version = library_of("Open MPI v5.0.11, package: Open MPI root@host")
    >>> library.name, version
    ('openmpi', (5, 0, 11))
    """
    for library in LIBRARIES.all():
        if match := re.search(library.says, mpi_library, re.IGNORECASE):
            return library, version_of(match[1])
    raise InvalidInputError(
        f"no MPI library is known by {mpi_library!r}",
        f"known are {', '.join(library.title for library in LIBRARIES.all())}",
    )


def library_named(name: str) -> tuple[Library, Version]:
    """Library and version of a name such as "openmpi-5.0.11" or "openmpi-5".

    What the name leaves open is the oldest version of that series, which every later one obeys;
    without any number it is the oldest that is known.

    >>> library_named("openmpi-5")[1]
    (5,)
    """
    head, dash, number = name.strip().lower().partition("-")
    library = LIBRARIES.get(head)
    version = version_of(number) if dash else library.oldest
    if version < library.oldest[: len(version)]:
        raise InvalidInputError(
            f"{library.title} {version_text(version)} is older than what is known",
            f"known is {library.title} from {version_text(library.oldest)}",
        )
    return library, version
