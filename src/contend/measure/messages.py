"""A campaign of messages sent together: of contention graphs, of pairs of hosts, over links.

Idea: one program reads from a file which messages it sends, and how; a launch sends them all in
turn. What is sent when is up to whoever plans the launches.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
from pydantic import ValidationError

from contend.base.document import first_problem
from contend.base.errors import InvalidInputError, LaunchError
from contend.base.records import RecordStore
from contend.base.units import format_bytes
from contend.base.wholefile import write_whole
from contend.measure.build import Program, built_folder
from contend.measure.campaign import Campaign
from contend.measure.mpi import MPI
from contend.measure.points import points_of
from contend.measure.runner import Runner
from contend.measure.scratch import scratch
from contend.samples import Provenance
from contend.samples.messages import Experiment, MessageSample, Sent

# How the program sends: each process its messages, each host, or there and back again.
PROCESS, HOST, PINGPONG = "process", "host", "pingpong"
MODES: Mapping[Experiment, str] = {
    "graph": PROCESS, "round": PINGPONG, "pingpong": PINGPONG, "train": PROCESS, "burst": PROCESS,
}  # fmt: skip
_OF_START = ("start", "late_starts", "start_skew_s", "start_skew_bound_s")
Points = Iterator[tuple[Sent, dict[str, Any], Provenance]]


class MessageCampaign(Campaign[MessageSample]):
    """Launches of `n` processes; those of one file are on the same hosts, where `keeps_hosts`."""

    keeps_hosts = True

    def __init__(self, runner: Runner, store: RecordStore[MessageSample], n: int) -> None:
        super().__init__(runner, store)
        self.n = n
        self._hosts: tuple[str, ...] = ()
        for sample in self.samples if self.keeps_hosts else []:
            if len(sample.hosts) != n:
                raise InvalidInputError(
                    f"{store.path} holds messages of {len(sample.hosts)} processes, not {n}",
                    "name another file for other hosts",
                )
            self._require_hosts(sample.hosts)
        self._require_room([n] if n else [])

    def _require_hosts(self, hosts: tuple[str, ...]) -> None:
        if self._hosts and hosts != self._hosts:
            raise InvalidInputError(
                f"{self._store.path} holds messages of other hosts, or in another order: "
                f"{self._hosts[0]} first, now {hosts[0]}",
                "name another file for them",
            )
        self._hosts = hosts

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        super()._accept(data, new)
        if self.keeps_hosts:
            self._require_hosts(tuple(data["hosts"][index] for index in data["host_of"]))

    def _pending(
        self, wanted: Sequence[Sent], sizes: Sequence[int], launches: int
    ) -> list[tuple[int, int, list[Sent]]]:
        """Return launches and sizes of which something lacks, and what, which is planned now."""
        pending = [
            (
                launch,
                m,
                [messages for messages in wanted if (messages, m, launch) not in self._good],
            )
            for launch in range(launches)
            for m in sizes
        ]
        self._planned += sum(len(lacking) for *_, lacking in pending)
        return [entry for entry in pending if entry[2]]

    @contextmanager
    def _points(
        self, sent: Sequence[Sent], sizes: Sequence[int], title: str, mode: str | None = None
    ) -> Iterator[Points]:
        """Points of one launch that sends messages of one mode; what nobody waits for is not."""
        mode = mode or MODES[sent[0].experiment]
        with (
            program_sending(self.runner.mpi, sent, self.n, mode) as program,
            closing(points_of(self.runner, program, self.n, sizes, self._accept, title)) as points,
        ):
            yield (
                (sent[int(point["algorithm"].partition(":")[0])], point, provenance)
                for point, provenance in points
            )

    def _take_in(
        self,
        point: Mapping[str, Any],
        messages: Sent,
        launch: int,
        provenance: Provenance,
        **others: Any,
    ) -> MessageSample:
        parts = np.array(point["part_ends_s"])
        is_round_trip = MODES[messages.experiment] == PINGPONG
        times = 0.5 * (parts[:, 1::2] - parts[:, ::2]) if is_round_trip else parts
        try:
            sample = MessageSample(
                **messages._asdict(), m=point["m"], launch=launch, times_s=times.tolist(),
                hosts=self._hosts, lab=point.get("lab"), provenance=provenance,
                **{name: point[name] for name in _OF_START if name in point}, **others,
            )  # fmt: skip
        except ValidationError as error:
            raise LaunchError(
                f"{messages.title} cannot be: {first_problem(error)}",
                "clocks that differ or a clock too coarse do this; try --repeat start=barrier",
            ) from None
        title = f"{messages.title}: {len(messages.edges)} of {format_bytes(sample.m)}"
        self._keep(sample, title, float(np.median(sample.times.max(axis=1))))
        return sample


@contextmanager
def program_sending(mpi: MPI, sent: Sequence[Sent], n: int, mode: str) -> Iterator[Program]:
    """The program with a file of messages, while the context lasts; points are named by number.

    The file is in the cache folder, which every host that starts the program sees.
    """
    folder = built_folder(mpi)
    names = [
        f"{number}:{'_'.join(messages.graph.split()) or messages.experiment}"
        for number, messages in enumerate(sent)
    ]
    lines = ["contend-graphs 1"]
    for name, messages in zip(names, sent, strict=True):
        lines.append(" ".join([name, *(f"{src}>{dst}" for src, dst in messages.edges)]))
    with scratch(folder.parent, "messages-") as place:
        path = place / "messages"
        write_whole(path, "\n".join(lines) + "\n")
        yield Program(
            "graph", folder / "graph", experiment="messages", algorithms=tuple(names),
            processes_min=n, processes_max=None, arguments=(str(path), mode),
        )  # fmt: skip
