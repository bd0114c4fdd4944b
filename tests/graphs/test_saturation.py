"""Measurements of others that are contention graphs, and what no model of one switch sees there."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import FileFormatError
from contend.samples.messages import MessageSample
from contend.simulate.flows.models import names
from contend.simulate.graphs.comparison import ends_by, errors, fit_forms
from contend.simulate.graphs.measurements import MeasuredGraph, bandwidth_alone, measured_graphs
from contend.simulate.graphs.parameters import Observations, fit
from contend.simulate.graphs.saturation import (
    COLUMNS,
    added,
    read_foreign,
    read_max_rate,
    read_saturation,
)
from contend.simulate.graphs.side_by_side import first_penalties

TAURUS = "grid5000_pointtopoint/taurus_saturation.csv.gz"
LASSEN = "lassen_alltoall/injection/maxrate.1388975.out"
LARGEST = 131072


def up_to(pairs, found):
    """The largest messages of so many pairs at most."""
    return [one for one in found if one.m == LARGEST and len(one.edges) <= pairs]


def slowdowns(samples: list[MessageSample]) -> dict[str, np.ndarray]:
    alone = bandwidth_alone(samples)
    assert alone is not None
    return {g.name: g.seconds * alone.value / g.m for g in measured_graphs(samples)}


def test_pairs_that_share_no_node_do_not_disturb_each_other(
    shared_data: Callable[[str], Path],
) -> None:
    of = slowdowns(read_saturation(shared_data(TAURUS)))
    for k in range(1, 7):
        assert of[f"send k={k}"] == pytest.approx(np.ones(k), rel=0.01)


def test_both_directions_share_a_card_that_no_model_sees(
    shared_data: Callable[[str], Path],
) -> None:
    samples = read_saturation(shared_data(TAURUS))
    of = slowdowns(samples)
    for k in range(1, 7):
        assert of[f"sendrecv_same k={k}"] == pytest.approx(np.full(2 * k, 2.0), rel=0.02)
    for k in (2, 4, 6):
        assert (of[f"sendrecv_diff k={k}"] > 1.3).all()
        assert (of[f"sendrecv_diff k={k}"] < 1.5).all()
    for edges in {sample.edges for sample in samples}:
        for model in set(names()) - {"measured"}:
            assert first_penalties(edges, model, None) == pytest.approx(np.ones(len(edges)))


def test_one_process_does_not_fill_a_card_of_two_rails(
    shared_data: Callable[[str], Path],
) -> None:
    samples = up_to(40, read_max_rate(shared_data(LASSEN)))
    of = {len(seconds): seconds[0] for seconds in slowdowns(samples).values()}
    assert of[2] < 1.3
    assert of[4] < 2.2
    assert 8.0 < of[20] < 11.0
    assert of[40] == pytest.approx(of[20], rel=0.1)


def test_penalty3_fits_the_share_of_a_card_that_a_process_takes(
    shared_data: Callable[[str], Path],
) -> None:
    samples = up_to(20, read_max_rate(shared_data(LASSEN)))
    alone = bandwidth_alone(samples)
    assert alone is not None
    seen = Observations(tuple(measured_graphs(samples)), alone.value)
    found = fit(seen, "penalty3", np.random.default_rng(1))
    assert 0.4 < max(found.parameters["beta_e"], found.parameters["beta_s"]) < 0.55
    average = errors(seen, found.name, ends_by(seen, found))["average"].mean()
    assert average < 0.1
    known = {k.name: k for k in fit_forms(seen, np.random.default_rng(1))}
    assert errors(seen, "maxmin", ends_by(seen, known["maxmin"]))["average"].mean() > 0.5


def row(test: str, rank: int, k: int, run: int, ms: float) -> str:
    return f"p,{test},0,4,{rank},{k},{run},1000,0.0,{ms}"


def test_a_saturation_file_becomes_graphs(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    lines = [row("send", rank, 1, run, 1.0 + rank) for rank in (0, 2) for run in (0, 1)]
    lines += [row("sendrecv_same", rank, 1, 0, 4.0 + rank) for rank in (0, 2)]
    lines += [row("sendrecv_diff", rank, 2, 0, 1.0 + rank) for rank in range(4)]
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
    of = {sample.graph: sample for sample in read_saturation(path)}
    assert of["send k=1"].edges == ((0, 2),)
    assert of["send k=1"].times == pytest.approx(np.array([[3e-3], [3e-3]]))
    assert of["sendrecv_same k=1"].edges == ((0, 2), (2, 0))
    assert of["sendrecv_same k=1"].times == pytest.approx(np.array([[6e-3, 4e-3]]))
    assert of["sendrecv_diff k=2"].edges == ((0, 2), (2, 1), (1, 3), (3, 0))
    path.write_text("a,b\n1,2\n")
    with pytest.raises(FileFormatError, match="is no saturation test"):
        read_saturation(path)


def test_the_block_of_the_hosts_memories_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.out"
    path.write_text(
        "Timing Max-Rate CPU Ping-Pongs\nSize 1\t1e-06\t2.0e-06\t\nSize 8\t3e-06\t4e-06\t\n\n"
        "Timing GPU Max-Rate Ping Pongs\nSize 1\t9e-06\t9e-06\t\n"
    )
    (one, both, *_) = found = read_max_rate(path)
    assert [sample.m for sample in found] == [1, 1, 8, 8]
    assert (one.edges, both.edges) == (((0, 1),), ((0, 1), (0, 1)))
    assert isinstance(measured_graphs(found)[1], MeasuredGraph)
    assert both.times.tolist() == [[2e-06, 2e-06]]
    path.write_text("nothing")
    with pytest.raises(FileFormatError, match="is no max-rate test"):
        read_max_rate(path)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("2.0", "fast", "dur_ms is 'fast'"),
        ("p,send,0,4,2,1", "p,send,0,4,two,1", "rank is 'two'"),
        ("p,send,0", "p,echo,0", "test is 'echo'"),
        (row("send", 2, 1, 1, 3.0) + "\n", "", "one row of each receiver"),
    ],
)
def test_a_bad_row_of_a_saturation_test_is_named(
    tmp_path: Path, old: str, new: str, named: str
) -> None:
    rows = [row("send", 2, 1, 0, 2.0), row("send", 3, 1, 0, 2.0), row("send", 2, 1, 1, 3.0),
            row("send", 3, 1, 1, 3.0)]  # fmt: skip
    path = tmp_path / "s.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]).replace(old, new, 1) + "\n")
    with pytest.raises(FileFormatError, match=named):
        read_foreign(path)


def test_a_file_is_added_once_and_further_ones_are_launches(tmp_path: Path) -> None:
    found = []
    for name in ("a.out", "b.out"):
        path = tmp_path / name
        path.write_text("Timing Max-Rate CPU Ping-Pongs\nSize 8\t1e-6\t2e-6\t\n")
        found += read_foreign(path)
    assert [one.launch for one in added([], found)] == [0, 0, 1, 1]
    assert added(found[:2], found[:2]) == []
    assert [one.launch for one in added(found[:2], found)] == [1, 1]


@pytest.mark.parametrize("old, new", [("Size 8", "Size 0"), ("1e-6", "-1e-6"), ("1e-6", "1e-6e")])
def test_a_bad_line_of_a_max_rate_test_is_named(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "a.out"
    text = "Timing Max-Rate CPU Ping-Pongs\nSize 8\t1e-6\t2e-6\t\n"
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError, match=r"a\.out: Size"):
        read_foreign(path)


def test_edited_files_are_read_or_refused_with_their_name(tmp_path: Path) -> None:
    rng, path = np.random.default_rng(5), tmp_path / "edited"
    rows = [row("send", rank, 1, run, 2.0) for run in (0, 1) for rank in (2, 3)]
    texts = (
        "\n".join([",".join(COLUMNS), *rows]) + "\n",
        "Timing Max-Rate CPU Ping-Pongs\nSize 8\t1e-6\t2e-6\t\nSize 16\t1e-6\t2e-6\t\n",
    )
    refused = 0
    for number in range(120):
        characters = list(texts[number % 2])
        for _ in range(3):
            place = int(rng.integers(len(characters)))
            characters[place : place + int(rng.integers(0, 5))] = rng.choice(list("09.-e,\n\tx "))
        path.write_text("".join(characters))
        try:
            read_foreign(path)
        except FileFormatError as error:
            refused += 1
            assert path.name in str(error)
    assert 0 < refused < 120
