import gzip
import os
import re
import socket
import tracemalloc
from pathlib import Path

import pytest

import contend
from contend.alltoall.clusters.file import read_groups
from contend.alltoall.clusters.plan import read_plan
from contend.base import textfile
from contend.base.errors import ContendError, FileFormatError
from contend.base.textfile import MOST_COLUMNS, read_bytes, read_text, read_unpacked, words_of
from contend.measure.exchange.summary import read_summary
from contend.measure.lab.specification import read_lab
from contend.measure.lab.utilisation import read_utilisation
from contend.models.network import Network
from contend.programs.sweeps.source import checksum
from contend.programs.traces.reader import read_trace
from contend.samples.reader import READERS, ReadOptions
from contend.samples.readers.csv_columns import CsvColumnsReader
from contend.samples.store import read_samples
from contend.simulate.flows.bound import read_messages
from contend.simulate.flows.reader import read_flows
from contend.simulate.graphs.reader import read_contention_graphs
from contend.simulate.topologies.names import read_topology
from contend.tune.exports.csel.library_trees import shipped

WIDE = "src,dst,bytes" + ",more" * MOST_COLUMNS + "\n"


def test_a_line_is_too_wide_not_a_long_file():
    rows = "1,2,3\n" * MOST_COLUMNS
    assert words_of(rows).shape == (MOST_COLUMNS, 3)
    with pytest.raises(FileFormatError, match=f"line 2 has {MOST_COLUMNS + 3} columns"):
        words_of("src,dst\n" + WIDE)
    assert words_of("1," * (MOST_COLUMNS - 1) + "1").shape == (1, MOST_COLUMNS)
    with pytest.raises(FileFormatError, match=f"line 1 has {MOST_COLUMNS + 1} columns"):
        words_of("1," * MOST_COLUMNS + "1")
    assert list(words_of("a\n\nb\n").index) == [1, 3]  # numbers of lines


def test_what_holds_a_null_is_no_text_and_bytes_have_a_limit(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\0b")
    with pytest.raises(FileFormatError, match="is no text"):
        read_text(path)
    path.write_bytes(b"\xff" * 100)
    assert read_bytes(path, 100) == b"\xff" * 100
    with pytest.raises(FileFormatError, match="text holds more than 99 characters or bytes"):
        read_bytes(path, 99)


@pytest.mark.parametrize(
    "read",
    [
        read_messages,
        read_flows,
        read_contention_graphs,
        lambda path: list(
            CsvColumnsReader().read(
                path, ReadOptions("alltoall", "native", n=4, columns={"m": "bytes", "time": "src"})
            )
        ),
    ],
)
def test_every_reader_of_tables_refuses_a_line_that_is_too_wide(tmp_path, read):
    path = tmp_path / "wide.csv"
    path.write_text(WIDE + "1,2,3" + ",4" * MOST_COLUMNS + "\n")
    with pytest.raises(FileFormatError, match=r"wide\.csv.* columns, where"):
        read(path)


MOST = 1000


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(textfile, "LARGEST", MOST)
    monkeypatch.setattr(textfile, "_PART", 64)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzipped"])
@pytest.mark.parametrize("errors", ["strict", "replace"])
def test_a_text_is_read_up_to_the_limit(tmp_path, small_limit, pack, errors):
    path = tmp_path / "text"
    path.write_bytes(pack(b"x" * MOST))
    assert read_text(path, errors=errors) == "x" * MOST
    path.write_bytes(pack(b"x" * (MOST + 1)))
    with pytest.raises(FileFormatError, match=f"text holds more than {MOST} characters"):
        read_text(path, errors=errors)
    assert read_text(path, 10, errors=errors) == "x" * 10


@pytest.mark.parametrize("read", [read_text, read_unpacked])
def test_what_is_packed_is_unpacked_no_further_than_to_the_limit(tmp_path, small_limit, read):
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"\n" * 10**7))
    tracemalloc.start()
    with pytest.raises(FileFormatError, match=f"holds more than {MOST} "):
        read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10**6


