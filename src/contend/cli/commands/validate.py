"""contend validate: predictions against measurements that the fit has not seen."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from contend.network import Operation

ORDER = 6
PANEL = "Model"
EXAMPLE = "contend validate network.json samples.jsonl"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    samples_files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Samples files (JSON Lines); one, or with --schedules several. Default "
            "samples.jsonl."
        ),
    ] = None,
    schedules: Annotated[
        bool,
        typer.Option(
            "--schedules",
            help="Compare times of algorithms of the catalogue with their schedules instead, and "
            "say what choosing by these costs.",
        ),
    ] = False,
    operation: Annotated[
        str | None,
        typer.Option(
            help="With --schedules this operation alone, e.g. bcast.",
            autocompletion=completion.operations,
        ),
    ] = None,
    ports: options.Ports = options.PortsAre.single,
    record: Annotated[
        bool, typer.Option(help="Keep the errors in the network file, for the intervals.")
    ] = True,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare every form with the points that its fit has not seen, by regime.

    Where repetitions wait for time-outs, forms are compared with those that do not; how often they
    do, and how long that takes, is compared too.
    """
    files = samples_files or [Path("samples.jsonl")]
    if schedules:
        from contend.cli.compared import show_schedules
        from contend.network import Network

        show_schedules(
            Network.load(network_file), files, operation, ports,
            include_flagged=include_flagged, as_json=as_json,
        )  # fmt: skip
        return
    _show_forms(network_file, _only(files, operation, ports), record, include_flagged, as_json)


def _only(files: list[Path], operation: str | None, ports: options.PortsAre) -> Path:
    """The one samples file that forms are compared with."""
    from contend.errors import InvalidInputError

    if operation or ports != options.PortsAre.single:
        raise InvalidInputError(
            "--operation or --ports without --schedules", "add it, or leave these out"
        )
    if len(files) > 1:
        raise InvalidInputError(
            f"{len(files)} samples files", "give the one that was fitted, or add --schedules"
        )
    return files[0]


def _show_forms(
    network_file: Path, samples_file: Path, record: bool, include_flagged: bool, as_json: bool
) -> None:
    """Compare every form with the points that its fit has not seen, and keep the errors."""
    from contend.cli.scheduled import note_late
    from contend.cli.summary import show_errors
    from contend.network import Network
    from contend.prediction import validate
    from contend.samples import read_samples

    before, samples = Network.load(network_file), read_samples(samples_file)
    network = validate.record(before, samples, include_flagged=include_flagged)
    own = {(known.operation, known.algorithm) for known in before.operations}
    note_late([one for one in samples if (one.experiment, one.algorithm) in own], include_flagged)
    for text in validate.strangers(before, samples):
        output.note(f"warning: {text}")
    if record and validate.points(network) < validate.points(before):
        output.note("the network file holds errors of more points, which were kept")
        record = False
    if record:
        pairs = zip(network.operations, before.operations, strict=True)
        judged = tuple(now for now, old in pairs if now.validation is not old.validation)
        parts = network.model_copy(update={"operations": judged})
        merged = parts.merge_into(network_file, only_validation=True)
        for title in merged.outdated:
            output.note(f"{title} was fitted anew meanwhile, its errors were not kept")
    if as_json:
        output.show_json(
            {
                operation.title: {
                    form: validated.model_dump(mode="json")
                    for form, validated in operation.validation.items()
                }
                | _beside_forms(operation)
                for operation in network.operations
            }
        )
        return
    for operation, old in zip(network.operations, before.operations, strict=True):
        if operation.validation is old.validation:
            output.note(f"{operation.title}: no sample to compare it with")
        else:
            show_errors(operation)
    if record:
        hint = output.following("contend", "report", network_file, samples_file)
        output.note(f"errors kept in {network_file}; {hint}")


def _beside_forms(operation: "Operation") -> dict[str, Any]:
    """Errors of time-outs' shares and modes, and of launches, where the operation has such."""
    found = {"timeouts": operation.timeout_errors, "between_launches": operation.between_launches}
    return {name: errors.model_dump(mode="json") for name, errors in found.items() if errors}
