"""What an MPI library says of one of its algorithms, and of its versions: facts."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, algorithms

Version = tuple[int, ...]
_NUMBERS = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}")


def version_of(text: str) -> Version:
    """The numbers of a version, as a tuple that compares; what follows them is left out.

    >>> version_of("5.0.11rc1") > version_of("5.0.7")
    True
    """
    if (match := _NUMBERS.match(text.strip())) is None:
        raise InvalidInputError(f"{text!r} is no version", "write it as 5.0.11 or 5")
    return tuple(int(part) for part in match[0].split("."))


def version_text(version: Version) -> str:
    """The version as it is written.

    >>> version_text((5, 0, 11))
    '5.0.11'
    """
    return ".".join(map(str, version))


Ranks = Literal["any", "two", "even", "power of two"]
SERVES: dict[str, Callable[[int], bool]] = {
    "any": lambda n: True,
    "two": lambda n: n == 2,
    "even": lambda n: n % 2 == 0,
    "power of two": lambda n: n & (n - 1) == 0,
}
# Options of libraries, and those of `contend.schedules` that say the same.
CATALOGUE_OPTIONS = {"segment": "segment", "fanout": "degree", "k": "degree", "requests": "window"}
# Operations of which the catalogue has none of their own, and those that stand for them.
_STANDS_FOR = {"allgatherv": "allgather", "reduce_scatter_block": "reduce_scatter"}
OWN_CHOICE = "default"  # what the library takes if none is selected
# Of `wrong_where`.
TWO_LAYOUTS = "that send elements of another layout than they receive"
UNEVEN_IN_PLACE = "in place with blocks of several sizes"
ERROR = "error"  # what a call that an algorithm does not serve ends with, if nothing runs instead


@dataclass(frozen=True)
class LibraryAlgorithm:
    """An algorithm of a library for one operation.

    `options` are numbers that it takes: segment (bytes), fanout (children or chains), k (radix of
    a tree or an exchange), requests (messages under way). `defaults` holds what the library takes
    where one is not given; a segment of 0 sends messages whole.

    `catalogue` is the algorithm of `contend.schedules` that sends the same messages, if the
    options are those of `catalogue_where`; `catalogue_otherwise` where n is no power of two. Where
    none can, `chain` may tell the longest chains of messages that wait for each other, by n.

    `reorders_operands`: when selected, the library does not ask whether the operation commutes,
    and one that does not gives wrong results. `wrong_where`: valid calls, in words, that fail or
    give wrong results up to before the version `wrong_before`.
    """

    operation: str
    name: str
    number: int | None = None
    options: tuple[str, ...] = ()
    catalogue: str | None = None
    catalogue_where: Mapping[str, int] = field(default_factory=dict, hash=False)
    catalogue_otherwise: str | None = None
    nearest: str | None = None  # of `catalogue_of`, where none of the catalogue sends the same
    ranks: Ranks = "any"  # numbers of ranks that it serves itself
    other_ranks: str | None = None  # what runs for others: a name, `OWN_CHOICE` or `ERROR`
    few_elements: str | None = None  # what runs for fewer elements than ranks, if not itself
    few_below_power: bool = False  # fewer than the largest power of two that is not above n
    in_place: str | None = None  # what runs where the blocks are in place, if not itself
    unsegmented: str | None = None  # what runs where messages are not cut, if not itself
    reorders_operands: bool = False  # seen by running, tests/exports/test_operand_order.py
    wrong_where: str = ""  # seen by running, tests/exports/test_results.py
    wrong_before: Version = (9999,)  # a version that there is not yet
    pieces: int = 1  # that it cuts a message into, each of which goes in segments
    catalogue_whole: str | None = None  # where a piece is empty, or shorter than the segment
    # Messages, and blocks in these.
    chain: Mapping[int, tuple[int, int]] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, int] = field(default_factory=dict, hash=False)
    since: Version = ()
    before: Version = (9999,)  # the first version without it
    library_name: str = ""  # the library's name, where several of ours are one of it
    fixed: Mapping[str, str] = field(default_factory=dict, hash=False)  # what sets them apart

    @property
    def own_name(self) -> str:
        """The name by which the library knows it."""
        return self.library_name or self.name

    @property
    def catalogue_of(self) -> str:
        """The operation of the catalogue that stands for its operation."""
        return _STANDS_FOR.get(self.operation, self.operation)

    def serves(self, n: int) -> bool:
        """Whether it runs on n ranks, and not something else in its place."""
        return SERVES[self.ranks](n)

    def handed_to(
        self, n: int, elements: int, options: Mapping[str, int], *, is_in_place: bool
    ) -> str | None:
        """What runs in its place for a call, by name; None where it runs itself.

        >>> ring = LibraryAlgorithm("allreduce", "ring", 4, few_elements="recursive_doubling")
        >>> ring.handed_to(8, 4, {}, is_in_place=False)
        'recursive_doubling'
        """
        least = 1 << n.bit_length() - 1 if self.few_below_power else n
        reasons = (
            (is_in_place, self.in_place),
            (not SERVES[self.ranks](n), self.other_ranks),
            (elements < least, self.few_elements),
            (not options.get("segment"), self.unsegmented),
        )
        return next((other for holds, other in reasons if holds and other), None)

    def equivalent(self, n: int, options: Mapping[str, int]) -> str | None:
        """The algorithm of `contend.schedules` that sends the same messages, None if there is none.

        >>> chain = LibraryAlgorithm("bcast", "chain", 2, ("segment", "fanout"),
        ...                          "segmented_chain", {"fanout": 1}, defaults={"fanout": 4})
        >>> chain.equivalent(8, {"fanout": 1}), chain.equivalent(8, {})
        ('segmented_chain', None)
        """
        given = {**self.defaults, **options}
        if not self.serves(n) or any(
            given.get(name) != value for name, value in self.catalogue_where.items()
        ):
            return None
        is_other = self.catalogue_otherwise and not SERVES["power of two"](n)
        name = self.catalogue_otherwise if is_other else self.catalogue
        if name is None or algorithms(self.operation).get(name).restriction(n):
            return None
        return name

    def scheduled(
        self, n: int, m: int, options: Mapping[str, int]
    ) -> tuple[Algorithm, dict[str, int]] | None:
        """The schedule that sends the same messages, and its options; None where there is none.

        Without a segment a message goes as a whole, or in the pieces that it is cut into.
        """
        name = self.equivalent(n, options)
        if name is None:
            return None
        given = {
            CATALOGUE_OPTIONS[key]: value
            for key, value in {**self.defaults, **options}.items()
            if key in CATALOGUE_OPTIONS and value > 0
        }
        segment, piece = given.get("segment", 0), -(-m // self.pieces)
        if self.catalogue_whole and (m < self.pieces or segment > m // self.pieces):
            name, piece = self.catalogue_whole, m
        given["segment"] = max(min(segment or piece, piece), 1)
        entry = algorithms(self.operation).get(name)
        return entry, {key: value for key, value in given.items() if key in entry.options}


def table_of(library: str) -> tuple[LibraryAlgorithm, ...]:
    """Return the algorithms of a library, of a file that says by name what is not the usual."""
    path = files("contend.schedules.libraries").joinpath("algorithms", f"{library}.toml")
    table = tomllib.loads(path.read_text())
    return tuple(
        LibraryAlgorithm(operation, name, **{key: _fact(key, fact) for key, fact in row.items()})
        for operation, rows in table.items()
        for name, row in rows.items()
    )


def _fact(key: str, value: Any) -> Any:
    """Return a value as the algorithm has it, of what TOML has in its place."""
    if key in ("since", "before", "wrong_before"):
        return version_of(value)
    if key == "chain":
        return {int(n): tuple(longest) for n, longest in value.items()}
    return tuple(value) if key == "options" else value
