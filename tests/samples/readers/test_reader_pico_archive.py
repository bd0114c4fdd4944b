"""Archives of PICO's runs: one made as PICO packs them, read with its metadata."""

import io
import tarfile

import pytest

from contend.base.errors import FileFormatError
from contend.samples.reader import READERS, ReadOptions, recognise
from contend.samples.readers._text import SkippedWarning

STAMP = "2025_04_06___13_24_31"
METADATA = (
    "timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version,gpu_awareness,"
    "output_level,MPI_Op,notes\n"
    f"{STAMP},0,4,2,BCAST,OMPI,4.1.6,no,summarized,null,null\n"
    f"{STAMP},1,4,2,ALLTOALL,OMPI,4.1.6,no,all,null,null\n"
    f"{STAMP},2,4,2,BCAST,OMPI,4.1.6,no,summarized,null,again\n"
)
TIMES = "highest\n" + "".join(f"{1000 + number}\n" for number in range(10))


def archive(folder, files, metadata=METADATA):
    """results/leonardo/STAMP.tar.gz with the files below the stamp, and the metadata above."""
    path = folder / "results" / "leonardo" / f"{STAMP}.tar.gz"
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as packed:
        packed.addfile(_folder(STAMP))
        for name, text in files.items():
            member = tarfile.TarInfo(f"{STAMP}/{name}")
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
    if metadata:
        (folder / "results" / "leonardo_metadata.csv").write_text(metadata)
    return path


def _folder(name):
    member = tarfile.TarInfo(name)
    member.type = tarfile.DIRTYPE
    return member


def read(path, **options):
    return list(READERS.get("pico_archive").read(path, ReadOptions(**options)))


def test_each_file_is_a_sample_with_its_repetitions_after_the_warm_up(tmp_path):
    path = archive(tmp_path, {"0/64_chain_ompi_int32.csv": TIMES, "alloc.csv": "rank,host\n"})
    assert recognise(path).name == "pico_archive"
    (sample,) = read(path)
    assert sample.point == ("bcast", "openmpi:chain", 8, 2, 256, 0)
    assert sample.warmup_s == pytest.approx([1.0e-6, 1.001e-6])
    assert sample.times_s == pytest.approx([1.002e-6 + 1e-9 * k for k in range(8)])
    assert (sample.statistic, sample.provenance.nodes) == ("repetition", 4)
    assert sample.provenance.mpi_library == "OMPI 4.1.6"


def test_m_is_a_block_and_tests_of_a_point_are_launches(tmp_path):
    files = {
        "0/64_default_ompi_int32.csv": TIMES,
        "1/64_pairwise_ompi_int32.csv": "highest,rank0\n" + "1000,900\n" * 10,
        "2/64_default_ompi_int32.csv": TIMES,
    }
    found = read(archive(tmp_path, files))
    assert [(one.experiment, one.algorithm, one.m, one.launch) for one in found] == [
        ("bcast", "native", 256, 0), ("alltoall", "openmpi:pairwise", 32, 0),
        ("bcast", "native", 256, 1),
    ]  # fmt: skip
    (again,) = read(tmp_path / "results/leonardo" / f"{STAMP}.tar.gz", where={"notes": "again"})
    assert again.launch == 0
    (tmp_path / "results/leonardo/other_metadata.csv").write_text("a," + "b" * 200_000)
    assert len(read(tmp_path / "results/leonardo" / f"{STAMP}.tar.gz")) == 3  # that is none


def test_a_buffer_without_equal_blocks_is_left_out_with_a_warning(tmp_path):
    files = {"1/3_default_ompi_int8.csv": TIMES, "1/8_default_ompi_int8.csv": TIMES}
    with pytest.warns(SkippedWarning, match="a buffer of 3 bytes has no 8 equal blocks"):
        assert [one.m for one in read(archive(tmp_path, files))] == [1]


def test_an_archive_that_is_cut_off_too_large_or_alone_is_an_error(tmp_path, monkeypatch):
    path = archive(tmp_path, {"0/64_default_ompi_int32.csv": TIMES * 50})
    monkeypatch.setattr("contend.base.textfile.LARGEST", 4096)
    with pytest.raises(FileFormatError, match="holds more than 4096"):
        read(path)
    monkeypatch.undo()
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FileFormatError, match="cannot read"):
        read(path)
    alone = archive(tmp_path / "alone", {"0/64_default_ompi_int32.csv": TIMES}, "")
    with pytest.raises(FileFormatError, match=r"leonardo_metadata\.csv beside the archive"):
        read(alone)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("highest\n12\nfast\n", "line 3: highest is 'fast'"),
        ("highest\n12,3\n", "line 2: 2 columns where 1 are due"),
        ("lowest\n12\n", "has no iterations"),
        ("highest\n", "has no iterations"),
    ],
)
def test_a_bad_line_is_named_with_its_file(tmp_path, text, named):
    path = archive(tmp_path, {"0/64_default_ompi_int32.csv": text})
    with pytest.raises(FileFormatError, match=f"0/64_default_ompi_int32.csv:? ?{named}"):
        read(path)


def test_runs_of_fugaku_hold_no_warm_up_and_end_in_a_line_cut_off(tmp_path):
    path = tmp_path / "release.tar"
    files = {
        f"release/results/fugaku/{STAMP}/0/64_default-default_int32.csv": TIMES + "10",
        "release/results/fugaku_metadata.csv": METADATA.replace("OMPI", "FJMPI"),
    }
    with tarfile.open(path, "w") as packed:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
    (sample,) = read(path)
    assert (sample.warmup_s, len(sample.times_s)) == ((), 10)
    assert sample.algorithm == "native"


def test_files_of_an_archive_have_a_limit_together(tmp_path, monkeypatch):
    files = {f"0/{size}_default_ompi_int32.csv": TIMES for size in (64, 128)}
    path = archive(tmp_path, files)
    monkeypatch.setattr("contend.samples.readers.pico_archive.LARGEST", 2 * len(TIMES))
    assert len(read(path)) == 2
    monkeypatch.setattr("contend.samples.readers.pico_archive.LARGEST", 2 * len(TIMES) - 1)
    with pytest.raises(FileFormatError, match=r"its files have more than \d+ bytes"):
        read(path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_what_is_no_file_in_an_archive_is_named(tmp_path, kind):
    path = archive(tmp_path, {"0/64_default_ompi_int32.csv": TIMES})
    with tarfile.open(path, "w") as packed:
        member = tarfile.TarInfo(f"{STAMP}/0/64_default_ompi_int32.csv")
        member.type, member.linkname = kind, "/etc/hostname"
        packed.addfile(member)
    with pytest.raises(FileFormatError, match=r"int32\.csv is a link or a device"):
        read(path)
