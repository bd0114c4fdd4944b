"""Bytes a call of recorded traces, before blocks were packed and now, and what rounding changes.

    python -m benchmarks.trace_size [--mpicc WRAPPER]

Writes the traces of `benchmarks/kept/replayed-programs` (version 1, times in ns) anew by the files
of the recorder, and replays both on 100 Mbit/s. Then records the same programs here, with more
steps by fewer ranks. Records are counted without those of the recorder itself.
"""

import argparse
import os
import subprocess
import tarfile
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.replayed_programs import LABS, PROGRAMS

from contend.cli.output import markdown
from contend.measure.build import preloaded_library, source_folder
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, find_mpi
from contend.programs.replay import Line, replay
from contend.programs.traces.reader import read_trace
from contend.programs.traces.recording.files import (
    TITLE,
    RankFile,
    rank_file,
    read_rank,
    read_title,
)

NETWORK = Line(30e-6, 12.5e6)  # s, B/s
SOURCE = Path(__file__).with_suffix(".c")
KEPT = Path(__file__).parent / "kept" / "replayed-programs.tar.xz"
RUN = "00000000000000a1"  # number of those that are written anew
STEPS, RANKS, SIZE, COMPUTED_US = 300, 4, 1000, 20  # of programs that are recorded here; B
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
    ranks = range(read_title(folder).ranks)
    return sum(rank_file(folder, rank).stat().st_size for rank in ranks) / calls(folder)[0]


def calls(folder: Path) -> tuple[int, int]:
    """How many calls all ranks made, and the bytes of their records and words in memory."""
    title = read_title(folder)
    count = size = 0
    for rank in range(title.ranks):
        file = read_rank(folder, rank, title)
        own = sum(file.is_kind(name).sum() for name in ("flush", "clock", "communicator"))
        count += file.records.size - int(own)
        size += file.records.nbytes + file.words.nbytes
    return count, size


def recorded_here(mpi: MPI, place: Path) -> pd.DataFrame:
    """A row for each program."""
    program, rows = place / "patterns", []
    source = Path(__file__).with_name("patterns.c")
    words = [mpi.mpicc, "-O2", "-D_GNU_SOURCE", source, source.with_name("kernels.c"), "-lm"]
    subprocess.run([*words, "-o", program], check=True)
    for title in (title for title in PROGRAMS if "-" not in title):  # others differ in size alone
        folder = place / f"{title}-here"
        folder.mkdir()
        own = [f"LD_PRELOAD={preloaded_library(mpi)}", f"CONTEND_RECORD={folder}"]
        numbers = [str(number) for number in (STEPS, SIZE, COMPUTED_US)]
        subprocess.run(
            [*mpi.launcher, "-n", str(RANKS), "env", *own, program, title, *numbers],
            env={**os.environ, **settings(mpi, RANKS, LaunchOptions())},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        count, in_memory = calls(folder)
        rows.append(
            {
                "program": title,
                "calls of a rank": count // RANKS,
                "bytes a call in memory": f"{in_memory / count:.1f}",
                "in the file": f"{bytes_per_call(folder):.2f}",
            }
        )
    return pd.DataFrame(rows)


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


def row(program: Path, title: str, folders: list[Path]) -> dict[str, str]:
    """The row of a program, with a value for each folder of traces."""
    before = [folder / f"{title}-0" for folder in folders]
    anew = [trace.with_name(f"{trace.name}-anew") for trace in before]
    for trace, folder in zip(before, anew, strict=True):
        copy_trace(program, trace, folder)
    changes = [seconds(new) / seconds(old) - 1 for old, new in zip(before, anew, strict=True)]
    return {
        "program": title,
        "bytes a call before": ", ".join(f"{bytes_per_call(trace):.1f}" for trace in before),
        "now": ", ".join(f"{bytes_per_call(trace):.1f}" for trace in anew),
        "change of the replayed time": ", ".join(f"{100 * change:+.4f} %" for change in changes),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpicc")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, tarfile.open(KEPT) as archive:
        program, kept = Path(name) / "trace_size", Path(name) / "kept"
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4
        archive.extractall(kept)
        mpi = find_mpi(given.mpicc)
        words = compile_words(mpi.mpicc)
        subprocess.run([*words, "-o", program], check=True)
        folders = [kept / name.partition(",")[0] for name in LABS]
        print(markdown(pd.DataFrame([row(program, title, folders) for title in PROGRAMS])))
        print(f"\n{mpi.title}, {RANKS} ranks, {STEPS} steps\n")
        print(markdown(recorded_here(mpi, Path(name))))


if __name__ == "__main__":
    main()
