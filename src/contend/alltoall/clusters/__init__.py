"""Groups of hosts behind slower links: declared, of nodes, or discovered."""

from contend.alltoall.clusters.groups import Groups, Level

__all__ = ["Groups", "Level"]
