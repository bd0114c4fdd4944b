"""What if the collective operation that takes most ran by another algorithm of the catalogue."""

from collections.abc import Iterator

import numpy as np

from contend.programs.replay.choice import COLLECTIVE
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.replay.whatif import Candidate, Change
from contend.programs.traces.kinds import OpKind
from contend.schedules import algorithms

MOST_MESSAGES = 2_000_000  # of a replay by an algorithm that is tried


class OtherAlgorithm(Change):
    """Each algorithm that needs no groups, for all calls of the operation."""

    name = "algorithms"

    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        """Where there is a collective operation, but not for traces of huge ones."""
        collective = dominating(replay)
        if collective is None or replay.messages > MOST_MESSAGES:
            return
        used = replay.algorithms.get(collective, set())
        sizes = {len(members) for members in setting.trace.communicators}
        path = replay.derivatives
        is_known = path is not None and path.is_steady
        most = path.of_calls(_calls_of(replay)[collective]) if path and is_known else np.inf
        for algorithm in algorithms(collective).all():
            if algorithm.needs_groups or used == {algorithm.name}:
                continue
            if any(n > 1 and algorithm.restriction(n) is not None for n in sizes):
                continue
            changed = setting.changed({}, algorithms={**setting.algorithms,
                                                      collective: algorithm.name})  # fmt: skip
            yield Candidate(f"{collective} by {algorithm.title}", changed, most=most)


def dominating(replay: Replay) -> str | None:
    """The collective operation that ranks spend most time in; none where there is none."""
    calls = list(replay.trace.calls)
    total = {
        name: sum(float(replay.call_time[:, calls.index(call)].sum()) for call in called)
        for name, called in _calls_of(replay).items()
    }
    best = max(total, key=lambda name: total[name], default=None)
    return best if best is not None and total[best] > 0 else None


def _calls_of(replay: Replay) -> dict[str, list[str]]:
    """Names of the calls by which the trace has each collective operation."""
    trace = replay.trace
    names: dict[str, list[str]] = {}
    for call, called in enumerate(trace.calls):
        kinds = np.unique(trace.kind[trace.call == call])
        if kinds.size == 1 and (kind := OpKind(int(kinds[0]))) in COLLECTIVE:
            names.setdefault(COLLECTIVE[kind], []).append(called)
    return names
