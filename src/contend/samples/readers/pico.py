"""Results of PICO, a benchmark of collective operations by algorithm.

Source: HLC-Lab/pico (MIT): the aggregated_results_summary.csv of its plot/summarize_data.py, or
such tables with the columns of the metadata beside them.

Layout: CSV, plain or gzipped, with a header and a row per collective, algorithm, nodes and size:
collective, nnodes (8, or 2x2x2 on a torus), tasks_per_node, mpi_lib, mpi_ver, array_dim, algo,
dtype, and statistics over the iterations, of which median_ns is read. A summary says
collective_type, mpi_lib_version, algo_name, datatype and median, in nanoseconds too. The time of an
iteration is that of its slowest rank. Rows of the same point are launches of their own.
A dtype other than int32 is a condition. Several MPI libraries at one point are warned of.

m: array_dim counts the elements of the whole buffer of a rank. Where the blocks of ranks lie in
that buffer (all-to-all, all-gather, gather, scatter, reduce-scatter), m is the n-th part of it.

Algorithms: `default-NAME` is the MPI library set to use NAME. Where that is an algorithm of the
catalogue it has the catalogue's name; as no segment size was given, the library sends each message
whole (parameter segment = m). `NAME_ompi` and `NAME_mpich` are what that library was set to use:
`openmpi:chain`, by the library's own name. `default-default`, `default_ompi` and `default_mpich`
are the library's own choice, `native`. All others keep their name: they are not, or may not be, an
algorithm of the catalogue.

Restrictions: a row whose buffer does not split into n equal blocks is left out, with a warning.
"""

import math
import re
import tomllib
import warnings
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from contend.base.document import Column, Frame
from contend.base.errors import FileFormatError
from contend.base.textfile import read_words
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._table import decimals, wholes
from contend.samples.readers._text import AssumedWarning, SkippedWarning, agreed, sample_at
from contend.samples.sample import Sample
from contend.samples.setting import NATIVE, OF_LIBRARY

COLUMNS = (
    "collective", "nnodes", "tasks_per_node", "mpi_lib", "mpi_ver", "array_dim", "algo", "dtype",
    "median_ns",
)  # fmt: skip
IN_SUMMARY = {  # columns that a summary names otherwise
    "collective": "collective_type", "mpi_ver": "mpi_lib_version", "algo": "algo_name",
    "dtype": "datatype", "median_ns": "median",
}  # fmt: skip
BYTES = {
    "char": 1, "unsigned_char": 1, "int8": 1, "uint8": 1, "int16": 2, "int32": 4, "int": 4,
    "uint32": 4, "float": 4, "float32": 4, "int64": 8, "uint64": 8, "double": 8, "float64": 8,
}  # fmt: skip
BY_BLOCK = {"allgather", "alltoall", "alltoallv", "gather", "reduce_scatter", "scatter"}
USUAL_TYPES = ("int32", "int")  # what PICO takes when it is given none
OWN_CHOICE = "default-default"
LIBRARIES = {"ompi": "openmpi", "mpich": "mpich"}  # a suffix of PICO's, and the library
IN_SEGMENTS = {
    ("allreduce", "segmented_ring"), ("bcast", "binary"), ("bcast", "split_binary"),
    ("gather", "linear_sync"), ("reduce", "binary"),
}  # fmt: skip


class PicoReader(Reader):
    name = "pico"
    title = "PICO: collective operations by algorithm, with their metadata"

    def recognises(self, head: str) -> bool:
        names = set(head.partition("\n")[0].strip().split(","))
        return (
            set(COLUMNS) <= names or {IN_SUMMARY.get(column, column) for column in COLUMNS} <= names
        )

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        rows = _rows(path, options)
        for line, row in rows.iterrows():
            where = f"{path} line {line}"
            collective, algorithm, m = row["collective"], row["algorithm"], row["m"]
            is_segmented = (collective, algorithm) in IN_SEGMENTS
            yield sample_at(
                where,
                **agreed(where, options, collective, algorithm, row["n"], row["tasks"]),
                m=m,
                launch=row["launch"],
                statistic="median",
                times_s=[row["seconds"]],
                parameters={"segment": float(max(m, 1))} if is_segmented else None,
                conditions=conditions_of(row["dtype"]),
                provenance={
                    "source": f"{self.name}: {path.name}",
                    "mpi_library": f"{row['mpi_lib']} {row['mpi_ver']}".strip(),
                    "nodes": row["nodes"],
                },
            )


