"""The main job after measuring: fit, validate and report; each step as the commands do it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.measure.design import Design
from contend.measure.lab.utilisation import path_beside, read_utilisation
from contend.models.fitting import warnings
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.network.merge import Merged
from contend.models.prediction import validate
from contend.report.answer import DECISIONS
from contend.report.page import write_report
from contend.samples import Sample, quality
from contend.samples.origin import origin_of
from contend.samples.setting import OF_LIBRARY
from contend.samples.warnings import QualityWarning, group
from contend.tune.choose.decide import decide


@dataclass(frozen=True)
class StudyFiles:
    """Where a study keeps its two artefacts and its report."""

    folder: Path
    slower: int = 1  # times slower than its file says a lab ran, on a busy machine

    @classmethod
    def latest(cls, folder: Path) -> "StudyFiles":
        """Those of the slowest lab that a study in this folder came to."""
        found = cls(folder)
        while (slower := replace(found, slower=2 * found.slower)).samples.exists():
            found = slower
        return found

    @property
    def samples(self) -> Path:
        """The samples file; samples of different dilations of time are not mixed."""
        name = "samples.jsonl" if self.slower == 1 else f"samples-{self.slower}-times-slower.jsonl"
        return self.folder / name

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
    doubts: Sequence[QualityWarning] = (),
) -> Merged:
    """What the network file then holds: what the design lets the fit see, and its errors.

    What the samples do not allow is left out with a warning; `doubts` are added to these.
    """
    options = FitOptions(n_fit=chosen.n_fit, sizes=chosen.sizes, name=name, is_wish=True)
    found = list(doubts)
    try:
        network = fit_network(samples, files.samples, options, include_flagged=include_flagged)
    except InvalidInputError as problem:
        found.append(warnings.not_fitted("network", problem))
        network = _empty(samples, files.samples, name)
    try:
        network = validate.record(network, samples, include_flagged=include_flagged)
    except InvalidInputError as problem:
        found.append(warnings.not_validated(problem))
    network = network.model_copy(update={"warnings": (*found, *network.warnings)})
    return network.merge_into(files.network)


def _empty(samples: Sequence[Sample], source: Path, name: str) -> Network:
    """A network of which nothing is known but where its samples come from."""
    return Network(
        name=name,
        sample_warnings=tuple(group(quality.check(samples))),
        origin=origin_of([sample.provenance for sample in samples], source),
    )


def decide_on(network: Network, files: StudyFiles) -> Path | None:
    """The file of decisions, written; None where no algorithm of the library was compared."""
    if not any(OF_LIBRARY in one.algorithm for one in network.operations):
        return None
    path = files.folder / DECISIONS
    decide(network).save(path)
    return path


def publish(
    network: Network,
    samples: Sequence[Sample],
    files: StudyFiles,
    notes: Sequence[str] = (),
) -> Path:
    """Write the report; its path."""
    utilisation = read_utilisation(path_beside(files.samples))
    return write_report(network, samples, files.folder, notes, utilisation)