READS = {
    "text": read_text,
    "begin": lambda path: read_text(path, 4000, errors="replace"),
    "network": Network.load,
    "samples": read_samples,
    "flows": lambda path: read_flows(path, "csv"),
    "messages": read_messages,
    "graphs": read_contention_graphs,
    "groups": read_groups,
    "plan": read_plan,
    "lab": lambda path: read_lab(str(path)),
    "library": shipped,
    "utilisation": read_utilisation,
    "summary": read_summary,
    "topology": read_topology,
    "trace": read_trace,
    "trace of a format": lambda path: read_trace(path, "goal"),
    "sweep": checksum,
    "archive": lambda path: list(READERS.get("pico_archive").read(path, ReadOptions())),
}


def unix_socket(path, monkeypatch):
    monkeypatch.chdir(path.parent)  # a path of a socket has 107 bytes at most
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(path.name)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", ["device", "pipe", "socket"])
@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_what_has_no_end_is_refused_at_once(tmp_path, monkeypatch, read, what):
    path = tmp_path / "endless"
    if what == "device":
        path.symlink_to(os.devnull)
    elif what == "pipe":
        os.mkfifo(path)  # to which nothing writes
    else:
        unix_socket(path, monkeypatch)
    with pytest.raises(ContendError, match=re.escape(str(path))):
        read(path)


@pytest.mark.parametrize("read", [read for name, read in READS.items() if name != "sweep"])
def test_a_folder_is_no_file(tmp_path, read):
    with pytest.raises(ContendError, match=re.escape(str(tmp_path))):
        read(tmp_path)


@pytest.fixture
def pipe():
    """Path of a pipe with a text in it, whose writer has left."""
    read_end, write_end = os.pipe()
    os.write(write_end, b"src,dst,bytes\n" + b"0,1,8\n" * 1000)
    os.close(write_end)
    yield Path(f"/dev/fd/{read_end}")
    os.close(read_end)


def test_a_pipe_is_read_once_as_a_file_is_and_never_in_part(pipe):
    with pytest.raises(FileFormatError, match="is a pipe, which can be read only once"):
        read_text(pipe, 2)
    assert len(read_flows(pipe, "csv")) == 1000
    with pytest.raises(FileFormatError, match="nothing comes through the pipe"):
        read_text(pipe)


@pytest.mark.parametrize("text", ["0 MPI_Send 1 8\n", "0 init\n", "ranks.txt\n", "junk\n"])
def test_what_is_too_long_is_told_of_a_trace_alone(tmp_path, small_limit, text):
    """What is no trace is told by its beginning, not after all of it was read."""
    (tmp_path / "ranks.txt").write_text("0 init\n" * MOST)
    path = tmp_path / "trace.txt"
    path.write_text(text * (MOST if text.startswith("0") else 1))
    is_trace = text in ("0 init\n", "ranks.txt\n")
    with pytest.raises(FileFormatError, match="which are the most" if is_trace else "is no trace"):
        read_trace(path)


SOURCES = Path(contend.__file__).parent
# Modules that read files in another way: of the package, of the system, or written by contend.
OTHERS = {
    "api/__init__.py", "api/schemas/__init__.py", "cli/folder.py", "measure/build.py",
    "measure/exchange/run.py", "measure/foreground.py", "measure/lab/elf.py",
    "measure/lab/inside.py", "measure/lab/session.py", "measure/lab/specification.py",
    "measure/machine.py", "measure/scratch.py",
    "models/fitting/estimator.py",
    "programs/sweeps/source.py", "programs/traces/recording/launch.py",
    "report/canvas/markup.py", "report/sections/glossary.py",
    "samples/readers/pico.py", "samples/warnings.py",
    "schedules/libraries/algorithm.py", "schedules/libraries/default.py",
    "tune/exports/csel/facts.py", "tune/exports/finding.py", "tune/exports/ucc/tune.py",
    "tune/verification/calls.py",
}  # fmt: skip
READING = re.compile(
    r"""\.read_(text|bytes)\(|\.open\((\)|"r)|(?<![.\w])open\(|"""
    r"""(gzip|bz2|lzma|tarfile)\.open\((?!fileobj)|(np\.load|np\.loadtxt|json\.load)\("""
)


def test_files_of_users_are_read_by_this_module_alone():
    paths = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if re.search(READING, path.read_text()) and path.name != "base/textfile.py"
    }
    assert paths == OTHERS
