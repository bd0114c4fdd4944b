"""How busy links were: shares of capacity, runs one after the other, and the file."""

from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import FileFormatError, StorageError
from contend.measure.lab import read_lab
from contend.measure.lab.utilisation import (
    Utilisation,
    UtilisationFile,
    joined,
    path_beside,
    read_utilisation,
)

LAB = read_lab("fast-ethernet").model_copy(update={"time_dilation": 1.0})
OTHER = LAB.model_copy(update={"description": "with other cables"})
LINKS = [link.name for link in LAB.links()]


def counters(value):
    return {f"bytes:{name}": value + place for place, name in enumerate(LINKS)} | {"frames": 1}


def write(path, *values, lab=LAB):
    """A run with a line a second."""
    with UtilisationFile(path, lab) as file:
        for second, value in enumerate(values):
            file.append(10.0 + second, counters(value))
    return path


def random_run(count, lab=LAB):
    rng = np.random.default_rng(1)
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 1.5, count))])
    return Utilisation(lab, times, rng.uniform(0, 1e6, (count, len(lab.links()))))


def steady_run(lab, seconds, carried):
    """A run in which every link carried so many bytes."""
    return Utilisation(lab, np.array([0.0, seconds]), np.full((1, len(lab.links())), carried))


def test_a_file_is_read_as_it_was_written(tmp_path):
    (run,) = read_utilisation(write(tmp_path / "u.jsonl", 5, 7, 107))
    assert run.lab == LAB
    assert run.links == tuple(LINKS)
    assert run.times.tolist() == [0.0, 1.0, 2.0]
    assert run.bytes.tolist() == [[2.0] * len(LINKS), [100.0] * len(LINKS)]


def test_a_second_run_starts_from_nothing(tmp_path):
    path = tmp_path / "u.jsonl"
    write(path, 0, 100)
    runs = read_utilisation(write(path, 0, 3, 5))
    assert [len(run.bytes) for run in runs] == [1, 2]
    both = joined(runs)
    assert both.times.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert both.bytes[:, 0].tolist() == [100.0, 3.0, 2.0]
    assert joined([random_run(4, OTHER), random_run(5), random_run(6)]).bytes.shape == (11, 24)


def test_a_torn_last_line_is_left_out_and_then_removed(tmp_path):
    path = write(tmp_path / "u.jsonl", 1, 2)
    path.write_text(path.read_text() + '{"t":1')
    assert len(read_utilisation(path)) == 1
    assert len(read_utilisation(write(path, 1, 2))) == 2
    path.write_text('{"t":0,"bytes":[]}\n')
    with pytest.raises(FileFormatError, match=r"line 1.*no header"):
        read_utilisation(path)
    with pytest.raises(StorageError, match="cannot write"):
        UtilisationFile(tmp_path, LAB)
    assert path_beside("a/lab.jsonl") == Path("a/lab.utilisation.jsonl")


def test_a_share_is_of_the_real_capacity():
    assert steady_run(LAB, 2.0, 25e6).share == pytest.approx(np.ones((1, 24)))
    assert steady_run(LAB, 2.0, 5e6).share == pytest.approx(np.full((1, 24), 0.2))
    slow = LAB.model_copy(update={"time_dilation": 10.0})
    assert steady_run(slow, 1.0, 1.25e6).share == pytest.approx(np.ones((1, 24)))
    cluster = LAB.clusters[0].model_copy(update={"rate": None})  # without a limit
    unlimited = LAB.model_copy(update={"clusters": (cluster,)})
    assert np.isnan(random_run(2, unlimited).share).all()


@pytest.mark.parametrize("most", [1, 2, 7, 10, 99, 100, 500])
def test_no_byte_is_lost_when_intervals_are_taken_together(most):
    run = random_run(100)
    coarse = run.coarser(most)
    assert len(coarse.bytes) <= most
    assert len(coarse.times) == len(coarse.bytes) + 1
    assert coarse.times[[0, -1]].tolist() == run.times[[0, -1]].tolist()
    assert coarse.bytes.sum(axis=0) == pytest.approx(run.bytes.sum(axis=0))
    assert set(coarse.times) <= set(run.times)


def test_a_run_that_carried_nothing_is_left_out(tmp_path):
    assert read_utilisation(write(tmp_path / "u.jsonl", 1)) == []
    assert read_utilisation(write(tmp_path / "u.jsonl", 1, 1, 1)) == []
    assert read_utilisation(tmp_path / "absent.jsonl") == []


@pytest.mark.parametrize(
    "line, said",
    [
        ("nonsense", ""),
        ("[1]", ""),
        ('{"t": 11.0}', "'bytes'"),
        ('{"t": 9.0, "bytes": [%s]}', "does not go forward"),
        ('{"t": 99.0, "bytes": [1]}', "1 values for 24 links"),
        ('{"t": 99.0, "bytes": [%s]}', "fewer than before"),
        ('{"schema": "contend.samples", "version": 1}', "not 'contend.utilisation' version 1"),
    ],
)
def test_what_is_no_utilisation_is_refused_with_its_line(tmp_path, line, said):
    path = write(tmp_path / "u.jsonl", 5)
    zeros = ",".join("0" for _ in LINKS)
    path.write_text(path.read_text() + line.replace("%s", zeros) + "\n")
    with pytest.raises(FileFormatError, match=f"line 3 .*{said}"):
        read_utilisation(path)
