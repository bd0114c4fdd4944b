"""contend validate: predictions against measurements that the fit has not seen."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from contend.network import Operation

ORDER = 6
PANEL = "Model"
EXAMPLE = "contend validate network.json samples.jsonl"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    samples_file: options.SamplesFile = Path("samples.jsonl"),
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
