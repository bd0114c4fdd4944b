"""Hosts to the groups of a file: by shell patterns of their names, or by subnets.

A name matches with or without its domain: node7.example.org is tried as node7 too. Addresses are
looked up only where a level has a subnet.
"""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from contend.alltoall.clusters.file import DeclaredGroup, DeclaredLevel, GroupsFile
from contend.alltoall.clusters.groups import Groups, Level
from contend.base.errors import InvalidInputError

Addresses = Callable[[str], Sequence[str]]


def addresses_of(host: str) -> list[str]:
    """Addresses of a host by the resolver of this machine; none for a name that it does not know.

    >>> addresses_of("127.0.0.1")
    ['127.0.0.1']
    """
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return sorted({str(entry[4][0]).partition("%")[0] for entry in entries})


def assign(
    declared: GroupsFile, hosts: Sequence[str], addresses: Addresses = addresses_of
) -> Groups:
    """The groups of hosts, by name; `addresses` says those of a host.

    Raises
    ------
    InvalidInputError
        For a host in no group of a level or in two, or a level that does not refine the one above.
    """
    return Groups(
        tuple(
            Level.of(level.name, [_group_of(host, level, addresses) for host in hosts])
            for level in declared.levels
        )
    )


def _group_of(host: str, level: DeclaredLevel, addresses: Addresses) -> str:
    texts: Sequence[str] = ()
    if any(group.subnet for group in level.groups):
        texts = addresses(host)
    names = [group.name for group in level.groups if _has(group, host, texts)]
    if len(names) == 1:
        return names[0]
    subject = f"host {host!r}{f' ({texts[0]})' if texts else ''}"
    if names:
        raise InvalidInputError(
            f"{subject} is in two groups of level {level.name!r}: {names[0]!r} and {names[1]!r}",
            "make their patterns and subnets distinct",
        )
    raise InvalidInputError(
        f"{subject} is in no group of level {level.name!r}",
        f"add it to one of {', '.join(group.name for group in level.groups[:5])}, or a new one",
    )


def _has(group: DeclaredGroup, host: str, addresses: Sequence[str]) -> bool:
    network = group.network
    if network is None:
        names = {host, host.partition(".")[0]}
        return any(fnmatchcase(name, pattern) for name in names for pattern in group.hosts)
    return any(ipaddress.ip_address(address) in network for address in addresses)
