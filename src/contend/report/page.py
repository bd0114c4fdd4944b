"""The page as a whole, and the files that are written."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.number_text import listed
from contend.base.wholefile import write_whole
from contend.measure.lab.utilisation import Utilisation
from contend.models.network import Network
from contend.report.canvas.markup import element, paragraphs, raw, whole
from contend.report.figures.figure import Findings, write_figures
from contend.report.section import Parts, part, parts_of
from contend.report.sections.algorithms import algorithms
from contend.report.sections.choice import choice, decisions, first_screen
from contend.report.sections.glossary import citation, glossary
from contend.report.sections.lab import emulated_network
from contend.report.sections.message import messages
from contend.report.sections.operation import operations
from contend.report.sections.probes import probes
from contend.report.sections.provenance import provenance
from contend.report.sections.sharing import sharing
from contend.report.sections.timeouts import timeouts
from contend.report.sections.warnings import warnings
from contend.report.text import place
from contend.samples import Sample, quality
from contend.samples.messages import MessageSample

SECTIONS: tuple[Parts, ...] = (
    part("answer", "In short", first_screen, heading=""),
    part("choice", "What to take", choice, "What to take of the library"),
    operations,
    timeouts,
    part("probes", "What to measure next", probes),
    part("sharing", "Contention graphs", sharing),
    part("message", "One message", messages, "One message between two processes"),
    part("decisions", "Without contention", decisions,
         "Which algorithm is the fastest without contention"),
    part("algorithms", "Algorithms", algorithms, "Algorithms, predicted and measured"),
    warnings,
    emulated_network,
    part("measured", "What was measured", provenance),
    part("glossary", "Glossary", glossary),
    part("cite", "How to cite", citation),
)  # fmt: skip


def write_report(
    network: Network,
    samples: Sequence[Sample],
    folder: Path,
    notes: Sequence[str] = (),
    utilisation: Sequence[Utilisation] = (),
    graphs: Sequence[MessageSample] = (),
    schedules: Sequence[Sample] = (),
) -> Path:
    """Path of the page; figures for papers are written beside it.

    Parameters
    ----------
    samples
        Those that the network was fitted to, and any others to validate it on.
    notes
        Sentences to show at the top.
    utilisation
        What the links of an emulated network carried while the samples were taken on it.
    graphs
        Measured contention graphs, to show where the network file has sharing models.
    schedules
        Samples of algorithms of the catalogue, to compare with their predictions.

    Raises
    ------
    InvalidInputError
        When no operation of the network has a sample, or a form is not known here.
    StorageError
        When the folder cannot be written.
    """
    path = folder / "report.html"
    samples = quality.standing(samples)
    network, absent = _with_samples(network, samples)
    findings = Findings(network, samples, utilisation, graphs, schedules)
    text = page(findings, [*notes, *absent])
    write_figures(findings, folder / "figures")
    write_whole(path, text)
    return path


def page(findings: Findings, notes: Sequence[str] = ()) -> str:
    name, samples = findings.network.name, findings.samples
    notes = [*place(samples), *notes]
    processes = listed(sorted({sample.n for sample in samples}))
    operations = "; ".join(operation.title for operation in findings.operations) or "No operation"
    first = element("p", f"{operations}. Measured with {processes} processes.")
    beside = element("aside", paragraphs(notes), class_="notes") if notes else ""
    return whole(
        f"{name}: contention report", raw(first, beside), parts_of(findings, SECTIONS), name,
        "Contention report",
    )  # fmt: skip


def _with_samples(network: Network, samples: Sequence[Sample]) -> tuple[Network, list[str]]:
    """The network with the operations that there are samples of, and what tells of the others.

    A network file collects fits of many samples files. All stay where none has a sample.
    """
    measured = {(sample.experiment, sample.setting) for sample in samples}
    shown = [
        operation
        for operation in network.operations
        if (operation.operation, operation.algorithm) in measured
    ]
    absent = [operation.title for operation in network.operations if operation not in shown]
    if not shown or not absent:
        return network, []
    note = f"The network file also holds {', '.join(absent)}, of which there is no sample here."
    return network.model_copy(update={"operations": tuple(shown)}), [note]
