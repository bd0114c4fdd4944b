"""The main job after measuring: fit, validate and report; each step as the commands do it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contend import validate
from contend.fit import FitOptions, fit_network
from contend.lab.utilisation import path_beside, read_utilisation
from contend.measure.design import Design
from contend.merge import Merged
from contend.network import Network
from contend.report import write_report
from contend.samples import Sample


@dataclass(frozen=True)
class StudyFiles:
    """Where a study keeps its two artefacts and its report."""

    folder: Path

    @property
    def samples(self) -> Path:
        """The samples file."""
        return self.folder / "samples.jsonl"

    @property
    def network(self) -> Path:
        """The network file."""
        return self.folder / "network.json"


def learn(
    samples: Sequence[Sample],
    files: StudyFiles,
    chosen: Design,
    name: str,
    *,
    include_flagged: bool = False,
) -> Merged:
    """What the network file then holds: what the design lets the fit see, and its errors."""
    options = FitOptions(n_fit=chosen.n_fit, sizes=chosen.sizes, name=name)
    fitted = fit_network(samples, files.samples, options, include_flagged=include_flagged)
    network = validate.record(fitted, samples, include_flagged=include_flagged)
    return network.merge_into(files.network)


def publish(
    network: Network,
    samples: Sequence[Sample],
    files: StudyFiles,
    notes: Sequence[str] = (),
) -> Path:
    """Write the report; its path."""
    utilisation = read_utilisation(path_beside(files.samples))
    return write_report(network, samples, files.folder, notes, utilisation)
