"""One sample of messages sent together: what each of them took, in every repetition of one launch.

All messages of a sample are as long as each other. Those of a graph begin together, and so do those
of a burst, which go from one group of ranks to another; a train are messages that follow each other
from one rank to another. Of these the end of each is kept, from the common start. The ping-pongs of
a pair alone, or of a round of disjoint pairs, have their one-way times: half a round trip.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from contend.base.document import Floats, Former, Record
from contend.base.errors import ContendError, FileFormatError
from contend.base.records import read_records
from contend.base.textfile import read_text
from contend.samples.lab import Seconds
from contend.samples.sample import SHORTEST, Launched

MOST_RANKS = 2**20
LARGEST = 2**53  # bytes of a message: beyond it a double has no byte's precision
Experiment = Literal["graph", "round", "pingpong", "train", "burst"]
Node = Annotated[int, Field(ge=0, le=2**31 - 1)]
Edges = tuple[tuple[int, int], ...]
OF_LINKS: tuple[Experiment, ...] = ("pingpong", "train", "burst")
# What the experiments measure, and the command that does.
_CALLED: dict[Experiment, tuple[str, str]] = {
    "graph": ("graph", "measure messages"),
    "round": ("round of pairs", "measure hosts"),
    **dict.fromkeys(OF_LINKS, ("link", "measure links")),
}


class Sent(NamedTuple):
    """Messages of one experiment: source and destination of each, in order.

    A graph has a name, messages of a link have their level and groups.
    """

    experiment: Experiment
    edges: Edges
    graph: str = ""
    level: str = ""
    source: str = ""
    destination: str = ""

    @property
    def is_inside(self) -> bool:
        """Whether no message leaves the group."""
        return self.source == self.destination

    @property
    def title(self) -> str:
        if self.experiment in OF_LINKS:
            return f"{self.experiment} {self.level} {self.source}>{self.destination}"
        return f"{self.experiment} {self.graph}".rstrip()


class Messages(Record):
    experiment: Experiment
    graph: str = Field("", description="name of a graph within the file, e.g. random-17")
    level: str = Field("", description="of a link, and so are source, destination and groups")
    source: str = Field("", description="name of the group that sends")
    destination: str = Field("", description="that of the group that receives")
    hosts: tuple[str, ...] = Field((), max_length=MOST_RANKS, description="of each rank")
    groups: tuple[str, ...] = Field((), description="of each rank at the level")
    processes_per_node: int | None = Field(
        None, ge=1, description="that share a node's messages; absent where a node is one process"
    )
    edges: tuple[tuple[Node, Node], ...] = Field(
        min_length=1, description="source and destination of each message, in order"
    )
    m: int = Field(ge=0, le=LARGEST, description="bytes of each message")
    times_s: tuple[tuple[Seconds, ...], ...] = Field(
        min_length=1, description="end, or one way, of each message, per repetition"
    )
    alone_s: tuple[Seconds, ...] = Field(
        (), description="one such message alone, repetitions of the same launch"
    )


class MessageSample(Launched, Messages):
    schema_name: ClassVar[str] = "contend.messages"
    schema_version: ClassVar[int] = 1
    former: ClassVar[dict[str, Former]] = {
        "contend.graphs": Former({"experiment": "graph"}, {"ends_s": "times_s"}),
        "contend.pairs": Former(
            {"experiment": "round"}, {"pairs": "edges", "one_way_s": "times_s"}
        ),
        "contend.links": Former(),
    }

    @model_validator(mode="after")
    def _is_complete(self) -> "MessageSample":
        for number, times in enumerate(self.times_s):
            if len(times) != len(self.edges):
                raise ValueError(
                    f"repetition {number} has {len(times)} times for {len(self.edges)} messages, "
                    "each needs one"
                )
            if min(times) < SHORTEST:
                raise ValueError(f"a message took {min(times):g} s, which no clock tells")
        for src, dst in self.edges:
            if src == dst or (self.hosts and max(src, dst) >= len(self.hosts)):
                raise ValueError(f"an edge from {src} to {dst} is no message")
        return self

    @model_validator(mode="after")
    def _is_of_its_experiment(self) -> "MessageSample":
        if self.experiment == "graph":
            if not self.graph or self.m < 1:
                raise ValueError("a graph has a name, and messages of 1 B or more")
        elif not self.hosts:
            raise ValueError("hosts are those of each rank")
        if self.experiment == "round":
            met = [host for pair in self.edges for host in pair]
            if len(set(met)) < len(met) or len(set(self.hosts)) < len(self.hosts):
                raise ValueError("a host is in two pairs, or two hosts have one name")
        if self.experiment in OF_LINKS:
            self._require_groups()
        return self

    def _require_groups(self) -> None:
        if not (self.level and self.source and self.destination):
            raise ValueError("a link has a level, and groups that send and receive")
        if len(self.groups) != len(self.hosts):
            raise ValueError(f"groups of {len(self.groups)} ranks, and {len(self.hosts)} ranks")
        for src, dst in self.edges:
            if (self.groups[src], self.groups[dst]) != (self.source, self.destination):
                raise ValueError(f"a message that does not go {self.source} > {self.destination}")

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in super().to_json().items() if value not in ("", [])}

    @property
    def sent(self) -> Sent:
        return Sent(
            self.experiment, self.edges, self.graph, self.level, self.source, self.destination
        )

    @property
    def point(self) -> tuple[Sent, int, int]:
        """What tells this sample from the others of a file."""
        return self.sent, self.m, self.launch

    @property
    def times(self) -> Floats:
        return np.array(self.times_s, dtype=np.float64)

    @property
    def is_flagged(self) -> bool:
        """Whether the emulated network was late, or most repetitions of a round began late.

        Ranks that wait for a core make near hosts look as far as distant ones.
        """
        is_late = self.experiment == "round" and 2 * self.late_starts > len(self.times_s)
        return is_late or super().is_flagged

    @property
    def is_inside(self) -> bool:
        """Whether no message leaves the group."""
        return self.source == self.destination

    @property
    def volume(self) -> int:
        return self.m * len(self.edges)

    @property
    def where(self) -> str:
        return f"{self.sent.title} m={self.m} launch {self.launch}"

    def moved(self, groups: Sequence[str]) -> tuple[str, str, str] | None:
        """The first host that is in another of these groups of ranks: it, its group, that one."""
        for host, group, other in zip(self.hosts, self.groups, groups, strict=True):
            if group != other:
                return host, group, other
        return None


def read_messages(path: str | Path, experiments: Sequence[Experiment]) -> list[MessageSample]:
    """Samples of a file of these experiments, in file order.

    Raise FileFormatError as `read_records`, and for samples of another experiment.
    """
    called, remedy = _CALLED[experiments[0]]
    samples = read_records(MessageSample, path, f"measure first: contend {remedy} --help")
    for sample in samples:
        if sample.experiment not in experiments:
            raise FileFormatError(
                f"{path} holds a measured {_CALLED[sample.experiment][0]}, and a measured {called} "
                "is due",
                f"name the file of another measurement: contend {remedy} --help",
            )
    return samples


def is_of_messages(path: str | Path) -> bool:
    """Whether a file holds measured messages; False for one that cannot be read.

    >>> is_of_messages(Path("graphs.jsonl")), is_of_messages(Path("samples.jsonl"))
    (True, False)
    """
    if not Path(path).is_file():  # what is read of a pipe cannot be read again
        return False
    try:
        head = read_text(Path(path), 4000, errors="replace")
    except ContendError:
        return False
    schema = re.match(r'\{\s*"schema":\s*"([^"]+)"', head)
    return schema is not None and schema[1] in (MessageSample.schema_name, *MessageSample.former)
