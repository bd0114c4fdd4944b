import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions, recognise
from contend.samples.readers.platform_calibration import PlatformCalibrationReader

PINGPONG = """\
MPI_Send,1024,3.000000,1.000000e-06
MPI_Recv,1024,3.000000,5.000000e-06
MPI_Send,8,1.000000,0.500000e-06
MPI_Recv,8,1.000000,1.500000e-06
MPI_Send,1024,2.000000,2.000000e-06
MPI_Recv,1024,2.000000,6.000000e-06
"""


def read(tmp_path: Path, text: str, **options: object) -> list[Sample]:
    path = tmp_path / "run.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    return list(PlatformCalibrationReader().read(path, ReadOptions(**options)))  # type: ignore[arg-type]


def test_half_the_send_and_its_reply_is_half_a_round_trip(tmp_path: Path) -> None:
    small, large = read(tmp_path, PINGPONG, processes_per_node=1)
    assert small.where == "pingpong/half_round_trip n=2 m=8 launch 0"
    assert small.times_s == pytest.approx([1e-6])
    assert large.m == 1024
    assert large.times_s == pytest.approx([4e-6, 3e-6])  # in the order of their starts
    assert (large.statistic, large.processes_per_node) == ("repetition", 1)
    assert large.provenance.source == "platform_calibration: run.csv.gz"


@pytest.mark.parametrize(
    ("operation", "algorithm"),
    [("MPI_Isend", "send_overhead"), ("MPI_Recv", "receive_overhead")],
)
def test_a_single_operation_is_an_overhead_of_plogp(
    tmp_path: Path, operation: str, algorithm: str
) -> None:
    (sample,) = read(tmp_path, f"{operation},64,0.5,2e-6\n{operation},64,0.25,3e-6\n")
    assert sample.where == f"plogp/{algorithm} n=2 m=64 launch 0"
    assert sample.times_s == (3e-6, 2e-6)


def test_an_unpacked_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(PINGPONG)
    assert len(list(PlatformCalibrationReader().read(path, ReadOptions()))) == 2


@pytest.mark.parametrize("operation", ["MPI_Iprobe", "MPI_Test", "MPI_Wtime"])
def test_an_operation_without_a_message_is_refused(tmp_path: Path, operation: str) -> None:
    with pytest.raises(FileFormatError, match=f"holds {operation}; name a PingPong"):
        read(tmp_path, f"{operation},1,0.5,2e-6\n")


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("MPI_Recv,8,", "MPI_Send,8,", "line 3: no MPI_Send followed by"),
        ("MPI_Recv,8,", "MPI_Recv,9,", "line 3: no MPI_Send followed by"),
        ("MPI_Recv,8,1.0", "MPI_Recv,8,1.5", "line 3: no MPI_Send followed by"),
        ("MPI_Recv,1024,2.000000,6.000000e-06\n", "", "line 5: no MPI_Send followed by"),
        ("0.500000e-06", "-0.5", "line 3: duration is '-0.5'"),
        ("0.500000e-06", "nan", "line 3: duration is 'nan'"),
        ("Recv,8,1.000000", "Recv,8,late", "line 4: start is 'late'"),
        ("MPI_Recv,8,", "MPI_Recv,8.5,", "line 4: bytes is '8.5'"),
        ("MPI_Recv,8,", "MPI_Recv,8,8,", "line 4: 5 fields where 4 are due"),
    ],
)
def test_a_bad_row_is_an_error_with_its_line(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    with pytest.raises(FileFormatError, match=problem):
        read(tmp_path, PINGPONG.replace(good, bad))


def test_other_columns_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 1: 2 columns where"):
        read(tmp_path, "MPI_Send,8\n")


@pytest.mark.parametrize("options", [{"n": 4}, {"experiment": "alltoall"}, {"algorithm": "native"}])
def test_a_contradicting_option_is_an_error(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match=r"leave --.* out"):
        read(tmp_path, PINGPONG, **options)


@pytest.mark.parametrize(
    "files", ["taurus/taurus-2016-06-09--1", "stampede/testplatform", "graphene_eth/graphene_eth"]
)
@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("PingPong", ("pingpong", "half_round_trip")),
        ("Isend", ("plogp", "send_overhead")),
        ("Recv", ("plogp", "receive_overhead")),
    ],
)
def test_the_files_of_three_clusters_are_recognised_and_read(
    shared_data: Callable[[str], Path], files: str, part: str, kind: tuple[str, str]
) -> None:
    path = shared_data(f"grid5000_pointtopoint/{files}_{part}.csv.gz")
    reader = recognise(path)
    assert reader.name == "platform_calibration"
    samples = list(reader.read(path, ReadOptions()))
    sizes = [s.m for s in samples]
    assert {(s.experiment, s.algorithm, s.n) for s in samples} == {(*kind, 2)}
    assert len(sizes) == 490
    assert sizes == sorted(set(sizes))


def test_half_a_round_trip_on_ethernet_approaches_its_rate(
    shared_data: Callable[[str], Path],
) -> None:
    path = shared_data("grid5000_pointtopoint/graphene_eth/graphene_eth_PingPong.csv.gz")
    samples = list(PlatformCalibrationReader().read(path, ReadOptions()))
    rates = np.array([s.m / s.median for s in samples if s.m > 500_000])
    assert (rates < 125e6).all()  # 1 Gbit/s
    assert (rates > 0.75 * 125e6).all()
