"""The files that commands of the documents name, small, in the folder where they run."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from contend.base.records import RecordStore
from contend.samples.messages import MessageSample
from contend.schedules import algorithms
from contend.simulate.graphs.saturation import COLUMNS
from contend.tune.choose.verified_gains import VerifiedGains
from support import (
    graphs,
    libraries,
    links,
    nccl_tests,
    production,
    recordings,
    synthesis,
    watching,
)
from support.commands import ROOT
from support.decisions import decided, rule
from support.networks import plogp

COUNTS = (4, 8, 10, 12, 16, 24, 32)
SIZES = tuple(4**power for power in range(3, 10))
GROUPS = """[[levels]]
name = "cluster"
groups = [
    { name = "red", hosts = ["red*", "left*"] },
    { name = "blue", hosts = ["blue*", "right*"] },
]
"""
LIBRARY = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
OSU = "# OSU MPI All-to-All Personalized Exchange Latency Test\n# Size       Avg Latency(us)\n"
PING = "# OSU MPI Latency Test\n# Size          Latency (us)\n"
PICO = (
    "collective,nnodes,tasks_per_node,mpi_lib,mpi_ver,array_dim,algo,dtype,median_ns\n"
    "BCAST,8,1,FJMPI,4.0.1,{size},default-default,int32,{time}\n"
)
LASSEN = "msg_bytes_per_pair,time_s,n_endpoints,gpus_per_node,job,mpi,variant\n"
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us"/>
</platform>
"""

Run = Callable[..., object]


def write(folder: Path, run: Run) -> None:
    """All of them; what contend itself writes, `run` makes of the others."""
    rng = np.random.default_rng(2)
    synthesis.save(samples(rng), folder / "samples.jsonl")
    synthesis.save(
        [*synthesis.pingpong(1e-5, 1e-9), *exchanges((8, 16, 32), rng)], folder / "lassen.jsonl"
    )
    synthesis.save(synthesis.pingpong(1e-5, 1e-9), folder / "messages.jsonl")
    write_schedules(folder)
    with RecordStore(MessageSample, folder / "links.jsonl") as store:
        store.extend(links.measured(launches=2, spread=0.02))
    write_graphs(folder, rng)
    for name in ("site", "site-1", "site-2"):
        usual = [watching.job(rng) for _ in range(2)]
        production.write(folder / f"{name}.jsonl", [*usual, *production.usual_jobs(rng)])
    write_imported(folder)
    (folder / "clusters.toml").write_text(GROUPS)
    (folder / "tuned.sh").write_text("#!/bin/bash\nexport I_MPI_ADJUST_BCAST=3\nmpirun ./app\n")
    (folder / "flows.csv").write_text("src,dst,bytes\n0,1,1000000\n0,2,1000000\n3,2,1000000\n")
    shutil.copy(folder / "flows.csv", folder / "messages.csv")
    (folder / "network.xml").write_text(PLATFORM)
    shutil.copytree(ROOT / "examples", folder / "examples")
    for trace in ("trace", "other-trace"):
        write_trace(folder / trace)
    VerifiedGains(library="openmpi", library_version="5.0.11").save(folder / "verified.json")
    decided(rule("alltoall", "bruck")).save(folder / "decisions-intel.json")
    decided(rule("bcast", "knomial")).save(folder / "decisions-ucc.json")
    decided(rule("bcast", "binomial"), library="mpich").save(folder / "decisions-mpich.json")
    decided(rule("bcast", "ring_ll", n_to=9)).save(folder / "decisions-nccl.json")
    for words in MADE:
        run(*words.split())
    for other in ("backbone", "other", "faster"):
        shutil.copy(folder / "network.json", folder / f"{other}.json")
    for when in ("before", "after"):
        synthesis.save(libraries.launched(LIBRARY, rng, launches=3), folder / f"{when}.jsonl")
        shutil.copy(folder / "lassen.json", folder / f"{when}.json")
        shutil.copy(folder / "osu_alltoall.txt", folder / f"osu_{when}.txt")


# In this order.
MADE = (
    "fit samples.jsonl -o network.json",
    "fit samples.jsonl --operation bcast -o network.json",
    "fit links.jsonl -o network.json",
    "fit graphs.jsonl -o network.json",
    "validate network.json samples.jsonl",
    "fit lassen.jsonl --at 32 -o lassen.json",
    "choose network.json --table -o decisions.json",
    "tune export decisions.json --library openmpi-5 -o rules.conf",
    "trace convert trace --to ti -o actions.txt",
    "trace convert trace --to goal -o schedule.goal",
    "export csv samples.jsonl -o samples.csv",
    "fit site.jsonl -o site.json",
    "plan -n 4,8 --budget 2min -o plan.json",
)


# Files that a command finds in the place of those that it names, by how it begins: rules of another
# library, and a network that is drawn sooner.
INSTEAD = {
    "contend tune export decisions.json --library intel": {
        "decisions.json": "decisions-intel.json"
    },
    "contend tune export decisions.json --library ucc": {"decisions.json": "decisions-ucc.json"},
    "contend tune export decisions.json --library mpich": {
        "decisions.json": "decisions-mpich.json"
    },
    "contend tune export decisions.json --library nccl": {"decisions.json": "decisions-nccl.json"},
    "contend report": {"network.json": "lassen.json", "samples.jsonl": "lassen.jsonl"},
}


