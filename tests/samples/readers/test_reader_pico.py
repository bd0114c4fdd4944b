"""PICO's tables: Fugaku's with metadata, and the summaries that PICO writes."""

import pytest
from cases import asked, check, gives, read, refused

from contend.samples.reader import READERS, recognise
from contend.samples.readers.pico import IN_SEGMENTS, names
from contend.schedules.fitting.series import known_algorithm
from contend.schedules.libraries import LIBRARIES

HEAD = (
    "system,collective,nnodes,tasks_per_node,mpi_lib,mpi_ver,array_dim,algo,dtype,n_iter,median_ns"
)
SUMMARY = (
    "collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,std,min,max,nnodes,"
    "tasks_per_node,n_iter,system,timestamp,test_id,MPI_Op,notes,mpi_lib,mpi_lib_version"
)


def text_of(*rows, head=HEAD):
    return "\n".join([head, *rows]) + "\n"


def row(collective, algo, dim=64, nodes="8", **other):
    given = {"tasks": "1", "dtype": "int32", "median": "2500.5", "version": "4.0.1"} | other
    return (
        f"fugaku,{collective},{nodes},{given['tasks']},FJMPI,{given['version']},{dim},{algo},"
        f"{given['dtype']},100,{given['median']}"
    )


def summary_row(collective, algo, library="OMPI"):
    return (
        f"{collective},64,256,{algo},int32,2600.0,2500.5,1.0,2400,2900,8,4,80,leonardo,"
        f"2025_04_01___18_15_01,2,,,{library},4.1.6"
    )


X, Y, DEFAULT = row("BCAST", "x"), row("BCAST", "y"), row("BCAST", "default-default")
VERSIONS = text_of(DEFAULT, row("BCAST", "default-default", version="9.9"))
CASES = {
    **{
        f"m of {collective}": gives(text_of(row(collective, "x")), "m", m)
        for collectives, m in (
            ("BCAST REDUCE ALLREDUCE", 256),
            ("ALLTOALL ALLGATHER GATHER SCATTER REDUCE_SCATTER", 32),
        )
        for collective in collectives.split()
    },
    "rows of the same point are launches": gives(
        text_of(*[X, Y] * 2), "algorithm launch", ("x", 0), ("y", 0), ("x", 1), ("y", 1)
    ),
    "another datatype is another series": gives(
        text_of(X, row("BCAST", "x", dtype="float")), "setting launch",
        ("x", 0), ("x@datatype=float", 0),
    ),
    "rows can be chosen": gives(
        text_of(X, row("REDUCE", "x")), "experiment", "reduce", where={"collective": "REDUCE"}
    ),
    "a buffer without equal blocks": gives(
        text_of(row("ALLTOALL", "x", dim=1), row("ALLTOALL", "x")), "m", 32,
        warned=r"line 2: a buffer of 4 bytes has no 8 equal blocks",
    ),
    **{
        f"a bad row: {bad}": refused(text_of(bad), message)
        for bad, message in (
            (row("BCAST", "x", dtype="float128"), "line 2.*dtype is 'float128'.*int32"),
            (row("BCAST", "x", nodes="2x"), "line 2.*nnodes is '2x'"),
            (row("BCAST", "x", median="fast"), "line 2.*median_ns is 'fast'"),
            (row("BCAST", "x", tasks="0"), "line 2.*tasks_per_node is '0'"),
            (row("BCAST", "x", nodes="1"), "line 2.*n: "),
            ("a,b", "line 2"),
        )
    },
    "a missing column": refused(
        text_of("BCAST,8", head="collective,nnodes"), "no column 'tasks_per_node'"
    ),
    "what the user says must not differ": asked(text_of(X), "says n 8", n=16),
    "a summary": gives(
        text_of(summary_row("BCAST", "chain_ompi"), head=SUMMARY),
        "point us provenance.mpi_library",
        (("bcast", "openmpi:chain", 32, 4, 256, 0), 2.5005, "OMPI 4.1.6"),
    ),
    **{
        f"{theirs} of {collective}": gives(
            text_of(summary_row(collective, theirs), head=SUMMARY), "algorithm", ours
        )
        for collective, theirs, ours in (
            ("BCAST", "default_ompi", "native"), ("ALLTOALL", "default_mpich", "native"),
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
        )
    },
    "the buffer of an alltoallv is that of all ranks together": gives(
        text_of(summary_row("ALLTOALLV", "pairwise_ompi"), head=SUMMARY), "experiment m",
        ("alltoallv", 256 // 32),
    ),
    "launches of several libraries are told": gives(
        VERSIONS, "launch", 0, 1, warned=r"9\.9.* launches of one series"
    ),
    "where one of them is chosen they are not": gives(
        VERSIONS, "launch", 0, where={"mpi_ver": "9.9"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("pico", tmp_path, CASES[claim])


def test_a_row_becomes_a_sample(tmp_path):
    text = text_of(row("BCAST", "default-binomial", nodes="2x2x2", tasks="4"))
    (sample,) = read("pico", tmp_path, text)
    assert sample.point == ("bcast", "binomial", 32, 4, 256, 0)
    assert sample.times_s == pytest.approx([2.5005e-6])
    assert (sample.statistic, sample.parameters) == ("median", None)
    assert (sample.provenance.mpi_library, sample.provenance.nodes) == ("FJMPI 4.0.1", 8)
    assert READERS.get("csv_columns").recognises(text)  # but comes later
    assert recognise(tmp_path / "run.txt").name == "pico"


def test_only_what_the_library_was_told_to_use_has_a_name_of_the_catalogue(tmp_path):
    names = ["default-default", "default-binomial", "BINE-BINOMIAL_TREE-MPI-0-1", "default-use"]
    found = read("pico", tmp_path, text_of(*(row("SCATTER", name) for name in names)))
    assert [sample.algorithm for sample in found] == ["native", "binomial", names[2], names[3]]
    assert [known_algorithm(sample) is not None for sample in found] == [False, True, False, False]


def test_every_name_that_is_mapped_is_in_the_catalogue(tmp_path):
    rows = [
        row(c.upper(), f"default-{name}") for c, of in names()["catalogue"].items() for name in of
    ]
    found = read("pico", tmp_path, text_of(*rows))
    algorithms = [known_algorithm(sample) for sample in found]
    assert all(algorithms)
    for sample, algorithm in zip(found, algorithms, strict=True):
        whole = {"segment": float(sample.m)} if "segment" in algorithm.options else None
        assert sample.parameters == whole
        assert (whole is not None) == ((sample.experiment, sample.algorithm) in IN_SEGMENTS)


@pytest.mark.parametrize("library", ["openmpi", "mpich"])
def test_names_that_differ_are_those_of_the_librarys_algorithms(library):
    known, newest = LIBRARIES.get(library), (99,)
    for operation, own in names()[library].items():
        there = {one.name for one in known.algorithms(operation, newest)}
        assert set(own.values()) <= there, operation
