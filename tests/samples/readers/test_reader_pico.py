from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.libraries import LIBRARIES
from contend.samples.reader import READERS, ReadOptions, recognise
from contend.samples.readers import _library_names
from contend.samples.readers._text import AssumedWarning, SkippedWarning
from contend.schedules.fitting.series import known_algorithm

HEAD = (
    "system,collective,nnodes,tasks_per_node,mpi_lib,mpi_ver,array_dim,algo,dtype,n_iter,median_ns"
)


def write(tmp_path: Path, *rows: str, head: str = HEAD) -> Path:
    path = tmp_path / "results.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def row(collective: str, algo: str, dim: int = 64, nodes: str = "8", **other: str) -> str:
    said = {"tasks": "1", "dtype": "int32", "median": "2500.5"} | other
    return (
        f"fugaku,{collective},{nodes},{said['tasks']},FJMPI,4.0.1,{dim},{algo},{said['dtype']},100,"
        f"{said['median']}"
    )


def read(path: Path, options: ReadOptions | None = None) -> list:
    return list(READERS.get("pico").read(path, options or ReadOptions()))


def test_it_is_recognised_before_the_reader_of_any_csv(tmp_path: Path) -> None:
    path = write(tmp_path, row("BCAST", "default-binomial"))
    assert READERS.get("csv_columns").recognises(path.read_text())
    assert recognise(path).name == "pico"


def test_a_row_becomes_a_sample(tmp_path: Path) -> None:
    path = write(tmp_path, row("BCAST", "default-binomial", nodes="2x2x2", tasks="4"))
    (sample,) = read(path)
    assert sample.point == ("bcast", "binomial", 32, 4, 256, 0)
    assert sample.times_s == pytest.approx([2.5005e-6])
    assert sample.statistic == "median"
    assert sample.provenance.mpi_library == "FJMPI 4.0.1"
    assert sample.provenance.nodes == 8
    assert sample.parameters is None


@pytest.mark.parametrize(
    ("collective", "m"),
    [
        ("BCAST", 256), ("REDUCE", 256), ("ALLREDUCE", 256), ("ALLTOALL", 32), ("ALLGATHER", 32),
        ("GATHER", 32), ("SCATTER", 32), ("REDUCE_SCATTER", 32),
    ],
)  # fmt: skip
def test_m_is_a_block_where_the_buffer_holds_one_of_each_rank(
    tmp_path: Path, collective: str, m: int
) -> None:
    assert [sample.m for sample in read(write(tmp_path, row(collective, "x")))] == [m]


def test_only_what_the_library_was_told_to_use_has_a_name_of_the_catalogue(tmp_path: Path) -> None:
    names = ["default-default", "default-binomial", "BINE-BINOMIAL_TREE-MPI-0-1", "default-use"]
    path = write(tmp_path, *(row("SCATTER", name) for name in names))
    found = read(path)
    assert [sample.algorithm for sample in found] == ["native", "binomial", names[2], names[3]]
    assert [known_algorithm(sample) is not None for sample in found] == [False, True, False, False]


def test_every_name_that_is_mapped_is_in_the_catalogue(tmp_path: Path) -> None:
    from contend.samples.readers.pico import IN_SEGMENTS, NAMES

    rows = [row(c.upper(), f"default-{name}") for c, names in NAMES.items() for name in names]
    found = read(write(tmp_path, *rows))
    algorithms = [known_algorithm(sample) for sample in found]
    assert all(algorithms)
    for sample, algorithm in zip(found, algorithms, strict=True):
        whole = {"segment": float(sample.m)} if "segment" in algorithm.options else None
        assert sample.parameters == whole
        assert (whole is not None) == ((sample.experiment, sample.algorithm) in IN_SEGMENTS)


def test_rows_of_the_same_point_are_launches(tmp_path: Path) -> None:
    path = write(tmp_path, *[row("BCAST", "x"), row("BCAST", "y")] * 2)
    assert [(sample.algorithm, sample.launch) for sample in read(path)] == [
        ("x", 0), ("y", 0), ("x", 1), ("y", 1)
    ]  # fmt: skip


def test_another_datatype_is_another_series(tmp_path: Path) -> None:
    path = write(tmp_path, *[row("BCAST", "x", dtype=dtype) for dtype in ("int32", "float")])
    assert [(sample.setting, sample.launch) for sample in read(path)] == [
        ("x", 0), ("x@datatype=float", 0)
    ]  # fmt: skip


def test_rows_can_be_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, row("BCAST", "x"), row("REDUCE", "x"))
    options = ReadOptions(where={"collective": "REDUCE"})
    assert [sample.experiment for sample in read(path, options)] == ["reduce"]


