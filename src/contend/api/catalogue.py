"""What there is: algorithms, emulated networks, formats, models, groups of hosts."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from contend.api.registries import KINDS, names
from contend.api.schemas import FORMATS, schema_text
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from, operation_of
from contend.base.result import Cell, Line, Part, Result, Table
from contend.measure.campaigns.hosts import describe_groups
from contend.measure.lab import profile_path, profiles, read_lab
from contend.measure.lab.text import backbone_lines, buffer_text, rate_text
from contend.schedules.catalogue import catalogue, first_sentence


def describe(kind: str, name: str | None = None, hosts: Sequence[str] = ()) -> Result:
    """Return what there is of a kind.

    Parameters
    ----------
    kind
        algorithms (of a collective operation, or of all), labs (all, or that of a name or a TOML
        file), groups (of the file `name`; of the
        `hosts` too), schema (of a format), or any of `names`.

    >>> [row["name"] for row in describe("readers").data][:2]
    ['contend_csv', 'contend_watch']
    """
    if kind == "algorithms":
        return _algorithms(name and operation_of(name))
    if kind == "labs":
        return _labs(name)
    if kind == "schema":
        if name is None:
            rows = [{"name": each} for each in FORMATS]
            return Result(rows, [Table(rows), "to see one: contend list schema NAME"])
        if name not in FORMATS:
            raise InvalidInputError(f"no format is named {name!r}", choose_from(name, FORMATS))
        return Result(json.loads(schema_text(name)), [Line(schema_text(name), end="")])
    if kind == "groups":
        if name is None:
            raise InvalidInputError("no groups file", "name one: contend list groups clusters.toml")
        return describe_groups(Path(name), hosts)
    if kind not in KINDS:
        raise InvalidInputError(f"no kind {kind!r} is listed", choose_from(kind, names("kinds")))
    if name is not None:
        raise InvalidInputError(
            f"{kind} are listed all together, and not of {name!r}", f"contend list {kind}"
        )
    rows = [{"name": each} for each in names(kind)]
    return Result(rows, [Table(rows)])


def _labs(name: str | None) -> Result:
    """Return the labs that ship, or that of a name or a file, and where to begin one's own."""
    hints: list[Part]
    if name is None:
        labs = list(profiles().values())
        hints = [
            "to look at one: contend draw lab:NAME",
            "to make another: contend list labs NAME says which file to copy and change",
        ]
    else:
        labs = [read_lab(name)]
        hints = [f"to look at it: contend draw lab:{name}"]
        if name in profiles():
            hints.append(Line(f"to make another: copy and change {profile_path(name)}"))
    return Result(labs, [Table(labs, LABS), *hints])


def _algorithms(collective: str | None) -> Result:
    """Return the catalogue; of one operation with closed forms and all restrictions."""
    entries = catalogue(collective)

    def parts() -> Iterator[Part]:
        yield Table(entries, ALGORITHMS)
        if collective is None:
            yield "closed forms and all restrictions: contend list algorithms COLLECTIVE"
            return
        for entry in entries:
            yield Line(
                f"{entry.name}: {entry.title}\n    time: {entry.cost}\n"
                f"    restrictions: {entry.restrictions}"
            )

    return Result(entries, parts())


def _alike(texts: Iterable[str]) -> str:
    """Return the texts of clusters, equal ones once."""
    return " + ".join(dict.fromkeys(texts))


ALGORITHMS: Mapping[str, Cell] = {
    "collective": "collective",
    "algorithm": "name",
    "options": lambda entry: " ".join(["groups"] * entry.needs_groups + list(entry.options)),
    "source": "source",
    "restrictions": lambda entry: first_sentence(entry.restrictions),
    "form": lambda entry: " or ".join(entry.claims),
    "Open MPI": "openmpi",
    "MPICH": "mpich",
}
LABS: Mapping[str, Cell] = {
    "lab": "name",
    "hosts": lambda lab: " + ".join(str(cluster.hosts) for cluster in lab.clusters),
    "rate": lambda lab: _alike(rate_text(cluster.rate) for cluster in lab.clusters),
    "buffers": lambda lab: _alike(buffer_text(cluster.buffer) for cluster in lab.clusters),
    "backbones": lambda lab: "\n".join(
        ", ".join(backbone_lines(backbone)[:2]) for backbone in lab.backbones
    ),
    "stands for": "description",
}
