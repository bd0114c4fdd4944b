"""nccl-tests: its JSON, as its versions write it, and the same as of the text."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from cases import asked, check, gives, read, refused
from test_reader_nccl_tests import ALLREDUCE

from contend.samples.reader import recognise
from support.nccl_tests import device, result, run


def text_of(*changes: Callable[[dict[str, Any]], object], **more: Any) -> str:
    data = json.loads(json.dumps(run(**more)))
    for change in changes:
        change(data)
    return json.dumps(data, separators=(",", ":"))


def under(*variables: str, **more: Any) -> str:
    """The text of a run under these variables."""
    return text_of(**more, env=["PATH=/bin", *variables])


def of(name: str, *sizes: int, **more: Any) -> list[dict[str, Any]]:
    return [result(size, 10.0, 11.0, experiment_name=name, **more) for size in sizes]


def torn(half: dict[str, Any]) -> list[dict[str, Any]]:
    """Results of which the first has other values out of place."""
    return [result(1048576, 1.0, 819.6, out_of_place=half), result(2097152, 1445.2, 1441.9)]


POINT = ("allreduce", "native", 8, 4)
TREE = "nccl:tree_ll128"
HALF = {"time": 857.6, "alg_bw": 1.0, "bus_bw": 1.75, "nwrong": 0.0}
CASES = {
    "each size is a sample": gives(
        text_of(), "point us statistic",
        ((*POINT, 1048576, 0), 857.6, "mean"), ((*POINT, 2097152, 0), 1445.2, "mean"),
    ),
    "times in place where they are asked for": gives(
        text_of(), "us conditions", (819.6, {"in_place": "yes"}), (1441.9, {"in_place": "yes"}),
        where={"place": "in"},
    ),
    "times beside": asked(text_of(), "place=in", where={"place": "beside"}),
    "what it was run with": gives(
        text_of(),
        "provenance.mpi_library provenance.date provenance.hosts provenance.environment",
        *[("NCCL 2.28.3", "2026-01-15 10:12:44", ("node0", "node1"), ("NCCL_DEBUG=WARN",))] * 2,
    ),
    "a process has several GPUs, of which the first is listed": gives(
        text_of(lambda data: data["config"].update(
            nthreads=2, ngpus=4, devices=[device(0, "a"), device(8, "b")])),
        "n processes_per_node", *[(16, 8)] * 2,
    ),
    "n that the file contradicts": asked(text_of(), "leave -n out", n=4),
    "several groups": refused(
        text_of(lambda data: data["config"]["devices"].append(device(8, "b", 1))), "several groups"
    ),
    "no devices": asked(
        text_of(lambda data: data["config"].update(devices=[])), "add it with -n"
    ),
    "blocks of all-gather, and of others": gives(
        text_of(results=[*of("AllGather", 800), *of("ReduceScatter", 800), *of("AlltoAll", 800),
                         *of("Broadcast", 800, root="     3", redop="none"), *of("Gather", 800)]),
        "experiment m conditions", ("allgather", 100, None), ("reduce_scatter", 100, None),
        ("alltoall", 100, None), ("bcast", 800, {"root": "3"}), ("gather", 100, None),
    ),
    "sizes that do not split": gives(
        text_of(results=of("AllGather", 801, 808)), "m", 101, warned="no 8 equal blocks"
    ),
    "older files have the test in the command alone": gives(
        text_of(*[lambda data: [one.pop("experiment_name") for one in data["results"]]]),
        "experiment", "allreduce", "allreduce",
    ),
    "nothing says the test": asked(
        text_of(lambda data: [one.pop("experiment_name") for one in data["results"]],
                args=["./run"]), "--as experiment=",
    ),
    "tests without a place": refused(
        text_of(results=of("SendRecv", 8)), "SendRecv has no place"
    ),
    "datatypes, reductions and blocks are conditions": gives(
        text_of(
            lambda data: data["config"].update(
                aggregated_iterations=4, graph=8, blocking_collectives="true"),
            results=of("AllReduce", 8, type="half", redop="max"),
        ), "setting", "native@aggregated=4,blocking=yes,datatype=half,graph=8,reduction=max",
    ),
    "an all-to-all of several counts": gives(
        text_of(results=of("AlltoAllv", 801)), "experiment m conditions",
        ("alltoallv", 100, {"counts": "uneven"}),
    ),
    "an all-to-all of alike counts": gives(
        under("NCCL_TESTS_ALLTOALLV_SPREAD=0.0", results=of("AlltoAllv", 800)),
        "m conditions", (100, None),
    ),
    "an all-to-all of half": gives(
        under("NCCL_TESTS_ALLTOALLV_SPREAD=0.5", results=of("AlltoAllv", 800)),
        "conditions", {"counts": "spread 0.5"},
    ),
    "an all-to-all of a matrix": gives(
        under("NCCL_TESTS_ALLTOALLV_MATRIX_FILE=/a/m.txt", results=of("AlltoAllv", 800)),
        "conditions", {"counts": "matrix m.txt"},
    ),
    "the algorithm that variables force": gives(
        under("NCCL_ALGO=Tree", "NCCL_PROTO=LL128"), "algorithm parameters conditions",
        *[(TREE, None, None)] * 2,
    ),
    "with channels": gives(
        under("NCCL_ALGO=allreduce:nvlstree", "NCCL_PROTO=simple", "NCCL_MIN_NCHANNELS=8",
              "NCCL_MAX_NCHANNELS=8"), "setting", *["nccl:nvls_tree_simple,channels=8"] * 2,
    ),
    "of the collective": gives(
        under("NCCL_ALGO=ring;allreduce:CollNetDirect;broadcast:tree", "NCCL_PROTO=Simple"),
        "algorithm", *["nccl:collnet_direct_simple"] * 2,
    ),
    "of RCCL": gives(
        text_of(
            lambda data: data["config"].update(
                devices=[device(rank, "a", 0, "AMD Instinct MI300X") for rank in range(4)]),
            env=["NCCL_ALGO=Ring", "NCCL_PROTO=LL", "NCCL_MAX_NCHANNELS=32"]),
        "setting provenance.mpi_library", *[("rccl:ring_ll,channels=32", "RCCL 2.28.3")] * 2,
    ),
    "an algorithm without a protocol is no default": gives(
        under("NCCL_ALGO=Tree"), "setting", *["native@NCCL_ALGO=Tree"] * 2
    ),
    "a list is no default": gives(
        under("NCCL_ALGO=^Tree", "NCCL_PROTO=LL"), "setting",
        *["native@NCCL_ALGO=%5ETree,NCCL_PROTO=LL"] * 2,
    ),
    "channels alone are no default": gives(
        under("NCCL_MIN_NCHANNELS=8"), "setting", *["native@NCCL_MIN_NCHANNELS=8"] * 2
    ),
    "channels between two numbers": gives(
        under("NCCL_ALGO=Tree", "NCCL_PROTO=LL", "NCCL_MIN_NCHANNELS=4", "NCCL_MAX_NCHANNELS=8"),
        "algorithm", *["native"] * 2,
    ),
    "a tuner is no default": gives(
        under("NCCL_TUNER_PLUGIN=/a/b.so"), "setting", *["native@NCCL_TUNER_PLUGIN=b.so"] * 2
    ),
    "the algorithm that the user says": gives(
        under("NCCL_ALGO=Tree"), "setting", *[TREE] * 2, algorithm=TREE
    ),
    "another algorithm than the file's": refused(
        under("NCCL_ALGO=Tree", "NCCL_PROTO=LL128"), "leave --algorithm out", algorithm="native"
    )._replace(refused=asked("", "says algorithm nccl:tree_ll128").refused),
    "iterations are repetitions": gives(
        text_of(results=of("AllReduce", 8, out_of_place_per_iter={"times_us": [9.0, 8.0, 7.0]})),
        "statistic all_us", ("repetition", [9.0, 8.0, 7.0]),
    ),
    "those that are skipped are warm-up": gives(
        text_of(results=of("AllReduce", 8, actual_iterations=3, out_of_place_per_iter={
            "skipped_iterations": 1, "times_us": [9.0, 8.0, 7.0]})),
        "all_us warmup_s", ([8.0, 7.0], (9.0e-6,)),
    ),
    "the same size again, of another root, is another series": gives(
        text_of(results=[*of("Broadcast", 8, root="0"), *of("Broadcast", 8, root="1"),
                         *of("Broadcast", 8, root="0")]), "launch", 0, 0, 1,
    ),
    **{
        name: gives(text_of(results=torn(half)), "m", 2097152, warned=warned)
        for name, half, warned in (
            ("wrong values", HALF | {"nwrong": 3.0}, "result 1: 3.0 values are wrong"),
            ("values that no number counts", HALF | {"nwrong": "nan"}, "nan values are wrong"),
            ("a time of the CPU", {"cpu_time": 3.0, "nwrong": 0.0}, "that of the CPU"),
            ("a time of 0", HALF | {"time": 0.0}, "time is 0"),
            ("a time below 0", HALF | {"time": -1.0}, "which no duration"),
            ("no time", HALF | {"time": "nan"}, "time is 'nan'"),
            ("nothing", None, "no times out of place"),
        )
    },
    "values that were not looked at": gives(
        text_of(results=torn(HALF | {"nwrong": None})), "us", 857.6, 1445.2
    ),
    "a bandwidth that C prints as inf": gives(
        text_of().replace('"bus_bw":1.75', '"bus_bw":inf'), "us", 857.6, 1445.2
    ),
    "a file that ends early": refused(text_of()[:-400], "no whole JSON"),
    "another JSON": refused('{"version":1,"start_time":"a","args":[]}', "no results of nccl-tests"),
    "results that are none": refused(text_of(results=3), "results is no list"),
    "no results": refused(text_of(results=[]), "has no results"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_reads_what_nccl_tests_writes(tmp_path, case):
    check("nccl_tests_json", tmp_path, case)


def test_a_run_is_the_same_in_json_and_in_text(tmp_path):
    written = read("nccl_tests_json", tmp_path, text_of())
    printed = read("nccl_tests", tmp_path, ALLREDUCE)
    assert [(one.point, one.times_s, one.conditions) for one in written] == [
        (one.point, one.times_s, one.conditions) for one in printed
    ]


def test_it_is_recognised_though_the_variables_are_long(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(text_of(env=[f"A{number}={'x' * 90}" for number in range(99)]))
    assert recognise(path).name == "nccl_tests_json"
