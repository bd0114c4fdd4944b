"""Communicators of DUMPI traces: who is in them, from what all ranks say when they make them.

A rank numbers its communicators and groups itself. The n-th communicator that ranks make from one
that they share is one call of all of them, so the ranks are followed side by side: one waits there
for the others, as in the program.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from contend.traces.builder import TraceBuilder
from contend.traces.dumpi.text import Call, RankText, WrongCallError

NULL, WORLD, SELF = 1, 2, 3  # numbers of dumpi/common/constants.h
_EMPTY_GROUP = 2
UNKNOWN = -1
MEETINGS = (
    "MPI_Comm_dup",
    "MPI_Comm_split",
    "MPI_Comm_create",
    "MPI_Cart_create",
    "MPI_Cart_sub",
    "MPI_Graph_create",
)


@dataclass
class Communicators:
    """Those of all ranks."""

    members: list[list[int]]  # in ranks of the world, by index in the trace
    made: list[dict[int, int]]  # of each rank: index of what a call makes, by line; or UNKNOWN
    own: list[int]  # of each rank: index of MPI_COMM_SELF


@dataclass
class _Walk:
    """A rank on its way through its calls."""

    rank: int
    text: RankText
    at: int = 0
    comms: dict[int, int] = field(default_factory=dict)
    groups: dict[int, list[int]] = field(default_factory=dict)
    met: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # by communicator
    waits: tuple[int, int] | None = None  # for others: communicator and how many were made of it


def communicators_of(texts: list[RankText], builder: TraceBuilder) -> Communicators:
    """The communicators that the ranks of a program make.

    Raises
    ------
    FileFormatError
        Where not all ranks of one make another from it, with the line of one that does.
    """
    return _Meeting(texts, builder).run()


class _Meeting:
    def __init__(self, texts: list[RankText], builder: TraceBuilder) -> None:
        self.builder = builder
        ranks = len(texts)
        self.found = Communicators([list(range(ranks))], [{} for _ in texts], [])
        self.found.own = [self._new([rank]) for rank in range(ranks)]
        self.dims: dict[int, list[int]] = {}  # of those that are grids
        self.walks = [
            _Walk(rank, text, comms={WORLD: 0, SELF: own})
            for rank, (text, own) in enumerate(zip(texts, self.found.own, strict=True))
        ]
        self.waiting: dict[tuple[int, int], dict[int, Call]] = defaultdict(dict)

    def run(self) -> Communicators:
        ready = list(self.walks)
        while ready:
            ready = [other for walk in ready for other in self._walk(walk)]
        for walk in self.walks:
            if walk.waits is not None:
                call = walk.text.calls[walk.at]
                missing = next(
                    rank
                    for rank in self.found.members[walk.waits[0]]
                    if rank not in self.waiting[walk.waits]
                )
                raise walk.text.error(
                    call.line, f"{call.name} waits for rank {missing}, which does not make it"
                )
        return self.found

    def _walk(self, walk: _Walk) -> list[_Walk]:
        """Follow a rank up to where it waits; those that can go on then."""
        while walk.at < len(walk.text.calls):
            call = walk.text.calls[walk.at]
            try:
                if call.name in MEETINGS and (key := self._join(walk, call)) is not None:
                    if len(self.waiting[key]) < len(self.found.members[key[0]]):
                        walk.waits = key
                        return []
                    return self._meet(key)
                self._take(walk, call)
            except WrongCallError as error:
                raise walk.text.wrong(call, error) from None
            walk.at += 1
        return []

    def _join(self, walk: _Walk, call: Call) -> tuple[int, int] | None:
        """Which meeting it is; none where the parent is not known."""
        parent = walk.comms.get(call.number("oldcomm"), UNKNOWN)
        if parent == UNKNOWN:
            self._note(walk, call, UNKNOWN)
            return None
        key = (parent, walk.met[parent])
        walk.met[parent] += 1
        self.waiting[key][walk.rank] = call
        return key

    def _meet(self, key: tuple[int, int]) -> list[_Walk]:
        """Give all members what they made."""
        members, calls = self.found.members[key[0]], self.waiting[key]
        walks = [self.walks[rank] for rank in members]
        first = calls[members[0]]
        for walk in walks:
            call = calls[walk.rank]
            if call.name != first.name:
                raise walk.text.error(
                    call.line, f"{call.name} meets {first.name} of rank {members[0]}"
                )
        groups: dict[object, list[tuple[int, int, int]]] = defaultdict(list)
        for place, walk in enumerate(walks):
            call = calls[walk.rank]
            try:
                if call.number("newcomm") > NULL:
                    which, order = self._which(walk, call, key[0], place)
                    groups[which].append((order, place, walk.rank))
            except WrongCallError as error:
                raise walk.text.wrong(call, error) from None
        for one in groups.values():
            index = self._new([rank for _, _, rank in sorted(one)])
            if first.name == "MPI_Cart_create":
                self.dims[index] = first.numbers("dims")
            for _, _, rank in one:
                self._note(self.walks[rank], calls[rank], index)
        for walk in walks:
            walk.waits = None
            walk.at += 1
        return walks

    def _which(self, walk: _Walk, call: Call, parent: int, place: int) -> tuple[object, int]:
        """Which of the new communicators a rank is in, and what orders its ranks."""
        if call.name == "MPI_Comm_split":
            return call.number("color"), call.number("key")
        if call.name == "MPI_Comm_create":
            group = walk.groups.get(call.number("group"), [])
            if walk.rank not in group:
                raise WrongCallError("is of a group that is not known to have its rank")
            return tuple(group), group.index(walk.rank)
        if call.name == "MPI_Cart_sub":
            return self._line_of(call, parent, place), place
        return None, place

    def _line_of(self, call: Call, parent: int, place: int) -> tuple[int, ...]:
        """Coordinates of a rank of a grid in the dimensions that are not kept."""
        dims, kept = self.dims.get(parent, []), call.numbers("remain_dims")
        if len(dims) != len(kept) or any(dim < 1 for dim in dims):
            raise WrongCallError(f"has {len(kept)} dimensions, its grid {len(dims)}")
        coordinates = []
        for dim in reversed(dims):
            coordinates.append(place % dim)
            place //= dim
        pairs = zip(reversed(coordinates), kept, strict=True)
        return tuple(at for at, is_kept in pairs if not is_kept)

    def _new(self, members: list[int]) -> int:
        self.found.members.append(members)
        return self.builder.communicator(members)

    def _note(self, walk: _Walk, call: Call, index: int) -> None:
        walk.comms[call.number("newcomm")] = index
        self.found.made[walk.rank][call.line] = index

    def _take(self, walk: _Walk, call: Call) -> None:
        """Groups, and communicators that are not followed."""
        if call.name == "MPI_Comm_group":
            index = walk.comms.get(call.number("comm"), UNKNOWN)
            members = None if index == UNKNOWN else self.found.members[index]
            _set(walk.groups, call.number("group"), members)
        elif call.name.startswith("MPI_Group_") and "newgroup" in call.values:
            _set(walk.groups, call.number("newgroup"), _group(walk, call))
        elif "newcomm" in call.values and call.name not in MEETINGS:
            self._note(walk, call, UNKNOWN)


def _set(groups: dict[int, list[int]], number: int, members: list[int] | None) -> None:
    groups.pop(number, None)
    if members is not None:
        groups[number] = members


def _group(walk: _Walk, call: Call) -> list[int] | None:
    """Members of a group that is made; none where it is not known."""
    known = {**walk.groups, _EMPTY_GROUP: []}
    if "group1" in call.values:
        one, two = (known.get(call.number(name)) for name in ("group1", "group2"))
        if one is None or two is None:
            return None
        return {
            "MPI_Group_union": one + [rank for rank in two if rank not in one],
            "MPI_Group_intersection": [rank for rank in one if rank in two],
            "MPI_Group_difference": [rank for rank in one if rank not in two],
        }.get(call.name)
    members = known.get(call.number("group"))
    if members is None:
        return None
    if "ranges" in call.values:
        numbers = call.numbers("ranges")
        places = []
        for first, last, step in zip(*[iter(numbers)] * 3, strict=False):
            if step == 0:
                raise WrongCallError("has a range with a step of 0")
            places += list(range(first, last + (1 if step > 0 else -1), step)[: len(members)])
    else:
        places = call.numbers("ranks")
    if not all(0 <= place < len(members) for place in places):
        raise WrongCallError(f"names a rank that its group of {len(members)} does not have")
    if call.name.endswith("_incl"):
        return [members[place] for place in dict.fromkeys(places)]
    return [rank for place, rank in enumerate(members) if place not in set(places)]