def test_a_buffer_without_equal_blocks_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path, row("ALLTOALL", "x", dim=1), row("ALLTOALL", "x"))
    with pytest.warns(SkippedWarning, match=r"line 2: a buffer of 4 bytes has no 8 equal blocks"):
        assert [sample.m for sample in read(path)] == [32]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (row("BCAST", "x", dtype="float128"), ["line 2", "dtype is 'float128'", "int32"]),
        (row("BCAST", "x", nodes="2x"), ["line 2", "nnodes is '2x'"]),
        (row("BCAST", "x", median="fast"), ["line 2", "median_ns is 'fast'"]),
        (row("BCAST", "x", tasks="0"), ["line 2", "tasks_per_node is '0'"]),
        (row("BCAST", "x", nodes="1"), ["line 2", "n: "]),
        ("a,b", ["line 2"]),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, text: str, named: list[str]) -> None:
    with pytest.raises(FileFormatError) as error:
        read(write(tmp_path, text))
    assert all(word in str(error.value) for word in named), str(error.value)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "BCAST,8", head="collective,nnodes")
    with pytest.raises(FileFormatError, match="no column 'tasks_per_node'"):
        read(path)


def test_what_the_user_says_must_not_differ(tmp_path: Path) -> None:
    path = write(tmp_path, row("BCAST", "x"))
    with pytest.raises(InvalidInputError, match="says n 8"):
        read(path, ReadOptions(n=16))


SUMMARY = (
    "collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,std,min,max,nnodes,"
    "tasks_per_node,n_iter,system,timestamp,test_id,MPI_Op,notes,mpi_lib,mpi_lib_version"
)


def summary_row(collective: str, algo: str, library: str = "OMPI") -> str:
    return (
        f"{collective},64,256,{algo},int32,2600.0,2500.5,1.0,2400,2900,8,4,80,leonardo,"
        f"2025_04_01___18_15_01,2,,,{library},4.1.6"
    )


def test_a_summary_as_pico_writes_it_is_read_as_a_table_with_metadata_is(tmp_path: Path) -> None:
    path = write(tmp_path, summary_row("BCAST", "chain_ompi"), head=SUMMARY)
    assert recognise(path).name == "pico"
    (sample,) = read(path)
    assert sample.point == ("bcast", "openmpi:chain", 32, 4, 256, 0)
    assert sample.times_s == pytest.approx([2.5005e-6])
    assert sample.provenance.mpi_library == "OMPI 4.1.6"


@pytest.mark.parametrize(
    ("collective", "theirs", "ours"),
    [
        ("BCAST", "default_ompi", "native"),
        ("ALLTOALL", "default_mpich", "native"),
        ("BCAST", "linear_ompi", "openmpi:basic_linear"),
        ("ALLTOALL", "linear_ompi", "openmpi:linear"),
        ("GATHER", "linear_synch_ompi", "openmpi:linear_sync"),
        ("ALLREDUCE", "ring_segmented_ompi", "openmpi:segmented_ring"),
        ("BCAST", "binomial_mpich", "mpich:binomial"),
        ("ALLREDUCE", "rabenseifner_mpich", "mpich:reduce_scatter_allgather"),
        ("ALLGATHER", "recexch_mpich", "mpich:recexch_doubling"),
        ("ALLTOALL", "non_blocking_mpich", "mpich:nb"),
        ("REDUCE_SCATTER", "non_commutative_mpich", "mpich:noncommutative"),
        ("BCAST", "tree_mpich", "mpich:tree_kary"),
        ("BCAST", "pipelined_tree_mpich", "mpich:pipelined_tree_kary"),
        ("ALLREDUCE", "tree_mpich", "mpich:tree_knomial_1"),
        ("BCAST", "bine_lat_over", "bine_lat_over"),
    ],
)
def test_a_forced_algorithm_has_its_library_and_the_librarys_own_name(
    tmp_path: Path, collective: str, theirs: str, ours: str
) -> None:
    path = write(tmp_path, summary_row(collective, theirs), head=SUMMARY)
    assert [sample.algorithm for sample in read(path)] == [ours]


@pytest.mark.parametrize("library", ["openmpi", "mpich"])
def test_names_that_differ_are_those_of_the_librarys_algorithms(library: str) -> None:
    known, newest = LIBRARIES.get(library), (99,)
    for (of, operation), names in _library_names._OTHERS.items():
        if of == library:
            there = {one.name for one in known.algorithms(operation, newest)}
            assert set(names.values()) <= there, operation


def test_the_buffer_of_an_alltoallv_is_that_of_all_ranks_together(tmp_path: Path) -> None:
    path = write(tmp_path, summary_row("ALLTOALLV", "pairwise_ompi"), head=SUMMARY)
    assert [(one.experiment, one.m) for one in read(path)] == [("alltoallv", 256 // 32)]


def test_launches_of_several_libraries_are_told(tmp_path: Path) -> None:
    first = row("BCAST", "default-default")
    words = first.split(",")
    words[HEAD.split(",").index("mpi_ver")] = "9.9"
    path = write(tmp_path, first, ",".join(words))
    with pytest.warns(AssumedWarning, match=r"9\.9.* launches of one series"):
        assert [one.launch for one in read(path)] == [0, 1]
    assert len(read(path, ReadOptions(where={"mpi_ver": "9.9"}))) == 1
