"""contend import and contend import: several files, some of them unsuitable."""

import pytest

from contend.samples import read_samples
from contend.simulate.graphs.saturation import COLUMNS

OSU = "# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n1   2.5\n2   2.6\n"


@pytest.fixture
def files(tmp_path):
    good, bad, cut = (tmp_path / name for name in ("good.txt", "bad.txt", "cut.txt"))
    good.write_text(OSU)
    bad.write_text("[1, 2]\n")
    cut.write_text(OSU.replace("2.5", "lost").replace("2.6", "lost"))
    return good, bad, cut


def test_files_that_cannot_be_read_do_not_keep_others_out(contend, files, tmp_path):
    out = tmp_path / "s.jsonl"
    outcome = contend("import", *files, "-n", 4, "-o", out)
    assert outcome.code == 1
    assert "2 samples of 1 of 3 files" in outcome.out
    assert "left out: no reader recognises" in outcome.err
    assert "cut.txt line 3: Avg Latency(us) is 'lost'" in outcome.err
    assert [one.m for one in read_samples(out)] == [1, 2]
    told = contend("import", *files, "-n", 4, "-o", out, "--json")
    assert (told.code, told.json["new"], len(told.json["left_out"])) == (1, 0, 2)


def test_where_none_can_be_read_nothing_is_written(contend, files, tmp_path):
    outcome = contend("import", *files[1:], "-n", 4, "-o", tmp_path / "s.jsonl")
    outcome.fails()
    assert outcome.err.startswith("error: no reader recognises")
    assert not (tmp_path / "s.jsonl").exists()


def test_a_set_of_graphs_becomes_measured_graphs(contend, tmp_path):
    path, graphs = tmp_path / "saturation.csv", tmp_path / "g.jsonl"
    rows = [f"p,send,0,4,{rank},1,0,1000,0.0,2.0" for rank in (2, 3)]
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n")
    assert contend("import", path, "-o", graphs, "--json").json["new"] == 1
    assert "left out" in contend("import", path, "-o", graphs).err
    osu = tmp_path / "osu.txt"
    osu.write_text(OSU)
    contend("import", osu, path, "-n", 4, "-o", tmp_path / "s.jsonl").fails(
        "by itself: 'contend import"
    )


def test_one_map_names_several_columns_and_an_operation_of_mpi(contend, tmp_path):
    table, out = tmp_path / "times.csv", tmp_path / "s.jsonl"
    table.write_text("bytes,ranks,lat_us\n8,4,10\n16,4,11\n")
    words = ("import", table, "--as", "experiment=MPI_Alltoall,algorithm=native", "-o", out)
    seconds = contend(*words, "--map", "m=bytes,n=ranks,time=lat_us")
    assert "map it as --map time_us=lat_us" in seconds.err
    assert contend(*words, "--map", "m=bytes,n=ranks,time_us=lat_us").code == 0
    assert [(one.experiment, one.m, one.times_s) for one in read_samples(out)] == [
        ("alltoall", 8, (1e-5,)),
        ("alltoall", 16, (1.1e-5,)),
    ]
