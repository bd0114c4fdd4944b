"""The CSV of samples: read back it is the same samples, by contend and by pandas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import FileFormatError, InvalidInputError
from contend.export import FORMATS, Wanted
from contend.samples import LabConditions, Provenance, Sample, SampleStore
from contend.samples.reader import READERS, ReadOptions, recognise
from contend.samples.table import medians

CSV = FORMATS.get("csv")


def sample(**fields: object) -> Sample:
    known: dict[str, object] = {
        "experiment": "alltoall",
        "algorithm": "native",
        "n": 4,
        "m": 1024,
        "times_s": (1e-4, 0.1 + 0.2, 1 / 3),
        "provenance": Provenance(source="test"),
    }
    return Sample(**(known | fields))


FULL = sample(
    processes_per_node=2,
    launch=3,
    algorithm="openmpi:chain",
    parameters={"segment": 8192.0, "is_told": True},
    warmup_s=(2e-4, 3e-4),
    rank_times_s=((1e-4, 2e-4), (3e-4, 4e-4), (5e-4, 6e-4)),
    start="window",
    late_starts=1,
    start_skew_s=3.1e-7,
    start_skew_bound_s=2e-6,
    stopped="precision",
    interval_relative=0.018,
    precision=0.05,
    cpu_busy=0.5,
    cpu_wait=0.2,
    lab=LabConditions.from_counters({"frames": 4, "late_ns": 8000}),
    provenance=Provenance(
        source='with, "quotes"',
        date="2025-03-01T10:00:00+01:00",
        mpi_library="MPICH Version: 4.2.0\nconfigured with, everything",
        hosts=("node one", "node,two"),
        nodes=2,
        clock_resolution=1e-9,
        is_oversubscribed=False,
        command=("srun", "-n", "4", "say 'x'"),
        environment=("A=1;2",),
        time_dilation=1.5,
    ),
)
DIFFERENT = [
    FULL,
    sample(),
    sample(m=0, launch=1, statistic="mean", times_s=(1.0000000000000002e-12,)),
    sample(m=2**40, experiment="bcast"),
]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The table of samples of all kinds."""
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.extend(DIFFERENT)
    path = tmp_path / "samples.csv"
    path.write_text(CSV.write(tmp_path / "samples.jsonl", Wanted()).text)
    return path


def test_read_back_it_is_the_same_samples_to_the_last_bit(written: Path) -> None:
    reader = recognise(written)
    assert reader.name == "contend_csv"
    assert list(reader.read(written, ReadOptions())) == DIFFERENT


def test_rows_in_any_order_are_the_same_samples(written: Path) -> None:
    rows = pd.read_csv(written, dtype=str, keep_default_na=False)
    order = np.random.default_rng(1).permutation(len(rows))
    rows.iloc[order].to_csv(written, index=False)
    back = READERS.get("contend_csv").read(written, ReadOptions())
    assert sorted(back, key=lambda one: one.point) == sorted(DIFFERENT, key=lambda one: one.point)


def test_what_pandas_read_and_wrote_is_the_same_samples(written: Path) -> None:
    pd.read_csv(written, engine="python").to_csv(written, index=False)
    assert list(READERS.get("contend_csv").read(written, ReadOptions())) == DIFFERENT


def test_pandas_sees_a_row_per_repetition_with_times_in_seconds(written: Path) -> None:
    rows = pd.read_csv(written, engine="python")
    times = rows[~rows["is_warmup"]].groupby(["experiment", "m_bytes"])["time_s"].apply(tuple)
    assert times.to_dict() == {(one.experiment, one.m): one.times_s for one in DIFFERENT[2:]} | {
        ("alltoall", 1024): FULL.times_s + DIFFERENT[1].times_s
    }


def test_rows_of_points_are_the_medians_that_fits_see(tmp_path: Path) -> None:
    noise = np.random.default_rng(2)
    samples = [
        sample(n=n, m=m, launch=launch, times_s=tuple(noise.uniform(1, 2, 9)))
        for n in (2, 4) for m in (1, 64) for launch in range(3)
    ]  # fmt: skip
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.extend(samples)
    path = tmp_path / "points.csv"
    path.write_text(CSV.write(tmp_path / "samples.jsonl", Wanted(by="point")).text)
    rows, known = pd.read_csv(path, engine="python"), medians(samples)
    for column, name in (("median_s", "seconds"), ("low_s", "low"), ("high_s", "high")):
        assert rows[column].tolist() == known[name].tolist()
    back = list(recognise(path).read(path, ReadOptions()))
    assert [(one.n, one.m, one.median) for one in back] == list(
        zip(known["n"], known["m"], known["seconds"], strict=True)
    )
    assert {one.statistic for one in back} == {"median"}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("0.30000000000000004", "fast", "time_s is 'fast'"),
        ("is_warmup", "is_odd", "no column 'is_odd'"),
        ("alltoall,native", "alltoall", "cells where"),
        ("alltoall,native,4", "alltoall,native,1", "n: "),
    ],
)
def test_a_table_that_was_spoilt_is_an_error_that_says_where(
    written: Path, old: str, new: str, problem: str
) -> None:
    written.write_text(written.read_text().replace(old, new, 1))
    with pytest.raises(FileFormatError, match=problem):
        list(READERS.get("contend_csv").read(written, ReadOptions()))


def test_what_the_table_says_itself_is_no_option(written: Path) -> None:
    with pytest.raises(InvalidInputError, match="says itself what --n would say"):
        list(READERS.get("contend_csv").read(written, ReadOptions(n=4)))
    kept = READERS.get("contend_csv").read(written, ReadOptions(where={"experiment": "bcast"}))
    assert list(kept) == DIFFERENT[3:]


def test_rows_by_something_else_are_refused(tmp_path: Path) -> None:
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.extend(DIFFERENT)
    with pytest.raises(InvalidInputError, match="no rows are by 'host'"):
        CSV.write(tmp_path / "samples.jsonl", Wanted(by="host"))
