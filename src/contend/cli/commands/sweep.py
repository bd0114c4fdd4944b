"""contend sweep: a traced program replayed in many cases, and what each would bring."""

from enum import Enum
from pathlib import Path

from contend.cli import options, sweeps
from contend.cli.options import argument, option
from contend.cli.result import Result
from contend.programs.sweeps.product import read_cases
from contend.programs.sweeps.sweep import sweep
from contend.simulate.flows.models import ALONE, PORTS

ORDER = 6
PANEL = "Simulate"
EXAMPLE = "contend sweep trace --network network.json --placement block,round-robin -o sweep.jsonl"

Baseline = Enum("Baseline", {name: name for name in (ALONE, PORTS)}, type=str)  # type: ignore[misc]
Scaling = Enum("Scaling", {name: name for name in ("weak", "strong")}, type=str)  # type: ignore[misc]


def command(
    trace: str = argument(
        "Trace: a file, or a folder with a file per rank; or a program of any number of ranks, "
        "pattern:NAME:BYTES[:STEPS[:COMPUTE]], as pattern:alltoall:64KiB:10:5ms."
    ),
    network: str | None = option(
        "Network files with pLogP parameters, line:LATENCY:BANDWIDTH[:OVERHEAD], or "
        "loggops:L:o:g:G[:O[:S]].",
        metavar="NETWORK,...",
    ),
    model: str | None = option("How messages share the network; see replay.", metavar="MODEL,..."),
    topology: str | None = option("switch, fat-tree:4x8x2, or files.", metavar="TOPOLOGY,..."),
    hosts: str | None = option("Numbers; default one per rank.", metavar="HOSTS,..."),
    placement: str | None = option(
        "Host of each rank: block, round-robin, random:SEED, random:1-20, or files with a host per "
        "rank.",
        "--placement",
        "--map",
        metavar="PLACEMENT,...",
    ),
    algorithm: list[str] | None = option(
        "Of collective operations, each operation a choice; alltoall=default is what the replay "
        "takes. May be repeated.",
        metavar="OPERATION=ALGORITHM,...",
    ),
    compute: str | None = option(
        "For all computation.", "--compute-factor", "--compute", metavar="FACTOR,..."
    ),
    eager: str | None = option(
        "Largest messages that are sent without asking.", metavar="SIZE,..."
    ),
    ranks: str | None = option(
        "Other numbers of ranks: of patterns, and of programs that do nothing but collective calls "
        "of all ranks.",
        metavar="RANKS,...",
    ),
    scaling: Scaling = option(
        "What stays on other numbers of ranks: data of one, or of all.", default="weak"
    ),
    baseline: Baseline = option(
        "What contention is the difference to: messages alone, or in turn.", default=ALONE
    ),
    cases_file: Path | None = option(
        "CSV file with a case per row, in the place of choices.", "--cases"
    ),
    kept: Path | None = option(
        "File of results; the same command continues there.", "-o", "--output"
    ),
    executor: str = option(
        "What runs the cases.", default="processes", metavar="processes|mpi|dask:ADDRESS|here"
    ),
    workers: int | None = option("Processes; default the cores of this machine.", min=1),
    speed: options.Speed = None,
    format: str | None = option("Of the trace, where it does not say it itself."),
) -> Result:
    """Replay a program in every combination of choices, and rank them by the time of the run.

    The base, which is replayed too, has the first network, model, topology, hosts and eager size,
    and is else as it ran: block by block, by the usual algorithms, computing as long. Cases that
    fail are shown with their reason, and the exit code is 1 then.
    """
    choices = {
        "network": network, "model": model, "topology": topology, "hosts": hosts,
        "placement": placement, "algorithms": algorithm, "compute": compute, "eager": eager,
        "ranks": ranks,
    }  # fmt: skip
    base = sweeps.base_of(trace, choices, scaling.value, baseline.value, cases_file)
    cases = read_cases(cases_file, base) if cases_file else sweeps.cases_of(base, choices)
    with sweeps.progress(len(cases)) as told:
        found = sweep(
            trace, cases, base, executor=executor, workers=workers, kept=kept, format=format,
            speed=options.number_of(speed), told=told,
        )  # fmt: skip
    return sweeps.swept(found)
