import gzip
import sys

import pytest

import contend.samples.readers
from contend.base.errors import FileFormatError
from contend.base.registry import Registry
from contend.samples import reader
from contend.samples.reader import READERS, ReadOptions, recognise
from contend.samples.tidy import HEAD

DUMMY = '''
from contend.samples.reader import Reader


class DummyReader(Reader):
    """Reader of nothing."""

    name = "dummy"
    title = "Dummy"

    def recognises(self, head):
        return head.startswith("dummy format")

    def read(self, path, options):
        return iter(())
'''
HEADS = {
    "contend_csv": ",".join(HEAD) + "\n",
    "contend_watch": '{"format":"contend-watch","version":1,"job":"0000000000000001",',
    "csv_columns": "bytes,seconds\n8,1e-6\n",
    "imb": "# Benchmarking Bcast\n# #processes = 4\n",
    "nccl_tests": "# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor)\n",
    "nccl_tests_json": '{"version":2,"start_time":"2026-01-01 00:00:00","args":["a"',
    "osu": "\n# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n",
    "pico": "collective,nnodes,tasks_per_node,mpi_lib,mpi_ver,array_dim,algo,dtype,median_ns\n",
    "pico_archive": "2025_04_06___13_24_31/\0".ljust(257, "\0") + "ustar",
    "platform_calibration": "MPI_Isend,64,0.125,1.5e-06\n",
    "reprompi": "#@nprocs=4\n  test  nrep  count  runtime_sec\n",
}


@pytest.mark.parametrize("name", HEADS)
def test_each_head_is_recognised_by_its_reader_alone(name):
    found = [each.name for each in READERS.all() if each.recognises(HEADS[name])]
    assert found == [name]
    assert READERS.names() == sorted(HEADS)


SAMPLES = 2 * '{"schema":"contend.samples","version":1,"m":8,"n":2}\n'
NO_HEADS = ["", "\n", "\0\0,\0", "just a text\nof two lines", '"a,b\n1,2\n', SAMPLES]


@pytest.mark.parametrize("head", NO_HEADS)
def test_no_reader_recognises_something_else(head):
    assert not [each.name for each in READERS.all() if each.recognises(head)]


@pytest.mark.parametrize("file_name", ["p.csv.gz", "packed"])
def test_a_gzipped_file_is_recognised_by_its_content(tmp_path, file_name):
    path = tmp_path / file_name
    path.write_bytes(gzip.compress(HEADS["platform_calibration"].encode()))
    assert recognise(path).name == "platform_calibration"
    path.write_text(HEADS["csv_columns"], encoding="utf-8-sig")  # with a byte order mark
    assert recognise(path).name == "csv_columns"
    path.write_text("hello\n")
    with pytest.raises(FileFormatError, match=r"no reader recognises.*osu"):
        recognise(path)
    with pytest.raises(FileFormatError, match="there is no file"):
        recognise(tmp_path / "absent")


def test_a_cut_off_gzip_is_an_error(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"MPI_Isend,64,0.1,1e-6\n" * 50)[:-12])
    with pytest.raises(FileFormatError, match="cannot read"):
        list(READERS.get("platform_calibration").read(path, ReadOptions()))


def test_a_reader_added_as_one_file_is_listed_and_used(tmp_path, monkeypatch):
    (tmp_path / "dummy.py").write_text(DUMMY)
    package = contend.samples.readers
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    registry = Registry(READERS.kind, READERS.base, READERS.package)
    monkeypatch.setattr(reader, "READERS", registry)
    path = tmp_path / "x.txt"
    path.write_text("dummy format 1\n")
    try:
        assert registry.names() == sorted([*HEADS, "dummy"])
        assert recognise(path).name == "dummy"
    finally:
        sys.modules.pop(f"{package.__name__}.dummy", None)
        vars(package).pop("dummy", None)
