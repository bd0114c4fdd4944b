"""Files that were edited at random are read, or are an error that names the file: no traceback."""

import io
import json
import tarfile
import warnings

import numpy as np
import pytest
from test_reader_nccl_tests import starting
from test_reader_nccl_tests_json import text_of
from test_reader_pico import SUMMARY, summary_row

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.samples.reader import READERS, ReadOptions
from contend.samples.readers._text import AssumedWarning, SkippedWarning
from support.production import Key, call, record

EDITS = 60  # of each format
OSU = "# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n1   2.5\n2   2.6\n"
IMB = (
    "# Benchmarking Alltoall\n# #processes = 4\n#----\n"
    "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "0  1000  0.04  0.05  0.04\n8  1000  4.5  5.5  5.0\n\n"
)
FILES = {
    "contend_watch": json.dumps(record(call(Key(), 4 * [(0.0, 1e-3)]))) + "\n",
    "csv_columns": "size,time_us\n8,1.5\n16,1.7\n",
    "blanks": "# size time_us\n8 1.5\n16 1.7\n",
    "imb": IMB,
    "nccl_tests": starting("all_reduce"),
    "nccl_tests_json": text_of(),
    "osu": OSU,
    "pico": "\n".join([SUMMARY, *[summary_row("BCAST", "chain_ompi")] * 3]) + "\n",
    "platform_calibration": "MPI_Isend,64,0.125,1.5e-06\nMPI_Isend,64,0.25,1.5e-06\n",
    "reprompi": "#@nprocs=4\n#@datatype_size_bytes=1\n  test  nrep  count  runtime_sec\n"
    "  MPI_Bcast  0  8  1e-6\n",
}
OF_TABLES = ReadOptions("alltoall", "native", 4, columns={"m": "size", "time_us": "time_us"})


def edited(text, rng):
    """The text with a few characters removed, doubled or replaced, or cut off."""
    characters = list(text)
    for _ in range(int(rng.integers(1, 6))):
        place = int(rng.integers(len(characters)))
        what = int(rng.integers(4))
        if what == 0:
            del characters[place : place + int(rng.integers(1, 12))]
        elif what == 1:
            characters.insert(place, rng.choice(list('0-1.e,;#\n\t\0 x"\u00e9')))
        elif what == 2:
            characters[place] = rng.choice(list('09-.en,#\n \0"'))
        else:
            characters = characters[: place + 1]
        characters = characters or ["\n"]
    return "".join(characters)


@pytest.mark.parametrize("name", FILES)
def test_an_edited_file_is_read_or_refused_with_its_name(tmp_path, name):
    rng = np.random.default_rng(7)
    of_table = name in ("csv_columns", "blanks")
    reader = READERS.get("csv_columns" if of_table else name)
    path, refused = tmp_path / "edited.txt", 0
    for _ in range(EDITS):
        path.write_text(edited(FILES[name], rng))
        options = OF_TABLES if of_table else ReadOptions(n=4 if name == "osu" else None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkippedWarning)
            warnings.simplefilter("ignore", AssumedWarning)
            reader.recognises(path.read_text()[:4000])
            try:
                list(reader.read(path, options))
            except (FileFormatError, InvalidInputError) as error:
                refused += 1
                assert path.name in str(error)
    assert refused


def test_an_edited_archive_is_read_or_refused(tmp_path):
    rng = np.random.default_rng(8)
    path, stamp = tmp_path / "run.tar", "2025_04_06___13_24_31"
    metadata = (
        "timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version\n"
        f"{stamp},0,4,2,BCAST,OMPI,4.1.6\n"
    )
    for _ in range(EDITS):
        with tarfile.open(path, "w") as packed:
            for member, text in {
                f"{stamp}/0/64_chain_ompi_int32.csv": edited("highest\n12\n13\n14\n", rng),
                "x_metadata.csv": edited(metadata, rng) if rng.random() < 0.5 else metadata,
            }.items():
                about = tarfile.TarInfo(member)
                about.size = len(text.encode())
                packed.addfile(about, io.BytesIO(text.encode()))
        if rng.random() < 0.3:
            path.write_bytes(edited(path.read_bytes().decode("latin-1"), rng).encode("latin-1"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkippedWarning)
            warnings.simplefilter("ignore", AssumedWarning)
            try:
                list(READERS.get("pico_archive").read(path, ReadOptions()))
            except ContendError as error:
                assert path.name in str(error)
