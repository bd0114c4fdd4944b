"""contend replay: the time of a traced program on a network that its messages share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.api import ReplayOptions, Result, replay, replay_cases, sweep_result
from contend.cli import options, output
from contend.cli.options import argument, option

ORDER = 3
PANEL = "Simulate"
EXAMPLE = "contend replay trace --network network.json --map round-robin"


@dataclass(frozen=True)
class Options(ReplayOptions):
    """Network, program and places, in words."""

    network: str | None = option(
        "Network file, line:LATENCY:BANDWIDTH[:OVERHEAD] or loggops:L:o:g:G[:O[:S]].",
        "--network",
        metavar="FILE|line:20us:1Gbit/s",
    )
    latency: str | None = option("As line:LATENCY.", hidden=True)
    bandwidth: str | None = option("As line:LATENCY:BANDWIDTH.", hidden=True)
    overhead: str = option("As line:LATENCY:BANDWIDTH:OVERHEAD.", default="0s", hidden=True)
    loggops: str | None = option("As --network loggops:L:o:g:G.", hidden=True)
    eager: str | None = option("Largest message that is sent without asking; default: all are.")
    model: str | None = option(
        "alone, ports, tcp, or a sharing model; default tcp where links have buffers, else the "
        "network file's, or maxmin."
    )
    topology: options.Topology = "switch"
    hosts: str | None = option("Number of hosts; default one per rank.")
    map: str = option(
        "Host of a rank: block, round-robin, random:SEED, 0,0,1,1, FILE.",
        "--map",
        "--placement",
        default="block",
        show_default=False,
    )
    algorithm: list[str] | None = option("Of an operation, e.g. alltoall=rotated; may be repeated.")
    library: str | None = option("Whose algorithms run, as openmpi-4; default of trace or network.")
    compute: str = option(
        "Factor for all computation.", "--compute", "--compute-factor", default="1"
    )
    ranks: str | None = option("With --vary, other numbers of ranks; of patterns any.")
    baseline: str = option(
        "Compared with: alone, or ports (in turn).",
        default="alone",
    )
    scaling: str = option("What stays on other ranks: weak or strong.", default="weak")
    speed: options.Speed = None
    background: float = option("Share of each port that other traffic takes.", default=0.0)
    faster: float = option("Factor for the bytes per second of all links.", default=1.0)
    balanced: bool = option(
        "Computation of each rank scaled to the mean of all.", "--balanced", default=False
    )
    format: str | None = option("Of the trace, where it does not say it itself.")


def command(
    wanted: Options,
    traces: list[str] = argument(
        "File, or folder with a file per rank; several are jobs. With --vary also "
        "pattern:NAME:BYTES[:STEPS[:COMPUTE]].",
        metavar="TRACE...",
    ),
    vary: bool = option(
        "Replay all combinations of values, apart by commas.",
        "--vary",
        default=False,
    ),
    cases_file: Path | None = option("With --vary, a CSV file with a case per row.", "--cases"),
    executor: str = option(
        "Runs cases: processes[:N] (default), mpi, dask:ADDRESS or here.",
        default="processes",
        show_default=False,
    ),
    workers: int | None = option("As --executor processes:N.", min=1, hidden=True),
    output_file: Path | None = option(
        "Page (.html) of where time is lost and what would pay most; with --vary results, which "
        "are continued.",
        "-o",
        "--output",
    ),
) -> Result:
    """Replay a traced program message by message, and say what contention costs it.

    It runs twice, with messages that share the network and with each alone: the difference is lost
    to contention. Several traces are jobs that begin together, each on its own hosts or by --map.
    With --vary cases are ranked over a base: the first network, model, topology, hosts and eager
    size; the exit code is 1 where one fails.

    contend replay trace --vary --network network.json --map block,round-robin
    """
    if not (vary or cases_file or wanted.ranks):
        return replay(traces, wanted, output_file).result()
    with _progress() as advance:
        table = replay_cases(
            traces, wanted, cases_file=cases_file, kept=output_file, executor=executor,
            workers=workers, listener=advance,
        )  # fmt: skip
    return sweep_result(table)


@contextmanager
def _progress() -> Iterator[Any]:
    """A bar of the cases, and what is called with each."""
    with output.progress_bar() as bar:
        task = bar.add_task("cases", total=None)
        yield lambda _, done, total: bar.update(task, completed=done, total=total)
