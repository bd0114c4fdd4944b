"""contend validate: predictions against measurements that the fit has not seen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contend.cli import completion, options, output
from contend.cli.compared import compared
from contend.cli.options import argument, option
from contend.cli.result import Part, Result
from contend.cli.scheduled import note_late
from contend.cli.summary import errors
from contend.errors import InvalidInputError
from contend.network import Network, Operation
from contend.prediction import validate
from contend.samples import read_samples

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
