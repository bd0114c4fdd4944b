"""A campaign of contention graphs: measured into a file of graphs, resumed where it was stopped.

Source: the benchmark of Martinasso, Méhaut, Euro-Par 2011, section 3.3.
Idea: a launch has as many processes as the largest graph has nodes (or so many nodes), runs all its
graphs in a random order, and between them, again and again, a message alone. The later steps of the
graphs are graphs with fewer messages: when it is known which, they are measured too, and theirs.
Restrictions: equal messages that start together; every graph within the nodes of one launch.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError, LaunchError
from contend.base.records import RecordStore
from contend.measure.messages import HOST, PROCESS, MessageCampaign
from contend.measure.runner import Runner
from contend.samples import Provenance
from contend.samples.messages import MessageSample, Sent
from contend.simulate.graphs.isomorphism import Edges
from contend.simulate.graphs.later_steps import later_graphs

ALONE = Sent("graph", ((0, 1),))
ALONE_EVERY = 16  # graphs; a message alone comes first, and then so often
STEP = "step "  # begins the names of later steps


class GraphCampaign(MessageCampaign):
    """Launches with messages of `m` bytes; a launch draws the order of its graphs by `seed`."""

    keeps_hosts = False

    def __init__(
        self, runner: Runner, store: RecordStore[MessageSample], m: int, seed: int = 1
    ) -> None:
        super().__init__(runner, store, n=0)
        self.m, self._seed = m, seed
        self._require_same_placement()

    @property
    def graphs(self) -> dict[str, Edges]:
        """All that were measured with messages of this size."""
        return {sample.graph: sample.edges for sample in self.samples if sample.m == self.m}

    def carry_out(self, graphs: Mapping[str, Edges], launches: int) -> int:
        self._require_same_graphs(graphs)
        sent = [Sent("graph", edges, name) for name, edges in graphs.items()]
        before = self._measured
        for launch, _, pending in self._pending(sent, (self.m,), launches):
            self._carry_out_one(pending, launch)
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
        repetitions: dict[str, list[Floats]] = {}
        for sample in self.samples:
            if sample.m == self.m:
                repetitions.setdefault(sample.graph, []).append(sample.times)
        graphs = self.graphs
        return {name: (graphs[name], np.concatenate(ends)) for name, ends in repetitions.items()}

    def _carry_out_one(self, graphs: Sequence[Sent], launch: int) -> None:
        order = np.random.default_rng((self._seed, launch)).permutation(len(graphs))
        sent = _with_alone([graphs[index] for index in order])
        per_node = self.options.processes_per_node
        nodes = max(max(max(edge) for edge in graph.edges) for graph in sent) + 1
        self.n = nodes * (per_node or 1)
        self._require_room([self.n])
        alone: tuple[float, ...] = ()
        title = f"{len(graphs)} graphs on {nodes} nodes, launch {launch}"
        mode = PROCESS if per_node is None else HOST
        with self._points(sent, (self.m,), title, mode) as points:
            for messages, point, provenance in points:
                if messages is ALONE:
                    alone = tuple(row[0] for row in point["part_ends_s"])
                else:
                    self._take_in(
                        point, messages, launch, provenance, alone_s=alone,
                        processes_per_node=per_node,
                    )  # fmt: skip

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        super()._accept(data, new)
        if self.options.processes_per_node is None and data["nodes"] not in (1, data["n"]):
            raise LaunchError(
                f"the launcher placed {data['n']} processes on {data['nodes']} nodes, so that some "
                "share one",
                "give --ppn: with 1, a node has a process, with more, each message has its own",
            )

    def _require_same_graphs(self, graphs: Mapping[str, Edges]) -> None:
        existing = self.graphs
        for name, edges in graphs.items():
            if existing.get(name, edges) != edges:
                raise InvalidInputError(
                    f"{self._store.path} holds a graph {name} with other edges",
                    "name another file, or give its seed (--repeat), edges and nodes (--random)",
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


def _with_alone(sent: Sequence[Sent]) -> list[Sent]:
    """The graphs, and a message alone before each so many of them."""
    order: list[Sent] = []
    for number, graph in enumerate(sent):
        order += [ALONE] if number % ALONE_EVERY == 0 else []
        order.append(graph)
    return order
