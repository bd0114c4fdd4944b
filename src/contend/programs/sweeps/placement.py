"""Where ranks are, by a word: block, round-robin, random:SEED, a file, or a host for each rank.

A random placement is the same on every machine and by every version: its order is that of draws
of `random.Random(SEED).random()`, the one sequence that Python promises to keep.
"""

import random
import re
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import read_text
from contend.programs.replay.carriage import place_ranks
from contend.schedules.ragged_rows import Ints

BLOCK, ROUND_ROBIN, RANDOM = "block", "round-robin", "random"
_NAMES = {BLOCK: "block", ROUND_ROBIN: "cyclic", "cyclic": "cyclic"}  # as `place_ranks` has them
_NUMBERS = re.compile(r"\s*\d+(\s*,\s*\d+)*\s*")
HOW = "give block, round-robin, random:SEED, a file, or a host per rank: 0,0,1,1"


def placed(word: str, ranks: int, hosts: int | None, room: int | None = None) -> Ints:
    """The host of each rank, (ranks,).

    Parameters
    ----------
    hosts
        Their number; None: one for each rank.
    room
        Hosts of the network, over which a random placement goes where `hosts` does not say.

    >>> placed("round-robin", 4, 2).tolist(), placed("random:1", 4, 2).tolist()
    ([0, 1, 0, 1], [0, 1, 1, 0])
    """
    if word in _NAMES:
        return place_ranks(ranks, hosts, _NAMES[word])
    if _NUMBERS.fullmatch(word):
        return place_ranks(ranks, hosts, [int(host) for host in word.split(",")])
    if (seed := seed_of(word)) is not None:
        return _random(seed, ranks, hosts or room or ranks)
    return place_ranks(ranks, hosts, _of_file(word))


def seed_of(word: str) -> int | None:
    """The seed of a random placement; None for another."""
    name, _, seed = word.partition(":")
    if name != RANDOM:
        return None
    if not seed.isdecimal():
        raise InvalidInputError(f"a placement {word!r}", "give a seed: random:1")
    return int(seed)


def is_file(word: str) -> bool:
    return word not in _NAMES and not _NUMBERS.fullmatch(word) and seed_of(word) is None


def _random(seed: int, ranks: int, hosts: int) -> Ints:
    """As many ranks on a host as block has, any of them, and any of the hosts."""
    draws = random.Random(seed)
    host = place_ranks(ranks, hosts, BLOCK).tolist()
    name, rank = _order(draws, hosts), _order(draws, ranks)
    return place_ranks(ranks, hosts, [name[host[rank[place]]] for place in range(ranks)])


def _order(draws: random.Random, count: int) -> list[int]:
    keys = [draws.random() for _ in range(count)]
    return sorted(range(count), key=keys.__getitem__)


def _of_file(word: str) -> list[int]:
    """Hosts of ranks, numbers apart by blanks, commas or lines; what follows a # is a comment."""
    path = Path(word)
    if not path.is_file():
        raise InvalidInputError(f"a placement {word!r}, which is no file", HOW)
    words = re.sub(r"#.*", " ", read_text(path)).replace(",", " ").split()
    if not words or not all(host.isdecimal() for host in words):
        raise FileFormatError(f"{path} is no list of hosts", "write the host of each rank, from 0")
    return [int(host) for host in words]
