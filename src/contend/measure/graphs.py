"""A campaign of contention graphs: measured into a file of graphs, resumed where it was stopped.

Source: the benchmark of Martinasso, Méhaut, Euro-Par 2011, section 3.3.
Idea: a launch has as many processes as the largest graph has nodes (or so many nodes), runs all its
graphs in a random order, and between them, again and again, a message alone. The later steps of the
graphs are graphs with fewer messages: when it is known which, they are measured too, and theirs.
Restrictions: equal messages that start together; every graph within the nodes of one launch.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError, LaunchError
from contend.graphs.isomorphism import Edges
from contend.graphs.later_steps import later_graphs
from contend.graphs.sample import GraphSample
from contend.lab.running import RunningLab
from contend.measure.build import Program
from contend.measure.campaign import Report
from contend.measure.command import LaunchOptions
from contend.measure.emulated import require_hosts
from contend.measure.messages import START_BY_BARRIER, MessageCampaign, program_sending
from contend.measure.mpi import MPI
from contend.samples import Provenance
from contend.samples.store import RecordStore

ALONE: Edges = ((0, 1),)
ALONE_EVERY = 16  # graphs; a message alone comes first, and then so often
STEP = "step "  # begins the names of later steps
Named = tuple[str, Edges]


class GraphCampaign(MessageCampaign[GraphSample]):
    """Launches of one MPI library with messages of `m` bytes into one file of graphs.

    Every graph is stored as soon as it is measured; a graph and launch that the file holds
    already is not measured again, so that running the same campaign again continues it.
    """

    def __init__(
        self,
        mpi: MPI,
        store: RecordStore[GraphSample],
        m: int,
        options: LaunchOptions,
        report: Report | None = None,
        lab: RunningLab | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(mpi, store, options, report, lab)
        self.m, self._seed = m, seed
        self._require_same_placement()

    @property
    def graphs(self) -> dict[str, Edges]:
        """All that were measured with messages of this size."""
        return {sample.graph: sample.edges for sample in self.samples if sample.m == self.m}

    def carry_out(self, graphs: Mapping[str, Edges], launches: int) -> int:
        """Measure what is not yet done of `graphs`; the number of new samples."""
        self._require_same_graphs(graphs)
        done = {sample.point for sample in self.samples}
        pending = [
            [(name, edges) for name, edges in graphs.items() if (name, self.m, launch) not in done]
            for launch in range(launches)
        ]
        before = self._measured
        self._planned += sum(map(len, pending))
        for launch, named in enumerate(pending):
            if named:
                self._carry_out_one(named, launch)
        return self._measured - before

    def carry_out_steps(self, launches: int, most: int) -> int:
        """Measure later steps of all graphs, and of these, up to `most` graphs; as `carry_out`."""
        before = self._measured
        steps = {name: edges for name, edges in self.graphs.items() if name.startswith(STEP)}
        while True:
            for edges in later_graphs(self._ends().values())[: max(most - len(steps), 0)]:
                steps[STEP + " ".join(f"{src}>{dst}" for src, dst in edges)] = edges
            if not self.carry_out(steps, launches):
                return self._measured - before

    def _ends(self) -> dict[str, tuple[Edges, Floats]]:
        """Edges of each graph, and the ends of all its repetitions in all launches."""
        found: dict[str, list[Floats]] = {}
        for sample in self.samples:
            if sample.m == self.m:
                found.setdefault(sample.graph, []).append(sample.ends)
        graphs = self.graphs
        return {name: (graphs[name], np.concatenate(ends)) for name, ends in found.items()}

    def _carry_out_one(self, named: Sequence[Named], launch: int) -> None:
        order = np.random.default_rng((self._seed, launch)).permutation(len(named))
        graphs = _with_alone([named[index] for index in order])
        per_node = self.options.processes_per_node
        nodes = max(max(max(edge) for edge in edges) for _, edges in graphs) + 1
        n = nodes * (per_node or 1)
        if self._lab:
            require_hosts(self._lab.lab, (n,), per_node)
        alone: tuple[float, ...] = ()
        with program_of(self.mpi, graphs, nodes, per_node is not None) as program:
            title = f"{len(named)} graphs on {nodes} nodes, launch {launch}"
            for point, provenance in self._points_of(program, n, (self.m,), title):
                name, edges = graphs[int(point["algorithm"].partition(":")[0])]
                if name:
                    sample = self._sample(point, name, edges, launch, alone, provenance)
                    last = float(np.median(sample.ends.max(axis=1)))
                    self._keep(sample, f"{name}: {len(edges)} messages", last)
                else:
                    alone = tuple(row[0] for row in point["part_ends_s"])

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        super()._accept(data, new)
        if self.options.processes_per_node is None and data["nodes"] not in (1, data["n"]):
            raise LaunchError(
                f"the launcher placed {data['n']} processes on {data['nodes']} nodes, so that some "
                "share one",
                "give --ppn: with 1, a node has a process, with more, each message has its own",
            )

    def _sample(
        self,
        point: Mapping[str, Any],
        name: str,
        edges: Edges,
        launch: int,
        alone: tuple[float, ...],
        provenance: Provenance,
    ) -> GraphSample:
        return self._made(
            point,
            f"the graph {name}",
            START_BY_BARRIER,
            graph=name,
            edges=edges,
            launch=launch,
            ends_s=point["part_ends_s"],
            alone_s=alone,
            start=point["start"],
            late_starts=point["late_starts"],
            start_skew_s=point["start_skew_s"],
            start_skew_bound_s=point["start_skew_bound_s"],
            processes_per_node=self.options.processes_per_node,
            provenance=provenance,
        )

    def _require_same_graphs(self, graphs: Mapping[str, Edges]) -> None:
        there = self.graphs
        for name, edges in graphs.items():
            if there.get(name, edges) != edges:
                raise InvalidInputError(
                    f"{self._store.path} holds a graph {name} with other edges",
                    "name another file, or give the --seed, --edges and --nodes that it has",
                )

    def _require_same_placement(self) -> None:
        wanted = self.options.processes_per_node
        for sample in self.samples:
            if sample.processes_per_node != wanted:
                raise InvalidInputError(
                    f"{self._store.path} holds graphs with {sample.processes_per_node or 'one'} "
                    f"processes per node, not {wanted or 'one'}",
                    "name another file for another --ppn",
                )


def _with_alone(graphs: Sequence[Named]) -> list[Named]:
    """The graphs, and a message alone, which has no name, before each so many of them."""
    found: list[Named] = []
    for number, graph in enumerate(graphs):
        found += [("", ALONE)] if number % ALONE_EVERY == 0 else []
        found.append(graph)
    return found


def program_of(
    mpi: MPI, graphs: Sequence[Named], nodes: int, is_node_host: bool
) -> AbstractContextManager[Program]:
    """The program of the graphs; points are named by number."""
    named = {
        f"{number}:{'_'.join(name.split()) or 'alone'}": edges
        for number, (name, edges) in enumerate(graphs)
    }
    return program_sending(mpi, "graphs", named, nodes, "host" if is_node_host else "process")
