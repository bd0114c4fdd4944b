"""Measured exchanges of real machines, explained."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from contend.models.explanation.case import Case, cases
from contend.models.explanation.finding import suspected
from contend.models.explanation.message import Message, known_message
from contend.samples.reader import READERS, ReadOptions
from contend.schedules.pointtopoint import hockney
from support.synthesis import LASSEN

EDR = Message(hockney.given(1.5e-6, 4e-11), 4e-11, "the data sheet")  # dual-rail, 25 GB/s a node


def lassen(shared_data: Callable[[str], Path], n: int, message: Message = EDR) -> Case:
    path = shared_data("lassen_alltoall/alltoall.csv")
    (case,) = cases(list(READERS.get("csv_columns").read(path, LASSEN)), message, n=n)
    return case


def test_on_lassen_the_library_switches_its_algorithm_too_early(
    shared_data: Callable[[str], Path],
) -> None:
    for n in (64, 128):
        found = [one for one in suspected(lassen(shared_data, n)) if one.kind == "poor algorithm"]
        at = [one for one in found if one.sizes[0] <= 8192 <= one.sizes[1]]
        assert len(at) == 1
        assert (at[0].factor or 0) > 1.5


def test_on_lassen_small_messages_beat_the_bound_and_large_ones_do_not(
    shared_data: Callable[[str], Path],
) -> None:
    lost = np.asarray(lassen(shared_data, 128).rows["lost"])
    assert (lost[:4] < 1).all()
    assert (lost[-5:] > 2).all()


def test_four_processes_of_a_node_of_lassen_do_not_fill_two_rails(
    shared_data: Callable[[str], Path],
) -> None:
    case = lassen(shared_data, 128)
    assert case.card_rate.max() * 4e-11 < 0.5
    assert "shared network card" not in {one.kind for one in suspected(case)}


@pytest.mark.parametrize("environment", ["ib-gcc9-impi-verbs", "ib-gcc9-openmpi4-ucx"])
def test_a_ping_pong_of_infiniband_tells_its_rate(
    shared_data: Callable[[str], Path], environment: str
) -> None:
    path = shared_data("stackhpc_infiniband/results.csv.gz")
    options = ReadOptions(
        "pingpong", "half_round_trip", 2, columns={"m": "bytes", "time_us": "col2"},
        where={"system": "alaska", "env": environment, "test": "Osu_latency"},
    )  # fmt: skip
    message = known_message(list(READERS.get("csv_columns").read(path, options)), None)
    assert message.hockney is not None
    assert 1e-6 < float(message.hockney.alpha) < 5e-6
    assert 5e9 < 1 / float(message.hockney.beta) < 13e9  # EDR: 12.5 GB/s
