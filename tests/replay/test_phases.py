"""Replays of programs whose phases recur, against those of programs that differ in nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from programs import program

from contend.programs.replay import Line, replay
from contend.programs.sweeps.patterns import pattern_of

NET = Line(latency=1e-6, bandwidth=1e9)


def never_recurs(trace):
    """The same, but that each call of a rank has a name of its own: no two are alike."""
    call = (np.arange(len(trace)) - trace.first[trace.rank]).astype(np.int16)
    return replace(trace, call=call, calls=tuple(f"call {step}" for step in range(call.max() + 1)))


@pytest.mark.parametrize("model", ["maxmin", "alone"])
@pytest.mark.parametrize("ranks", [2, 9, 12])
@pytest.mark.parametrize("pattern", ["stencil-2d:64KiB:30:5ms", "ring:1MB:20", "alltoall:2KiB:20"])
def test_what_recurs_takes_what_it_took_before(pattern, ranks, model):
    trace = pattern_of(f"pattern:{pattern}").trace(ranks)
    found = replay(trace, NET, model, is_recorded=True)
    plain = replay(never_recurs(trace), NET, model, is_recorded=True)
    assert found.rank_end == pytest.approx(plain.rank_end, rel=1e-9)
    assert found.call_time.sum(1) == pytest.approx(plain.call_time.sum(1), rel=1e-9)
    assert found.end == pytest.approx(plain.end, rel=1e-9)
    assert found.waited == pytest.approx(plain.waited, rel=1e-9, abs=1e-12)
    assert (found.awaited == plain.awaited).all()
    assert found.messages == plain.messages
    assert found.unreceived == plain.unreceived == 0


@pytest.mark.parametrize("seed", range(20))
def test_phases_of_several_kinds_and_computation_take_what_they_took(seed):
    """Steps of a few kinds in random order, all ranks alike in some, each different in others."""
    rng = np.random.default_rng(seed)
    ranks = int(rng.integers(2, 6))
    kinds = []
    for _ in range(3):
        size, seconds = int(rng.integers(1, 3e9)), rng.integers(0, 3, ranks)
        shift = int(rng.integers(1, ranks))
        collective = "; barrier" if rng.random() < 0.6 else ""
        kinds.append(
            [
                f"compute {seconds[rank]}; isend {(rank + shift) % ranks} {size} request=1; "
                f"recv {(rank - shift) % ranks} {size}; wait 1{collective}"
                for rank in range(ranks)
            ]
        )
    order = rng.integers(0, 3, 30)
    trace = program(*("; ".join(kinds[kind][rank] for kind in order) for rank in range(ranks)))
    found, plain = (replay(one, NET, "maxmin") for one in (trace, never_recurs(trace)))
    assert found.rank_end == pytest.approx(plain.rank_end, rel=1e-9)
    assert found.lost == pytest.approx(plain.lost, rel=1e-9, abs=1e-12)
