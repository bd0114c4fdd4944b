"""What a lab is: clusters of hosts, the backbones between them, and the options of its switch.

A lab is a small TOML file; those that contend ships are the files of the folder `profiles`.
Rates, latencies and time-outs are those of the network that the lab stands for. Where it is too
fast for the machine that emulates it, time is dilated by k: rates are divided and times
multiplied by k. `Link` and everything made of links is in these real terms.
"""

import re
import tomllib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise, permutations
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, ValidationInfo, model_validator

from contend.base.document import Record, first_problem
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.near_names import choose_from
from contend.base.textfile import read_text
from contend.base.units import parse_bytes, parse_rate, parse_seconds
from contend.measure.lab.credits import require_flow
from contend.measure.lab.variants import varied

PREFIX = "lab:"
UNLIMITED = "unlimited"
MOST_HOSTS = 120
LONGEST_NAME = (
    16  # the switch's counter of a backbone between two such names has 55 letters at most
)
LEAST_RATE = 1000.0  # bits/s; a full frame takes 12 s there, and no rate rounds to 0
MOST_DILATION = 1000.0
FULL_FRAME = 1514  # bytes: 1500 and the header of Ethernet
SMALLEST_ON_WIRE = 84  # bytes: the smallest frame with its checksum, preamble and gap


