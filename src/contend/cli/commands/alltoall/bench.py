"""contend alltoall bench: every algorithm, the MPI library's own included, at every size."""

from pathlib import Path

from contend.api import Result, bench_exchange, parse_bytes_list
from contend.cli import options
from contend.cli.campaigns.places import Where
from contend.cli.options import option

ORDER = 3
EXAMPLE = "contend alltoall bench --on lab:two-clusters,buffer=24KiB --plot bench.svg"


def command(
    where: Where,
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
    launches: int = option("Launches that share the repetitions.", default=2, min=1),
    max_seconds: options.MaxSeconds = 120.0,
    max_minutes: float | None = option(
        "Most minutes to measure; go on by the same command.", min=0.1
    ),
    repeat: list[str] | None = option(
        "Repetitions of each algorithm and size: max=20, after warmup=3 others (on a lab 1).",
        "--repeat",
        metavar="NAME=VALUE,...",
    ),
    plot: Path | None = option("Picture of the times: SVG, PNG or PDF."),
) -> Result:
    """Measure all algorithms of a total exchange against each other, and show what came of it.

    Each is an unmodified program that calls MPI_Alltoall and checks what it receives. A measurement
    that was stopped continues when the same command is given again.
    """
    given = options.Repeat.of(repeat)
    asked = where.asked(
        launches=launches, max_seconds=max_seconds, minutes=max_minutes, warmup=given.warmup
    )
    return bench_exchange(
        output_file, asked, parse_bytes_list(sizes), n, drawing=plot, groups=groups_file,
        plan=plan_file, algorithms=algorithms, repetitions=given.max_repetitions or 20,
    ).result()  # fmt: skip
