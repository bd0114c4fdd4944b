"""What is kept of gains: of calls of a rule, and of all together where no rule is to blame."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from contend.tune.exports import FileRule
from contend.tune.verification.calls import Watched
from contend.tune.verification.gain import Gain, Pair, gain_of
from contend.tune.verification.reasons import recorded
from contend.tune.verification.summary import gain_row, significance
from contend.tune.verification.verdict import Cell, Served, Verdict
from contend.tune.verification.verify import Verified

PIPELINE = FileRule("bcast", 2, None, 65536, None, "pipeline")
OWN = FileRule("reduce", 2, None, 0, None, "binomial")
RUN = Watched((), 8, 8, "Open MPI v5.0.11", True, 0, 1)
FASTER, SLOWER = (1.2, 1.21, 1.19, 1.2, 1.2), (0.8, 0.81, 0.79, 0.8, 0.8)
A_LITTLE_SLOWER = (0.985, 0.986, 0.984, 0.985, 0.985)


def gain(ratios: Sequence[float]) -> Gain:
    found = gain_of([Pair(one, 1.0) for one in ratios])
    assert found is not None
    return found


def verified(
    together: Sequence[float], *, own: frozenset[FileRule] = frozenset(), **cells: Sequence[float]
) -> Verified:
    of = {rule.operation: Cell(rule.operation, 8, rule) for rule in (PIPELINE, OWN)}
    return Verified(
        library=RUN.library,
        served=[
            Served(cell, "", 1, 1.0, 65536, 65536, Verdict.in_effect)
            for name, cell in of.items()
            if name in cells
        ],
        by_default={},
        ruled=[],
        program=gain(together),
        collectives=gain(together),
        cells={of[name]: gain(ratios) for name, ratios in cells.items()},
        watched=[RUN],
        written_out=own,
    )


def test_all_calls_together_are_slower_by_little_if_that_is_sure() -> None:
    found = verified(A_LITTLE_SLOWER, bcast=FASTER)
    assert not found.slower
    assert found.is_slower_together
    (one,) = recorded(found).programs
    assert (one.n, one.processes_per_node, one.pairs, one.is_slower) == (8, 1, 5, True)
    assert one.departures == {"bcast": ("pipeline",)}
    assert one.gain_high is not None
    assert one.gain_high < 1


@pytest.mark.parametrize("together", [FASTER, (0.9, 1.2, 0.7, 1.0, 0.9)])
def test_what_is_faster_or_not_sure_is_no_loss(together: Sequence[float]) -> None:
    (one,) = recorded(verified(together, bcast=FASTER)).programs
    assert not one.is_slower


def test_a_departure_that_is_slower_alone_is_taken_back_before_all() -> None:
    found = verified(SLOWER, bcast=SLOWER, reduce=FASTER)
    assert recorded(found).programs == ()
    assert [one.is_slower for one in recorded(found).calls] == [True, False]


def test_what_the_library_does_by_itself_is_no_departure() -> None:
    own = frozenset({OWN})
    found = verified(SLOWER, own=own, bcast=FASTER, reduce=SLOWER)
    (one,) = recorded(found).programs
    assert one.is_slower
    assert one.departures == {"bcast": ("pipeline",)}
    assert recorded(verified(SLOWER, own=own, reduce=SLOWER)).programs == ()


def test_one_pair_tells_nothing() -> None:
    (one,) = recorded(verified((0.5,), bcast=(0.5,))).programs
    assert (one.gain_low, one.is_slower) == (None, False)
    assert recorded(replace(verified((0.5,), bcast=(0.5,)), collectives=None)).programs == ()


def test_departures_on_a_part_of_the_processes_are_taken_back_with_the_others() -> None:
    found = verified(SLOWER, bcast=FASTER)
    few = Cell("reduce", 4, replace(OWN, algorithm="linear"))
    found.cells[few] = gain(FASTER)
    programs = recorded(found).programs
    assert [(one.ranks, one.n) for one in programs] == [(8, 4), (8, 8)]
    assert "a program on 8 processes together" in programs[0].words
    assert programs[0].words.endswith("on 4 processes")
    of_four = programs[0].model_copy(update={"ranks": 4})  # another program
    assert len({one.place for one in (*programs, of_four)}) == 3
    assert [one.departures for one in programs] == [
        {"reduce": ("linear",)},
        {"bcast": ("pipeline",)},
    ]
    assert all(one.is_slower for one in programs)


@pytest.mark.parametrize(
    ("ratios", "words"),
    [(FASTER, "faster"), (A_LITTLE_SLOWER, "not slower"),
     ((0.9, 1.2, 0.7, 1.0, 0.9), "not significant"), ((1.0,), "not significant")],
)  # fmt: skip
def test_what_is_said_of_a_gain_is_what_its_interval_tells(
    ratios: Sequence[float], words: str
) -> None:
    assert significance(gain_row(gain(ratios)) | {"is_slower": False}) == words
    assert significance(gain_row(gain(ratios)) | {"is_slower": True}) == "slower"
