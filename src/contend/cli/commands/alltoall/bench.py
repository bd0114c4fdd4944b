"""contend alltoall bench: every algorithm, the MPI library's own included, at every size."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from contend.api import Result, bench_exchange, parse_bytes_list
from contend.cli.campaigns.places import Repeating
from contend.cli.options import option

ORDER = 3
EXAMPLE = "contend alltoall bench --on lab:two-clusters,buffer=24KiB --plot bench.svg"


@dataclass(frozen=True)
class OfBench(Repeating):
    """Options of where to measure, and how often."""

    launches: int = option("Launches that share the repetitions.", default=2, min=1)
    repeat: list[str] | None = option(
        "Repetitions of each algorithm and size: max=20 or time=2min, after warmup=3 others (on a "
        "lab 1); timeout=60s without a new point is a launch that hangs.",
        metavar="NAME=VALUE,...",
    )
    repeated: ClassVar[tuple[str, ...]] = ("max", "time", "warmup", "timeout")


def command(
    repeating: OfBench,
    output_file: Path = option(
        "Samples file; continued if it exists.", "-o", "--output", default=Path("exchange.jsonl")
    ),
    groups_file: Path | None = option(
        "Groups file of 'contend measure hosts'; a lab's own are known.", "--groups"
    ),
    plan_file: Path | None = option(
        "Plan that the automatic choice reads; its links count too.", "--plan"
    ),
    n: int | None = option("Processes; default on a lab all hosts.", "-n", "--processes", min=2),
    sizes: str = option(
        "Bytes that each sends each other.",
        "-m",
        "--sizes",
        default="64,256,1KiB,4KiB,16KiB,64KiB,256KiB",
    ),
    algorithms: str | None = option(
        "Who takes part: native, native:pairwise, auto, 'lg window=2', ...; default all that suit "
        "the groups, with windows that suit the slow link."
    ),
    max_minutes: float | None = option(
        "Most minutes to measure; go on by the same command.", min=0.1
    ),
    plot: Path | None = option("Picture of the times: SVG, PNG or PDF."),
) -> Result:
    """Measure all algorithms of a total exchange against each other, and show what came of it.

    Each is an unmodified program that calls MPI_Alltoall and checks what it receives. A measurement
    that was stopped continues when the same command is given again.
    """
    asked = repeating.asked(max_seconds=120.0, minutes=max_minutes)
    return bench_exchange(
        output_file, asked, parse_bytes_list(sizes), n, drawing=plot, groups=groups_file,
        plan=plan_file, algorithms=algorithms, repetitions=asked.max_repetitions or 20,
    ).result()  # fmt: skip
