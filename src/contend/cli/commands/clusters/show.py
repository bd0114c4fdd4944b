"""contend clusters show: what a groups file declares, and which group a host is in."""

from collections.abc import Iterator
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.matching import assign
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result, Table

ORDER = 1
EXAMPLE = "contend clusters show clusters.toml --hosts left1,right3"


def command(
    groups_file: Path = argument("Groups file (TOML)."),
    hosts: str | None = option("Also say the groups of these, e.g. a1,b2.", "--hosts"),
) -> Result:
    """Show the levels and groups of a file, and check that each host is in one of each level."""
    declared = read_groups(groups_file)
    named = [name.strip() for name in (hosts or "").split(",") if name.strip()]
    assigned = assign(declared, named) if named else None
    of_hosts = {
        host: {level.name: level.names[level.groups[index]] for level in assigned.levels}
        for index, host in enumerate(named)
        if assigned is not None
    }
    data = declared.model_dump(mode="json", exclude_none=True) | {"hosts": of_hosts}
    return Result(data, _parts(groups_file, declared, of_hosts))


def _parts(path: Path, declared: GroupsFile, of_hosts: dict[str, dict[str, str]]) -> Iterator[Part]:
    rows = [
        {
            "level": level.name,
            "group": group.name,
            "hosts": group.subnet or " ".join(group.hosts),
            "written by": "a measurement" if level.discovered else "hand",
        }
        for level in declared.levels
        for group in level.groups
    ]
    if not rows:
        yield Line(f"{path} declares no level: all hosts are one group")
        return
    yield Table(rows)
    if of_hosts:
        yield Table([{"host": host, **groups} for host, groups in of_hosts.items()])
