"""Bytes a call of recorded traces, before blocks were packed and now, and what rounding changes.

    python -m benchmarks.trace_size [--mpicc WRAPPER]

Writes the traces of `benchmarks/kept/replayed-programs` (version 1, times in ns) anew by the files
of the recorder, and replays both on 100 Mbit/s. Records are counted without those of the recorder
itself.
"""

import argparse
import subprocess
import tarfile
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.replayed_programs import LABS, PROGRAMS

from contend.cli.output import markdown
from contend.measure.build import source_folder
from contend.measure.mpi import find_mpi
from contend.programs.replay import Line, replay
from contend.programs.traces.reader import read_trace
from contend.programs.traces.recorded.files import TITLE, RankFile, rank_file, read_rank, read_title

NETWORK = Line(30e-6, 12.5e6)  # s, B/s
SOURCE = Path(__file__).with_suffix(".c")
KEPT = Path(__file__).parent / "kept" / "replayed-programs.tar.xz"
RUN = "00000000000000a1"  # number of those that are written anew
FLAGS = ("-std=c11", "-O2", "-D_GNU_SOURCE")
FILES = ("trace", "pack")  # of the recorder


def compile_words(mpicc: str, *flags: str) -> list[str]:
    """Words that compile the program that writes records anew, without its name."""
    folder = source_folder() / "interpose" / "record"
    sources = [str(folder / f"{name}.c") for name in FILES]
    return [mpicc, *FLAGS, *flags, f"-I{folder}", str(SOURCE), *sources]


def written_anew(program: Path, file: RankFile, ranks: int, folder: Path) -> None:
    """Write the records of a rank into a folder."""
    records = file.records.astype(file.records.dtype.newbyteorder("="))
    records["first"] = file.first
    sizes = np.array([len(file.kinds), records.size, file.words.size], np.uint64)
    data = sizes.tobytes() + np.array(file.kinds, "S64").tobytes()
    subprocess.run(
        [program, folder, str(file.rank), str(ranks), RUN],
        input=data + records.tobytes() + file.words.tobytes(),
        check=True,
    )


def bytes_per_call(folder: Path) -> float:
    """Bytes of the files of all ranks, by their records but for those of the recorder itself."""
    title = read_title(folder)
    size = calls = 0
    for rank in range(title.ranks):
        file = read_rank(folder, rank, title)
        own = sum(file.is_kind(name).sum() for name in ("flush", "clock", "communicator"))
        calls += file.records.size - int(own)
        size += rank_file(folder, rank).stat().st_size
    return size / calls


def copy_trace(program: Path, before: Path, folder: Path) -> None:
    """Write a trace of all ranks anew."""
    title = read_title(before)
    folder.mkdir()
    lines = ["contend trace 3", f"ranks {title.ranks}", f"run {RUN}", f"library {title.library}"]
    (folder / TITLE).write_text("\n".join([*lines, ""]))
    for rank in range(title.ranks):
        written_anew(program, read_rank(before, rank, title), title.ranks, folder)


def seconds(folder: Path) -> float:
    """Time of a replay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return replay(read_trace(folder), NETWORK).seconds


def row(program: Path, before: Path) -> dict[str, object]:
    """The row of a trace."""
    folder = before.with_name(f"{before.name}-anew")
    copy_trace(program, before, folder)
    return {
        "network": before.parent.name,
        "program": before.name.removesuffix("-0"),
        "bytes a call before": f"{bytes_per_call(before):.1f}",
        "now": f"{bytes_per_call(folder):.1f}",
        "time of the replay": f"{100 * (seconds(folder) / seconds(before) - 1):+.4f} %",
    }


def table(program: Path, kept: Path) -> pd.DataFrame:
    """A row for each program and network."""
    folders = [kept / name.partition(",")[0] for name in LABS]
    return pd.DataFrame(
        [row(program, folder / f"{title}-0") for folder in folders for title in PROGRAMS]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpicc")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, tarfile.open(KEPT) as archive:
        program, kept = Path(name) / "trace_size", Path(name) / "kept"
        archive.extractall(kept, filter="data")
        words = compile_words(find_mpi(given.mpicc).mpicc)
        subprocess.run([*words, "-o", program], check=True)
        print(markdown(table(program, kept)))


if __name__ == "__main__":
    main()
