"""Where the ranks of an exchange are: the host of each, and their groups at every level."""

from collections.abc import Sequence
from dataclasses import dataclass

from contend.clusters.file import GroupsFile
from contend.clusters.groups import Groups, Level, nodes_of
from contend.clusters.matching import assign
from contend.lab.specification import Lab


@dataclass(frozen=True)
class Placement:
    """The host of every rank, and the levels of groups of ranks, outermost first, nodes last."""

    hosts: tuple[str, ...]
    groups: Groups

    @property
    def n(self) -> int:
        return len(self.hosts)

    @property
    def dividing(self) -> Level:
        """The outermost level with several groups; the nodes where none has."""
        several = [level for level in self.groups.levels if len(level.names) > 1]
        return several[0] if several else self.groups.levels[-1]

    @property
    def sizes(self) -> list[int]:
        """Ranks of each group of the level that divides them."""
        return [len(members) for members in self.dividing.members]

    @property
    def node_sizes(self) -> list[int]:
        """Ranks of each node."""
        return [len(members) for members in self.groups.levels[-1].members]


def placed(declared: GroupsFile, hosts: Sequence[str]) -> Placement:
    """The placement of ranks on `hosts`, one name for each rank.

    >>> placed(GroupsFile(), ["a", "a", "b", "b"]).sizes
    [2, 2]
    """
    return Placement(tuple(hosts), assign(declared, hosts).below(nodes_of(hosts)))


def hosts_on_lab(lab: Lab, n: int, per_node: int | None) -> list[str]:
    """Host of each of `n` ranks on a lab, as its launchers fill one host after the other.

    >>> from contend.lab import read_lab
    >>> hosts_on_lab(read_lab("fast-ethernet"), 4, 2)
    ['node1', 'node1', 'node2', 'node2']
    """
    names = [host.name for host in lab.hosts]
    return [names[rank // (per_node or 1)] for rank in range(n)]