def put_instead(folder: Path, command: str) -> None:
    """Copy the files that a command shall find."""
    for start, files in INSTEAD.items():
        for name, other in files.items() if command.startswith(start) else ():
            shutil.copy(folder / other, folder / name)


def samples(rng: np.random.Generator) -> list[object]:
    """A ping-pong, pLogP, exchanges, and a broadcast with the algorithms of a library."""
    overhead = (lambda m: 5e-6, lambda m: 5e-6)
    library = [
        one
        for operation in ("bcast", "allreduce", "allgather")
        for one in libraries.launched(LIBRARY, rng, launches=3, operation=operation)
    ]
    return [
        *synthesis.pingpong(1e-5, 1e-9),
        *synthesis.plogp(5e-5, lambda m: 1e-5 + 1e-9 * m, overhead),
        *exchanges(COUNTS, rng),
        *library,
    ]


def exchanges(counts: tuple[int, ...], rng: np.random.Generator) -> list[object]:
    """Of the library, and rotated."""
    return [
        one
        for algorithm in ("native", "rotated")
        for one in synthesis.alltoall(
            counts, synthesis.exchange_time, SIZES, rng=rng, noise=0.02, algorithm=algorithm
        )
    ]


def write_schedules(folder: Path) -> None:
    """Times of two algorithms of the catalogue, a file for each."""
    (folder / "schedules").mkdir()
    for name, file in (("binomial", "binomial.jsonl"), ("chain", "chain-8.jsonl")):
        algorithm = algorithms("bcast").get(name)
        found = [
            synthesis.sample(m, n, (float(algorithm.seconds(plogp(), n, [m])[0]),) * 3,
                           experiment="bcast", algorithm=name)
            for n in (4, 8)
            for m in (1024, 8192, 65536)
        ]  # fmt: skip
        synthesis.save(found, folder / file)
        shutil.copy(folder / file, folder / "schedules" / file)
    both = "".join((folder / file).read_text() for file in ("binomial.jsonl", "chain-8.jsonl"))
    (folder / "schedules.jsonl").write_text(both)


def write_trace(folder: Path) -> None:
    """A message between two ranks."""
    ranks = [recordings.RankWriter(rank, 2).world() for rank in range(2)]
    for rank in ranks:
        rank.add("Init", 0, 1000)
    ranks[0].add("Send", 3000, 4000, peer=1, tag=7, bytes=100)
    ranks[1].add("Recv", 3000, 4000, (0, 7, 100), peer=0, tag=7, bytes=100)
    for rank in ranks:
        rank.add("Finalize", 8000, 9000)
        rank.write(folder)


def write_graphs(folder: Path, rng: np.random.Generator) -> None:
    """Measured graphs of a network that three parameters describe."""
    true = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}
    shapes = graphs.random_graphs(8, rng, most_edges=4)
    found = graphs.planted(shapes, "penalty3", true, 0.01, 4, rng)
    text = "".join(json.dumps(one.to_json()) + "\n" for one in found)
    (folder / "graphs.jsonl").write_text(text)


def write_imported(folder: Path) -> None:
    """What other benchmarks print."""
    exchange = "".join(f"{m} {20 + m * 0.1}\n" for m in SIZES)
    message = "".join(f"{m} {5 + m * 0.001}\n" for m in (1, *SIZES))
    for name in ("osu_alltoall", "osu_alltoall_n32"):
        (folder / f"{name}.txt").write_text(OSU + exchange)
    (folder / "osu_latency.txt").write_text(PING + message)
    (folder / "all_reduce.json").write_text(json.dumps(nccl_tests.run(), separators=(",", ":")))
    (folder / "all_reduce.txt").write_text(nccl_tests.table())
    (folder / "jobs.csv").write_text(
        "bytes,ranks,median\n" + "".join(f"{m},8,{20 + m * 0.1}\n" for m in SIZES)
    )
    (folder / "alltoall.csv").write_text(
        LASSEN + "".join(f"{m},{1e-5 + m * 1e-9},8,4,1,spectrum,3step_host\n" for m in SIZES)
    )
    head, row = PICO.splitlines(keepends=True)
    pico = head + "".join(row.format(size=m, time=5000 + m) for m in SIZES)
    (folder / "fugaku_collectives").mkdir()
    for path in ("results.csv.gz", "fugaku_collectives/collectives.csv.gz"):
        with gzip.open(folder / path, "wt") as file:
            file.write(pico)
    rows = [",".join(COLUMNS)]
    rows += [
        f"a,send,0,4,{rank},{k},{again},4000000,{again},{3.5 * k}"
        for k in (1, 2)
        for again in range(2)
        for rank in range(4)
    ]
    with gzip.open(folder / "taurus_saturation.csv.gz", "wt") as file:
        file.write("\n".join(rows) + "\n")
