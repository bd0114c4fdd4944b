"""Communicators of DUMPI traces: who is in them, from what all ranks say when they make them.

A rank numbers its communicators and groups itself. The n-th communicator that ranks make from one
that they share is one call of all of them, so the ranks are followed side by side: one waits there
for the others, as in the program.
"""

from collections import defaultdict, deque
from collections.abc import Generator, Hashable, Sequence
from dataclasses import dataclass

from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.dumpi.text import Call

NULL, WORLD, SELF = 1, 2, 3  # numbers of dumpi/common/constants.h
EMPTY_GROUP = 2
UNKNOWN = -1  # index of a communicator whose members are not known
MEETINGS = (
    "MPI_Comm_dup", "MPI_Comm_split", "MPI_Comm_create", "MPI_Cart_create", "MPI_Cart_sub",
    "MPI_Graph_create",
)  # fmt: skip
Groups = dict[int, list[int] | None]  # members by number; None where they are not known


@dataclass(frozen=True)
class Offer:
    """What a rank brings to the call by which ranks of a communicator make others."""

    call: Call
    parent: int
    which: Hashable  # of the new communicators it is in; None for none of them
    order: int  # among the ranks of it


Walk = Generator[Offer, int | None, None]  # of a rank, which gets the index of what was made


class Communicators:
    """Members of all communicators, in ranks of the world, by index in the trace."""

    def __init__(self, builder: TraceBuilder, ranks: int) -> None:
        self._builder = builder
        self._dims: dict[int, list[int]] = {}  # of those that are grids
        self.members: list[list[int]] = [[*range(ranks)]]
        self.alone = [self._new([rank]) for rank in range(ranks)]  # index of MPI_COMM_SELF

    def follow(self, walks: Sequence[Walk]) -> None:
        """Run all ranks to their ends.

        Raise FileFormatError where not all ranks of one make another from it, with the line of one
        that does.
        """
        waiting: defaultdict[int, dict[int, Offer]] = defaultdict(dict)
        ready: deque[tuple[int, int | None]] = deque((rank, None) for rank in range(len(walks)))
        while ready:
            rank, made = ready.popleft()
            try:
                offer = walks[rank].send(made)
            except StopIteration:
                continue
            offers = waiting[offer.parent]
            offers[rank] = offer
            if len(offers) == len(self.members[offer.parent]):
                ready += self._meet(waiting.pop(offer.parent))
        if waiting:
            rank, parent = min((rank, comm) for comm, offers in waiting.items() for rank in offers)
            offers = waiting[parent]
            missing = next(member for member in self.members[parent] if member not in offers)
            raise offers[rank].call.error(f"waits for rank {missing}, which does not make it")

    def offer(self, rank: int, call: Call, parent: int, groups: Groups) -> Offer:
        """Return what a rank brings to a call of `MEETINGS`."""
        place = self.members[parent].index(rank)
        which: Hashable = ()
        if call.number("newcomm") <= NULL:
            which = None
        elif call.name == "MPI_Comm_split":
            which, place = call.number("color"), call.number("key")
        elif call.name == "MPI_Comm_create":
            group = groups.get(call.number("group")) or []
            if rank not in group:
                raise call.error("is of a group that is not known to have its rank")
            which, place = tuple(group), group.index(rank)
        elif call.name == "MPI_Cart_sub":
            which = self._line_of(call, parent, place)
        return Offer(call, parent, which, place)

    def _meet(self, offers: dict[int, Offer]) -> list[tuple[int, int | None]]:
        """Return all members of a communicator, and of each what it is in that they made."""
        members = self.members[next(iter(offers.values())).parent]
        first = offers[members[0]].call
        groups: defaultdict[Hashable, list[tuple[int, int, int]]] = defaultdict(list)
        for place, rank in enumerate(members):
            offer = offers[rank]
            if offer.call.name != first.name:
                raise offer.call.error(f"meets {first.name} of rank {members[0]}")
            if offer.which is not None:
                groups[offer.which].append((offer.order, place, rank))
        made: dict[int, int] = {}
        for group in groups.values():
            ranks = [rank for _, _, rank in sorted(group)]
            index = self._new(ranks)
            made |= dict.fromkeys(ranks, index)
            if first.name == "MPI_Cart_create":
                self._dims[index] = first.numbers("dims")
        return [(rank, made.get(rank)) for rank in members]

    def _line_of(self, call: Call, parent: int, place: int) -> tuple[int, ...]:
        """Return coordinates of a rank of a grid in the dimensions that are not kept."""
        dims, kept = self._dims.get(parent, []), call.numbers("remain_dims")
        if len(dims) != len(kept) or any(dim < 1 for dim in dims):
            raise call.error(f"has {len(kept)} dimensions, its grid {len(dims)}")
        coordinates = []
        for dim, is_kept in zip(reversed(dims), reversed(kept), strict=True):
            coordinates += [] if is_kept else [place % dim]
            place //= dim
        return tuple(coordinates)

    def _new(self, members: list[int]) -> int:
        self.members.append(members)
        return self._builder.communicator(members)


def group_of(groups: Groups, call: Call) -> list[int] | None:
    """Return the members of a group that a call makes of others; None where they are not known."""
    if "group1" in call.values:
        first, second = (groups.get(call.number(name)) for name in ("group1", "group2"))
        if first is None or second is None:
            return None
        return {
            "MPI_Group_union": first + [rank for rank in second if rank not in first],
            "MPI_Group_intersection": [rank for rank in first if rank in second],
            "MPI_Group_difference": [rank for rank in first if rank not in second],
        }.get(call.name)
    members = groups.get(call.number("group"))
    if members is None:
        return None
    places = call.numbers("ranks" if "ranges" not in call.values else "ranges")
    if "ranges" in call.values:
        triples = list(zip(*[iter(places)] * 3, strict=False))
        if any(step == 0 for _, _, step in triples):
            raise call.error("has a range with a step of 0")
        places = [
            place
            for first, last, step in triples
            for place in range(first, last + (1 if step > 0 else -1), step)[: len(members)]
        ]
    if not all(0 <= place < len(members) for place in places):
        raise call.error(f"names a rank that its group of {len(members)} does not have")
    if call.name.endswith("_incl"):
        return [members[place] for place in dict.fromkeys(places)]
    return [rank for place, rank in enumerate(members) if place not in set(places)]
