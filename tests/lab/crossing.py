"""Links under flow control in steps of time, by the rules of lab/switch/crossbar.h word by word.

Slow and simple: at each tick everything is looked at, nothing is scheduled. A tick is what UNIT
bytes need on the fastest link; frames with their framing are multiples of it.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

UNIT = 100

Frame = tuple[int, str, str, int]  # moment, from, to, bytes


@dataclass
class Wire:
    """A link: ticks for UNIT bytes, room and delay, and what waits at both of its ends."""

    ticks: int
    room: int | None
    delay: int
    before: list[int] = field(default_factory=list)
    behind: list[int] = field(default_factory=list)
    used: int = 0
    busy_until: int = 0
    turn: int = 0
    paused: int = 0


def crossed(
    wires: dict[str, Wire], routes: dict[tuple[str, str], list[str]], frames: Sequence[Frame]
) -> list[int]:
    """The moment at which each frame comes to its host."""
    feeders: dict[str, list[str]] = {name: [] for name in wires}
    for path in routes.values():
        for former, link in itertools.pairwise(path):
            if former not in feeders[link]:
                feeders[link].append(former)
    hops, done = [0] * len(frames), [-1] * len(frames)
    leaving: dict[str, int] = {}  # the frame on each busy link
    coming = [(moment, number) for number, (moment, *_) in enumerate(frames)]
    credits: list[tuple[int, str, int]] = []
    tick = 0

    def path(number: int) -> list[str]:
        return routes[frames[number][1], frames[number][2]]

    def queues(link: str) -> list[list[int]]:
        return [*(wires[name].behind for name in feeders[link]), wires[link].before]

    while min(done) < 0:
        for link, number in [*leaving.items()]:
            if wires[link].busy_until == tick:
                del leaving[link]
                where = wires[path(number)[hops[number] - 1]].behind if hops[number] else None
                (wires[link].before if where is None else where).remove(number)
                if hops[number]:
                    former = path(number)[hops[number] - 1]
                    credits.append((tick + wires[former].delay, former, frames[number][3]))
                hops[number] += 1
                coming.append((tick + wires[link].delay, number))
        for moment, link, size in credits:
            wires[link].used -= size if moment == tick else 0
        for moment, number in coming:
            if moment == tick:
                if hops[number] == len(path(number)):
                    done[number] = tick
                elif hops[number] == 0:
                    wires[path(number)[0]].before.append(number)
                else:
                    wires[path(number)[hops[number] - 1]].behind.append(number)
        for link, wire in wires.items():
            if link in leaving:
                continue
            inputs = queues(link)
            for place in range(len(inputs)):
                queue = inputs[(wire.turn + place) % len(inputs)]
                if not queue or queue[0] in leaving.values():
                    continue
                number = queue[0]
                if path(number)[hops[number]] != link:
                    continue
                size, is_last = frames[number][3], hops[number] + 1 == len(path(number))
                if is_last or wire.room is None or wire.used + size <= wire.room:
                    wire.used += 0 if is_last else size
                    wire.busy_until = tick + (size + 24) // UNIT * wire.ticks
                    wire.turn = (wire.turn + place + 1) % len(inputs)
                    leaving[link] = number
                else:
                    wire.paused += 1
                break
        tick += 1
    return done
