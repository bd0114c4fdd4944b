"""contend study: measure, fit, predict, validate and report in one go."""

from dataclasses import dataclass
from pathlib import Path

from contend.api import InvalidInputError, study
from contend.cli import options
from contend.cli.campaigns import places
from contend.cli.campaigns.places import Repeating
from contend.cli.options import option
from contend.cli.result import Result

ORDER = -1
PANEL = "Start"
EXAMPLE = "contend study -o my-cluster --mpiexec srun -n 4,8,16,32 --at 16"


@dataclass(frozen=True)
class OnLab(Repeating):
    """Options of where to measure, and how often."""

    on: options.On = "auto"


def command(
    repeating: OnLab,
    output_folder: Path = option(
        "Folder; a stopped study continues there.", "-o", "--output", default=Path("contend-study")
    ),
    processes: options.Counts = None,
    at: int | None = option("n', the number of processes to fit at; default half the largest."),
    sizes: options.Sizes = None,
    max_minutes: float | None = option(
        "Most minutes, on a lab 15 by default: fewer points check the fit, and the rest is left "
        "out.",
        min=0.1,
    ),
    refine: options.Refine = 4,
    include_flagged: options.IncludeFlagged = False,
    library_algorithms: bool = option(
        "Also each all-to-all that the MPI library has, beside its own choice.", default=True
    ),
    verbose: bool = option(
        "Show signatures, warnings and errors too.", "--verbose", "-v", default=False
    ),
) -> Result:
    """Measure, fit, predict and report: the whole job.

    Fits a network's contention signature to the sizes at n', and shows how far off it is for sizes
    half-way between and other numbers of processes. Then says which algorithms the MPI library
    should take instead of its own choice, and by how much they are faster. The network is an
    emulated one unless --on, --mpiexec or --ppn say otherwise or this is a batch job.
    """
    given = repeating.given
    if given.pop("seed", None) is not None:
        raise InvalidInputError("--repeat seed= for a study, whose order is fixed", "leave it out")
    completed = study(
        output_folder,
        options.named_counts(processes),
        options.named_sizes(sizes),
        at=at,
        minutes=max_minutes,
        refine=refine,
        library_algorithms=library_algorithms,
        include_flagged=include_flagged,
        listener=places.listener(),
        **given,
    )
    return completed.result(verbose=verbose)