def _text(parse: Callable[[str], float]) -> BeforeValidator:
    """Reads a text such as "50us"; numbers are in bits/s, bytes or seconds already."""

    def read(value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        if value == UNLIMITED:
            return None
        try:
            return parse(value)
        except InvalidInputError as error:
            raise InvalidInputError(f"{info.field_name}: {error.message}", error.remedy) from None

    return BeforeValidator(read)


Rate = Annotated[Annotated[float, Field(ge=LEAST_RATE)] | None, _text(parse_rate)]
Buffer = Annotated[Annotated[int, Field(ge=FULL_FRAME)] | None, _text(parse_bytes)]
Seconds = Annotated[float, Field(ge=0.0), _text(parse_seconds)]


class Cluster(Record):
    """Hosts of one kind at one switch; they are named after it, with a number."""

    name: str = Field(description="letters, digits and hyphens; its hosts are NAME1, NAME2, ...")
    hosts: int = Field(ge=1)
    rate: Rate = Field(description="bits/s of each host's link, both ways; None: unlimited")
    buffer: Buffer = Field(description="bytes of each port of the switch; None: unlimited")
    latency: Seconds = Field(description="one way between two hosts, without serialisation")

    @model_validator(mode="after")
    def _names_hosts(self) -> "Cluster":
        if not re.fullmatch("[a-z]([a-z0-9-]*[a-z-])?", self.name) or len(self.name) > LONGEST_NAME:
            raise InvalidInputError(
                f"{self.name!r} cannot name a cluster: its hosts are named after it, with a number",
                "use small letters, digits and hyphens, a letter first, no digit last, "
                f"{LONGEST_NAME} in all",
            )
        return self


class Backbone(Record):
    """A link between the switches of two clusters, alike in both directions."""

    between: tuple[str, str]
    rate: Rate = Field(description="bits/s; None: unlimited")
    delay: Seconds = Field(description="one way")
    buffer: Buffer = Field(description="bytes at each end; None: unlimited")


@dataclass(frozen=True)
class Host:
    name: str
    cluster: str | None
    address: str
    mac: str


@dataclass(frozen=True)
class Link:
    """One direction of a wire, in real terms; None stands for unlimited."""

    name: str
    rate_bits: float | None
    buffer_bytes: int | None
    delay_s: float

    @property
    def smallest_s(self) -> float:
        """Seconds that the smallest frame takes over it when it is idle."""
        return self.delay_s + (SMALLEST_ON_WIRE * 8 / self.rate_bits if self.rate_bits else 0.0)


class Lab(Record):
    """An emulated network: clusters of hosts, each on a switch, and the backbones between."""

    name: str = Field(min_length=1)
    description: str = Field("", description="what it stands for")
    clusters: tuple[Cluster, ...] = Field(min_length=1)
    backbones: tuple[Backbone, ...] = ()
    mpi: Literal["any", "openmpi", "mpich"] = "any"
    congestion_control: str = Field("reno", pattern="^[a-z0-9_]+$", description="of TCP")
    minimum_rto: Annotated[float, Field(gt=0.0), _text(parse_seconds)] = Field(
        0.2, description="shortest retransmission time-out of TCP, seconds"
    )
    time_dilation: float = Field(1.0, ge=1.0, le=MOST_DILATION)
    flow_control: Literal["none", "credits"] = Field(
        "none",
        description="none: full buffers drop; credits: they stop the link that leads to them",
    )

    @model_validator(mode="after")
    def _is_one_network(self) -> "Lab":
        names = [cluster.name for cluster in self.clusters]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise InvalidInputError(f"two clusters are named {twice[0]!r}", "rename one")
        count = sum(cluster.hosts for cluster in self.clusters)
        if not 2 <= count <= MOST_HOSTS:
            raise InvalidInputError(f"a lab of {count} hosts", f"give it 2 to {MOST_HOSTS}")
        self._check_backbones(names)
        reached = self._paths(names[0])
        if apart := [name for name in names if name not in reached]:
            raise InvalidInputError(
                f"no backbone leads from cluster {names[0]!r} to {apart[0]!r}",
                "add one, or make two labs of it",
            )
        if self.has_credits:
            require_flow(self.links(), self.routes().values(), FULL_FRAME)
        return self

    def _check_backbones(self, names: list[str]) -> None:
        seen: set[frozenset[str]] = set()
        for backbone in self.backbones:
            title, pair = (
                "backbone between {!r} and {!r}".format(*backbone.between),
                backbone.between,
            )
            if unknown := [name for name in pair if name not in names]:
                choices = f"choose from {', '.join(names)}"
                raise InvalidInputError(f"{title}: no cluster is named {unknown[0]!r}", choices)
            if pair[0] == pair[1]:
                raise InvalidInputError(f"{title}: a cluster needs none", "name two clusters")
            if frozenset(pair) in seen:
                raise InvalidInputError(f"a second {title}", "give one, with the rate of both")
            seen.add(frozenset(pair))
        links = [link.name for link in self.links()]
        if twice := [name for name in links if links.count(name) > 1]:
            raise InvalidInputError(f"two links are named {twice[0]!r}", "rename a cluster")

    @property
    def has_credits(self) -> bool:
        """Whether full buffers stop the links that lead to them, and nothing is dropped."""
        return self.flow_control == "credits"

    @property
    def head(self) -> Host:
        return Host("head", None, "10.77.255.1", "02:77:00:00:ff:01")

    @property
    def hosts(self) -> list[Host]:
        return [
            Host(
                f"{cluster.name}{number}",
                cluster.name,
                f"10.77.{index}.{number}",
                f"02:77:00:00:{index:02x}:{number:02x}",
            )
            for index, cluster in enumerate(self.clusters, start=1)
            for number in range(1, cluster.hosts + 1)
        ]

    @property
    def real_minimum_rto(self) -> float:
        return self.minimum_rto * self.time_dilation

    def links(self) -> list[Link]:
        """Links in both directions: up and down for each host, then the backbones.

        A buffer is before its link, and with flow control behind it.
        """
        clusters = {cluster.name: cluster for cluster in self.clusters}
        links = []
        for host in self.hosts:
            cluster = clusters[host.cluster or ""]
            half = cluster.latency / 2
            buffers = (cluster.buffer, None) if self.has_credits else (None, cluster.buffer)
            links += [
                self._link(f"up:{host.name}", cluster.rate, buffers[0], half),
                self._link(f"down:{host.name}", cluster.rate, buffers[1], half),
            ]
        for backbone in self.backbones:
            for ends in (backbone.between, backbone.between[::-1]):
                name = _backbone_name(*ends)
                links.append(self._link(name, backbone.rate, backbone.buffer, backbone.delay))
        return links

    def _link(self, name: str, rate: float | None, buffer: int | None, delay: float) -> Link:
        k = self.time_dilation
        return Link(name, None if rate is None else rate / k, buffer, delay * k)

    def routes(self) -> dict[tuple[str, str], list[Link]]:
        links = {link.name: link for link in self.links()}
        paths = self._all_paths()
        routes: dict[tuple[str, str], list[Link]] = {}
        for src, dst in permutations([self.head, *self.hosts], 2):
            routes[src.name, dst.name] = []
            if src.cluster is not None and dst.cluster is not None:
                path = paths[src.cluster, dst.cluster]
                between = [_backbone_name(*ends) for ends in pairwise(path)]
                names = [f"up:{src.name}", *between, f"down:{dst.name}"]
                routes[src.name, dst.name] = [links[name] for name in names]
        return routes

    def _all_paths(self) -> dict[tuple[str, str], list[str]]:
        """Clusters on the way from each to each, the same both ways."""
        ways = {}
        for number, cluster in enumerate(self.clusters):
            paths = self._paths(cluster.name)
            for other in self.clusters[number:]:
                ways[cluster.name, other.name] = paths[other.name]
                ways[other.name, cluster.name] = paths[other.name][::-1]
        return ways

    def _paths(self, start: str) -> dict[str, list[str]]:
        """Clusters on the way from `start` to each that can be reached, fewest backbones first.

        Where two ways are as short, that over the backbones given first.
        """
        paths, waiting = {start: [start]}, deque([start])
        while waiting:
            here = waiting.popleft()
            for backbone in self.backbones:
                for end, other in (backbone.between, backbone.between[::-1]):
                    if end == here and other not in paths:
                        paths[other] = [*paths[here], other]
                        waiting.append(other)
        return paths

    def smallest_one_way(self, src: str, dst: str) -> float:
        """Seconds that the smallest frame takes between two hosts at the very least, real."""
        return sum(link.smallest_s for link in self.routes()[src, dst])

    def switch_configuration(self) -> str:
        """Return the options of the switch; port pI belongs to host I, the head being 0."""
        lines = [
            f"link {link.name} {link.rate_bits or 0:.0f} {link.buffer_bytes or 0} "
            f"{link.delay_s * 1e9:.0f}"
            for link in self.links()
        ]
        for index, host in enumerate([self.head, *self.hosts]):
            lines.append(f"host {host.name} p{index} {host.mac}")
        for (src, dst), links in self.routes().items():
            lines.append(" ".join(["route", src, dst, *(link.name for link in links)]))
        if self.has_credits:
            lines.append("flow_control credits")
        return "\n".join([*lines, f"rto {self.real_minimum_rto * 1e9:.0f}", ""])


def _backbone_name(src: str, dst: str) -> str:
    return f"backbone:{src}-{dst}"


def profiles() -> dict[str, Lab]:
    folder = files("contend.measure.lab").joinpath("profiles")
    texts = {
        file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }
    return {name: parse_lab(texts[name], name, f"{name}.toml") for name in sorted(texts)}


def profile_path(name: str) -> str:
    return str(files("contend.measure.lab").joinpath("profiles", f"{name}.toml"))


def read_lab(name_or_path: str) -> Lab:
    """The lab that ships under a name ("lab:NAME" or "NAME"), or that of a TOML file.

    Settings behind a comma change it, see `contend.measure.lab.variants`.

    >>> [len(read_lab(name).hosts) for name in ("lab:two-clusters", "fast-ethernet,hosts=4")]
    [16, 4]
    """
    wanted = name_or_path.removeprefix(PREFIX)
    plain, _, settings = wanted.partition(",")
    if not settings or Path(wanted).is_file():
        return _read_plain(wanted)
    return _validated(varied(_read_plain(plain).model_dump(), settings), wanted)


def _read_plain(wanted: str) -> Lab:
    shipped = profiles()
    if wanted in shipped:
        return shipped[wanted]
    path = Path(wanted)
    if not path.is_file():
        raise InvalidInputError(
            f"no lab is named {wanted!r}, and there is no such file",
            f"{choose_from(wanted, shipped)}, or give the path of a TOML file",
        )
    return parse_lab(read_text(path), path.stem, str(path))


def parse_lab(text: str, name: str, where: str) -> Lab:
    """The lab that a TOML text describes; `name` is its name unless it gives one itself."""
    try:
        content: dict[str, Any] = {"name": name} | tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError says the line
        raise FileFormatError(f"{where} is not TOML: {error}", "correct the line") from None
    return _validated(content, where)


def _validated(content: dict[str, Any], where: str) -> Lab:
    try:
        return Lab.model_validate(content)
    except InvalidInputError as error:
        raise InvalidInputError(f"{where}: {error.message}", error.remedy) from None
    except ValidationError as error:
        remedy = "'contend list labs NAME' says where the file of a lab is, to start from"
        raise FileFormatError(f"{where}: {first_problem(error)}", remedy) from None