def _rows(path: Path, options: ReadOptions) -> Frame:
    """What a sample takes of each row; the index is the line number."""
    import pandas as pd

    words = _words(path, options)
    tasks = wholes(words["tasks_per_node"], path, "tasks_per_node", 1)
    nodes = [nodes_in(text, f"{path} line {line}") for line, text in words["nnodes"].items()]
    unknown = words["dtype"][~words["dtype"].isin(BYTES)]
    if not unknown.empty:
        raise FileFormatError(
            f"{path} line {unknown.index[0]}: dtype is {unknown.iloc[0]!r}",
            f"it is one of {', '.join(BYTES)}",
        )
    collective = words["collective"].str.lower()
    table = pd.DataFrame(
        {
            "collective": collective,
            "algorithm": list(map(algorithm_name, collective, words["algo"])),
            "n": np.multiply(nodes, tasks),
            "nodes": nodes,
            "tasks": tasks,
            "m": np.multiply(
                wholes(words["array_dim"], path, "array_dim"), words["dtype"].map(BYTES)
            ),
            "seconds": decimals(words["median_ns"], path, "median_ns") * 1e-9,
            "dtype": words["dtype"],
            "mpi_lib": words["mpi_lib"],
            "mpi_ver": words["mpi_ver"],
        },
        index=words.index,
    )  # fmt: skip
    table = _whole_blocks(table, path)
    points = table.groupby(["collective", "algorithm", "n", "tasks", "m", "dtype"])
    _warn_of_libraries(table["mpi_lib"] + " " + table["mpi_ver"], points.ngroup(), path)
    return table.assign(launch=points.cumcount())


def _warn_of_libraries(libraries: Column, points: Column, path: Path) -> None:
    mixed = libraries[libraries.groupby(points).transform("nunique") > 1]
    if not mixed.empty:
        warnings.warn(
            f"{path} line {mixed.index[0]}: {', '.join(sorted(set(mixed)))} were taken for "
            "launches of one series; choose with --where mpi_lib=... or --where mpi_ver=...",
            AssumedWarning,
            stacklevel=3,
        )


def _words(path: Path, options: ReadOptions) -> Frame:
    words = read_words(path, errors="replace")
    header = list(words.iloc[0])
    if IN_SUMMARY["collective"] in header:
        ours = {theirs: column for column, theirs in IN_SUMMARY.items()}
        header = [ours.get(name, name) for name in header]
    if missing := [name for name in (*COLUMNS, *options.where) if name not in header]:
        raise FileFormatError(
            f"{path} has no column {missing[0]!r}", f"its first line names {', '.join(COLUMNS)}"
        )
    table = words.iloc[1:].set_axis(header, axis=1)
    for name, value in options.where.items():
        table = table[table[name] == value]
    return table


def conditions_of(dtype: str) -> dict[str, str] | None:
    return None if dtype in USUAL_TYPES else {"datatype": dtype}


def nodes_in(text: str, where: str) -> int:
    """Number of nodes meant by "8" or "2x2x2"."""
    if not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", text):
        raise FileFormatError(f"{where}: nnodes is {text!r}", "it is a number, or 2x2x2 on a torus")
    return math.prod(int(part) for part in text.split("x"))


@cache
def names() -> dict[str, dict[str, dict[str, str]]]:
    """PICO's names that are others, in the catalogue or a library and there by operation."""
    return tomllib.loads(files(__package__).joinpath("pico.toml").read_text())


def algorithm_name(collective: str, name: str) -> str:
    """The name in the catalogue, or that of a library's algorithm, where there is one.

    >>> algorithm_name("bcast", "split_binary_ompi"), algorithm_name("bcast", "default_mpich")
    ('openmpi:split_binary_tree', 'native')
    """
    stem, _, suffix = name.rpartition("_")
    library = LIBRARIES.get(suffix, "") if stem else ""
    if name == OWN_CHOICE or (library and stem == "default"):
        return NATIVE
    if not library:
        catalogue = names()["catalogue"].get(collective, {})
        is_default = name.startswith("default-")
        return catalogue.get(name.removeprefix("default-"), name) if is_default else name
    usual = "nb" if (library, stem) == ("mpich", "non_blocking") else stem
    return f"{library}{OF_LIBRARY}{names()[library].get(collective, {}).get(stem, usual)}"


def _whole_blocks(table: Frame, path: Path) -> Frame:
    """The table with m per block, without the rows whose blocks would differ."""
    parts = np.where(table["collective"].isin(BY_BLOCK), table["n"], 1)
    is_whole = table["m"] % parts == 0
    if not is_whole.all():
        warnings.warn(
            f"{path} line {is_whole.idxmin()}: a buffer of {table['m'][is_whole.idxmin()]} bytes "
            f"has no {table['n'][is_whole.idxmin()]} equal blocks, so {int((~is_whole).sum())} "
            "such rows were left out; choose a multiple of the number of ranks",
            SkippedWarning,
            stacklevel=3,
        )
    whole: Frame = table.assign(m=table["m"] // parts)[is_whole]
    return whole
