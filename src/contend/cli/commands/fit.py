"""contend fit: measurements of any kind to a network file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contend.cli import completion, fits, options, output
from contend.cli.catalogue import note_late
from contend.cli.options import option
from contend.cli.result import Result
from contend.models.fitting.estimator import ESTIMATORS, FitOptions, estimator_of, read_any
from contend.tune.choose.compare import of_schedules

ORDER = 3
PANEL = "Model"
EXAMPLE = "contend fit samples.jsonl --at 32 -o network.json"


def command(
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    output_file: Path = option(
        "Network file to write.", "-o", "--output", default=Path("network.json")
    ),
    at: str | None = option(
        "n', the number of processes to fit at; default the largest with most sizes. With "
        "--schedules several, e.g. 8,16; default all."
    ),
    second: int | None = option("A second n for the baselines that need two."),
    sizes: options.Sizes = None,
    operation: str | None = option(
        "Operation to fit; default alltoall, or the only one that there is.",
        autocompletion=completion.operations,
    ),
    alpha: str | None = option("Known start-up, e.g. 1.3us, instead of a ping-pong."),
    beta: str | None = option("Known time per byte, with --alpha: 12.5GB/s, 0.08ns/B or 8e-11."),
    schedules: bool = option(
        "Fit pLogP parameters to times of algorithms of the catalogue, as 'contend run-schedule' "
        "writes them, where no message was timed by itself.",
        "--schedules",
        default=False,
    ),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Fit point-to-point models, and the forms of an operation; or links, graphs, schedules.

    Of an all-to-all the forms are the contention signature and the baselines, of other operations
    how they grow with n. What too few sizes were measured for is left out, and that is said. What
    is fitted is what the file holds: calls, links of levels or contention graphs.
    """
    wanted, known = options.named_sizes(sizes), fits.known_hockney(alpha, beta)
    samples: Sequence[Any] = read_any(samples_file)
    estimator = ESTIMATORS.get("schedules") if schedules else estimator_of(samples, samples_file)
    if not (schedules or operation) and fits.is_of_production(samples):
        estimator = ESTIMATORS.get("production")
    given = {
        "--at": at, "--second": second, "--sizes": sizes, "--operation": operation,
        "--alpha": alpha, "--beta": beta,
    }  # fmt: skip
    estimator.require_options([word for word, value in given.items() if value], samples_file)
    chosen = FitOptions(
        operation=fits.operation_of(samples, operation),
        n_fit=None if schedules else fits.number(at),
        n_second=second,
        sizes=tuple(wanted) if wanted else None,
        known_hockney=known,
        name=samples_file.stem,
        counts=fits.counts(at, samples) if schedules else None,
        include_flagged=include_flagged,
    )
    network = estimator.fit(samples, samples_file, chosen)
    merged = network.merge_into(output_file)
    output.note_merge(output_file, merged)
    files = fits.Files(samples_file, output_file)
    found = fits.Fitted(network, merged.network, samples, chosen, operation is not None)
    data = merged.network.to_json()
    if schedules:
        note_late(of_schedules(found.samples), include_flagged)
        points = fits.points_of_schedules(found)
        data = {"network": data, "points": points.assign(options=points["options"].map(dict))}
    return Result(data, fits.PARTS[estimator.name](found, files))
