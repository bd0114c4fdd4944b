"""Times of every algorithm at every size of a scenario, each solved once."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.exchange_at_scale.joined import Joined
from benchmarks.exchange_at_scale.libraries import LIBRARIES
from benchmarks.exchange_at_scale.pick import Pick
from benchmarks.exchange_at_scale.portfolio import Member, seconds


@dataclass(frozen=True)
class Scenario:
    """A network with the sizes, and the members of the portfolio, that are solved on it."""

    name: str
    network: Joined
    sizes: Sequence[int]
    members: tuple[Member, ...]

    def library_picks(self, m: int) -> dict[str, Pick]:
        """What each library takes."""
        return {name: rule(self.network.hosts, m) for name, rule in LIBRARIES.items()}


@dataclass(frozen=True)
class Timed:
    """What was solved, and its time in seconds."""

    pick: Pick
    seconds: float


@dataclass(frozen=True)
class Row:
    """Of one size: times by library, and by member with its best option."""

    m: int
    bound: float
    libraries: dict[str, Timed]
    members: dict[str, Timed]

    @property
    def best(self) -> Timed:
        """The fastest member."""
        return min(self.members.values(), key=_seconds)

    def gain(self, library: str) -> float:
        """Time of a library over that of the fastest member."""
        return self.libraries[library].seconds / self.best.seconds


def rows(scenario: Scenario) -> list[Row]:
    """A row per size; solved algorithm by algorithm, so that each schedule is made once."""
    network = scenario.network
    asked = {
        (pick, m)
        for m in scenario.sizes
        for member in scenario.members
        for pick in member.picks(network, m)
    }
    asked |= {(pick, m) for m in scenario.sizes for pick in scenario.library_picks(m).values()}
    found = {(pick, m): Timed(pick, seconds(network, pick, m)) for pick, m in sorted(asked)}
    return [
        Row(
            m,
            network.bound(m),
            {name: found[pick, m] for name, pick in scenario.library_picks(m).items()},
            {
                member.name: min(
                    (found[pick, m] for pick in member.picks(network, m)), key=_seconds
                )
                for member in scenario.members
            },
        )
        for m in scenario.sizes
    ]


def _seconds(timed: Timed) -> float:
    return timed.seconds
