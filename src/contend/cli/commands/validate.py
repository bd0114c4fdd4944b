"""contend validate: predictions against measurements that the fit has not seen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.cli import completion, options, output
from contend.cli.catalogue import note_late, read_all
from contend.cli.options import argument, option
from contend.cli.result import Cell, Part, Result, Table
from contend.cli.summary import errors
from contend.models.network import Network, Operation
from contend.models.prediction import validate
from contend.models.prediction.catalogue import parameters_of
from contend.models.prediction.validate import strangers
from contend.samples import read_samples, table
from contend.schedules import Algorithm
from contend.schedules.option_text import options_text
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import Known, Times, Timing
from contend.tune.choose.compare import best_fixed, compare, of_schedules, regrets, rivals
from contend.tune.choose.compare import errors as errors_of_schedules
from contend.tune.choose.timing import timing_of

ORDER = 6
PANEL = "Model"
EXAMPLE = "contend validate network.json samples.jsonl"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    samples_files: list[Path] | None = argument(
        "Samples files (JSON Lines); one, or with --schedules several. Default samples.jsonl.",
        default=None,
    ),
    schedules: bool = option(
        "Compare times of algorithms of the catalogue with their schedules instead, and say what "
        "choosing by these costs.",
        "--schedules",
        default=False,
    ),
    operation: str | None = option(
        "With --schedules this operation alone, e.g. bcast.", autocompletion=completion.operations
    ),
    ports: options.Ports = options.PortsAre.single,
    record: bool = option("Keep the errors in the network file, for the intervals.", default=True),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Compare every form with the points that its fit has not seen, by regime.

    Where repetitions wait for time-outs, forms are compared with those that do not; how often they
    do, and how long that takes, is compared too.
    """
    files = samples_files or [Path("samples.jsonl")]
    if schedules:
        network = Network.load(network_file)
        return compared(network, files, operation, ports, include_flagged=include_flagged)
    if operation or ports != options.PortsAre.single:
        raise InvalidInputError(
            "--operation or --ports without --schedules", "add it, or leave these out"
        )
    if len(files) > 1:
        raise InvalidInputError(
            f"{len(files)} samples files", "give the one that was fitted, or add --schedules"
        )
    return _forms(network_file, files[0], record, include_flagged)


def _forms(path: Path, samples_file: Path, is_recorded: bool, include_flagged: bool) -> Result:
    """Compare every form with the points that its fit has not seen, and keep the errors."""
    before, samples = Network.load(path), read_samples(samples_file)
    network = validate.record(before, samples, include_flagged=include_flagged)
    own = {(known.operation, known.algorithm) for known in before.operations}
    note_late([one for one in samples if (one.experiment, one.algorithm) in own], include_flagged)
    for text in validate.strangers(before, samples):
        output.note(f"warning: {text}")
    if is_recorded:
        is_recorded, notes = validate.keep_errors(path, before, network)
        for text in notes:
            output.note(text)

    def parts() -> Iterator[Part]:
        for operation, old in zip(network.operations, before.operations, strict=True):
            if operation.validation is old.validation:
                yield f"{operation.title}: no sample to compare it with"
            else:
                yield from errors(operation)
        if is_recorded:
            hint = output.following("contend", "report", path, samples_file)
            yield f"errors kept in {path}; {hint}"

    return Result({one.title: _errors(one) for one in network.operations}, parts())


def _errors(operation: Operation) -> dict[str, Any]:
    """Errors of forms, and of time-outs' shares and modes and of launches where there are such."""
    others = {"timeouts": operation.timeout_errors, "between_launches": operation.between_launches}
    return {**operation.validation, **{name: found for name, found in others.items() if found}}


_SHOWN = 8  # choices that cost most
_PERCENT, _FACTOR = "{:.1%}".format, "{:.3f}".format
ERRORS: Mapping[str, Cell] = {
    "operation": "operation",
    "algorithm": "algorithm",
    "points": "points",
    "bias": ("bias", "{:+.1%}".format),
    "median": ("median", _PERCENT),
    "90 %": ("percentile_90", _PERCENT),
    "worst": ("worst", _PERCENT),
}
RULES: Mapping[str, Cell] = {
    "operation": "operation",
    "rule": "rule",
    "calls": "calls",
    "mean": ("mean", _FACTOR),
    "median": ("median", _FACTOR),
    "90 %": ("percentile_90", _FACTOR),
    "worst": ("worst", _FACTOR),
    "best or not told from it": ("best", "{:.0%}".format),
}


def _named(algorithm: str, chosen: str) -> Callable[[Any], str]:
    return lambda row: f"{row[algorithm]} {options_text(dict(row[chosen]))}".strip()


CHOICES: Mapping[str, Cell] = {
    "operation": "operation",
    "n": "n",
    "m": ("m", format_bytes),
    "chosen": _named("algorithm", "options"),
    "measured": ("measured", format_seconds),
    "fastest": _named("best_algorithm", "best_options"),
    "its time": ("best_measured", format_seconds),
    "regret": ("regret", _FACTOR),
}


def compared(
    network: Network,
    files: Sequence[Path],
    operation: str | None,
    ports: options.PortsAre,
    *,
    include_flagged: bool,
) -> Result:
    """Return the errors of predicted times of algorithms, and regrets of choosing by them."""
    samples = read_all(files)
    if operation:
        samples = table.select(samples, operation)
    known = partial(parameters_of, network)
    points = compare(known, samples, _timing(network, ports), include_flagged=include_flagged)
    own = of_schedules(samples)
    for text in strangers(network, own):
        output.note(f"warning: {text}")
    others, late = len(samples) - len(own), note_late(own, include_flagged)
    if others:
        output.note(f"{others} samples are of no algorithm of the catalogue")
    choices, rules = regrets(points), rivals(points)
    data = {
        "points": _with_options(points, "options"),
        "errors": errors_of_schedules(points),
        "regret": _with_options(choices, "options", "best_options"),
        "rules": rules,
        "left_out": {"late": late, "of_no_algorithm": others},
    }
    return Result(data, _parts(points, choices, rules))


def _parts(points: pd.DataFrame, choices: pd.DataFrame, rules: pd.DataFrame) -> Iterator[Part]:
    yield Table(errors_of_schedules(points), ERRORS, "predicted / measured - 1")
    if choices.empty:
        yield "no two algorithms were measured with the same n and m: no choice to judge"
        return
    yield Table(best_fixed(rules), RULES, "measured time of the choice / least measured time")
    costly = choices[choices["is_told_from_best"]].nlargest(_SHOWN, "regret")
    if not costly.empty:
        yield Table(costly, CHOICES, "where another algorithm was faster, and not by chance")


def _timing(network: Network, ports: options.PortsAre) -> Timing:
    """The way that is judged, for algorithms of all operations."""

    @cache
    def found(operation: str) -> Timing:
        return timing_of(network, operation, ports.value)

    def timing(
        algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]:
        return found(algorithm.collective)(algorithm, plogp, n, m, **options)

    return timing


def _with_options(rows: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Rows with pairs of options as objects."""
    return rows.assign(**{name: rows[name].map(dict) for name in names})
