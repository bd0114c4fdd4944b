"""Communicators of DUMPI traces: who is in them, from what all ranks say when they make them.

A rank numbers its communicators and groups itself. The n-th communicator that ranks make from one
that they share is one call of all of them, so the ranks are followed side by side: one waits there
for the others, as in the program.
"""

from collections import defaultdict, deque
from collections.abc import Generator
from dataclasses import dataclass

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


@dataclass(frozen=True)
class _Offer:
    """What a rank brings to the call by which ranks of a communicator make others."""

    call: Call
    which: object  # of the new communicators it is in
    order: int  # among the ranks of it
    is_member: bool


_Walk = Generator[tuple[int, _Offer], int | None, None]  # with the communicator that meets


def communicators_of(texts: list[RankText], builder: TraceBuilder) -> Communicators:
    """The communicators that the ranks of a program make.

    Raises
    ------
    FileFormatError
        Where not all ranks of one make another from it, with the line of one that does.
    """
    return _Meetings(texts, builder).run()


class _Meetings:
    def __init__(self, texts: list[RankText], builder: TraceBuilder) -> None:
        self.texts = texts
        self.builder = builder
        ranks = range(len(texts))
        self.found = Communicators([[*ranks]], [{} for _ in ranks], [])
        self.found.own = [self._new([rank]) for rank in ranks]
        self.dims: dict[int, list[int]] = {}  # of those that are grids

    def run(self) -> Communicators:
        walks = [self._walk(rank) for rank in range(len(self.texts))]
        waiting: defaultdict[int, dict[int, _Offer]] = defaultdict(dict)
        ready: deque[tuple[int, int | None]] = deque((rank, None) for rank in range(len(walks)))
        while ready:
            rank, index = ready.popleft()
            try:
                parent, offer = walks[rank].send(index)
            except StopIteration:
                continue
            waiting[parent][rank] = offer
            if len(waiting[parent]) == len(self.found.members[parent]):
                ready += self._meet(self.found.members[parent], waiting.pop(parent))
        if waiting:
            rank, parent = min((rank, comm) for comm, offers in waiting.items() for rank in offers)
            call, members = waiting[parent][rank].call, self.found.members[parent]
            missing = next(member for member in members if member not in waiting[parent])
            raise self.texts[rank].error(
                call.line, f"{call.name} waits for rank {missing}, which does not make it"
            )
        return self.found

    def _walk(self, rank: int) -> _Walk:
        """Follow a rank through its calls; it waits where it meets others, for what they made."""
        text = self.texts[rank]
        comms = {WORLD: 0, SELF: self.found.own[rank]}
        groups: dict[int, list[int]] = {}
        for call in text.calls:
            try:
                made: int | None = UNKNOWN
                if call.name in MEETINGS:
                    if (parent := comms.get(call.number("oldcomm"), UNKNOWN)) != UNKNOWN:
                        made = yield parent, self._offer(rank, call, parent, groups)
                elif call.name == "MPI_Comm_group":
                    index = comms.get(call.number("comm"), UNKNOWN)
                    members = None if index == UNKNOWN else self.found.members[index]
                    _set(groups, call.number("group"), members)
                elif call.name.startswith("MPI_Group_") and "newgroup" in call.values:
                    _set(groups, call.number("newgroup"), _group(groups, call))
                if made is not None and "newcomm" in call.values:
                    comms[call.number("newcomm")] = made
                    self.found.made[rank][call.line] = made
            except WrongCallError as error:
                raise text.wrong(call, error) from None

    def _offer(self, rank: int, call: Call, parent: int, groups: dict[int, list[int]]) -> _Offer:
        place = self.found.members[parent].index(rank)
        if call.number("newcomm") <= NULL:
            return _Offer(call, None, place, is_member=False)
        if call.name == "MPI_Comm_split":
            return _Offer(call, call.number("color"), call.number("key"), is_member=True)
        if call.name == "MPI_Comm_create":
            group = groups.get(call.number("group"), [])
            if rank not in group:
                raise WrongCallError("is of a group that is not known to have its rank")
            return _Offer(call, tuple(group), group.index(rank), is_member=True)
        if call.name == "MPI_Cart_sub":
            return _Offer(call, self._line_of(call, parent, place), place, is_member=True)
        if call.name == "MPI_Cart_create":
            call.numbers("dims")
        return _Offer(call, None, place, is_member=True)

    def _meet(self, members: list[int], offers: dict[int, _Offer]) -> list[tuple[int, int | None]]:
        """All members of a communicator, and of each what it is in that they made."""
        first = offers[members[0]].call
        groups: defaultdict[object, list[tuple[int, int, int]]] = defaultdict(list)
        for place, rank in enumerate(members):
            offer = offers[rank]
            if offer.call.name != first.name:
                what = f"{offer.call.name} meets {first.name} of rank {members[0]}"
                raise self.texts[rank].error(offer.call.line, what)
            if offer.is_member:
                groups[offer.which].append((offer.order, place, rank))
        made: dict[int, int] = {}
        for group in groups.values():
            ranks = [rank for _, _, rank in sorted(group)]
            index = self._new(ranks)
            made |= dict.fromkeys(ranks, index)
            if first.name == "MPI_Cart_create":
                self.dims[index] = first.numbers("dims")
        return [(rank, made.get(rank)) for rank in members]

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


def _set(groups: dict[int, list[int]], number: int, members: list[int] | None) -> None:
    groups.pop(number, None)
    if members is not None:
        groups[number] = members


def _group(groups: dict[int, list[int]], call: Call) -> list[int] | None:
    """Members of a group that is made; none where it is not known."""
    known = {**groups, _EMPTY_GROUP: []}
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
