"""The page as a whole, and the files that are written."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

from contend import __version__
from contend.choose.compare import compare
from contend.graphs.sample import GraphSample
from contend.lab import Lab
from contend.lab.utilisation import Utilisation
from contend.network import Network
from contend.report.figures import write_figures
from contend.report.markup import Html, element, paragraphs, raw
from contend.report.numbers import listed
from contend.report.sections import (
    algorithms,
    decisions,
    glossary,
    message,
    operation,
    provenance,
    warnings,
)
from contend.report.sections import lab as lab_section
from contend.report.sections import sharing as sharing_section
from contend.report.text import place
from contend.samples import Sample, quality
from contend.signature import FORMS
from contend.wholefile import write_whole


def write_report(
    network: Network,
    samples: Sequence[Sample],
    folder: Path,
    notes: Sequence[str] = (),
    utilisation: Sequence[Utilisation] = (),
    graphs: Sequence[GraphSample] = (),
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
    text = page(network, samples, [*notes, *absent], utilisation, graphs, schedules)
    write_figures(network, samples, folder / "figures")
    write_whole(path, text)
    return path


def page(
    network: Network,
    samples: Sequence[Sample],
    notes: Sequence[str] = (),
    utilisation: Sequence[Utilisation] = (),
    graphs: Sequence[GraphSample] = (),
    schedules: Sequence[Sample] = (),
) -> str:
    """The page, whole and in need of nothing else."""
    lab = _lab(samples, utilisation)
    header = _header(network, samples, [*place(samples), *notes])
    sharing = network.sharing
    doubts = [
        *network.warnings,
        *(sharing.warnings if sharing else ()),
        *quality.check(samples),
    ]
    anchors = [f"operation-{number}" for number, _ in enumerate(network.operations, start=1)]
    compared = compare(network.parameters, schedules) if schedules else None
    sections = [
        provenance.section(network, samples),
        *([lab_section.section(lab, samples, utilisation)] if lab else []),
        *(
            operation.section(network, known, samples, anchor)
            for known, anchor in zip(network.operations, anchors, strict=True)
        ),
        *([sharing_section.section(sharing, graphs)] if sharing else []),
        *([sharing_section.without_models()] if graphs and not sharing else []),
        message.section(network, samples),
        *([decisions.section(network)] if decisions.has_maps(network) else []),
        *([algorithms.section(compared)] if compared is not None else []),
        warnings.section(doubts),
        glossary.section(),
        glossary.citation(__version__, _sources(network)),
    ]
    own = [("algorithms", "Algorithms")] if schedules else []
    has_graphs = bool(sharing or graphs)
    contents = _contents(network, anchors, len(doubts), lab is not None, own, has_graphs)
    return whole(f"{network.name}: contention report", raw(header, contents, *sections))


def _with_samples(network: Network, samples: Sequence[Sample]) -> tuple[Network, list[str]]:
    """The network with the operations that there are samples of, and what tells of the others.

    A network file collects fits of many samples files. All stay where none has a sample.
    """
    there = {(sample.experiment, sample.algorithm) for sample in samples}
    shown = [one for one in network.operations if (one.operation, one.algorithm) in there]
    absent = [one.title for one in network.operations if one not in shown]
    if not shown or not absent:
        return network, []
    note = f"The network file also holds {', '.join(absent)}, of which there is no sample here."
    return network.model_copy(update={"operations": tuple(shown)}), [note]


def whole(title: str, body: Html) -> str:
    """A page with charts in its body, in need of nothing else."""
    from plotly.offline import get_plotlyjs

    return Template(_asset("page.html")).substitute(
        title=raw(title),
        style=_asset("page.css"),
        body=body,
        plotly=get_plotlyjs(),
        script=_asset("charts.js"),
    )


def _lab(samples: Sequence[Sample], utilisation: Sequence[Utilisation]) -> Lab | None:
    """The emulated network of the samples, as it was when they were last added to."""
    used = {(sample.provenance.lab, sample.provenance.time_dilation) for sample in samples}
    labs = [run.lab for run in utilisation if (run.lab.name, run.lab.time_dilation) in used]
    return labs[-1] if labs else None


def _asset(name: str) -> str:
    return files("contend.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def _header(network: Network, samples: Sequence[Sample], notes: Sequence[str]) -> Html:
    processes = listed(sorted({sample.n for sample in samples}))
    operations = "; ".join(known.title for known in network.operations) or "No operation"
    return element(
        "header",
        element("p", "Contention report", class_="kind"),
        element("h1", network.name),
        element("p", f"{operations}. Measured with {processes} processes."),
        element("aside", paragraphs(notes), class_="notes") if notes else "",
    )


def _contents(
    network: Network,
    anchors: list[str],
    doubts: int,
    is_emulated: bool,
    compared: Sequence[tuple[str, str]],
    has_graphs: bool,
) -> Html:
    entries = [
        ("measured", "What was measured"),
        *([("lab", "The emulated network")] if is_emulated else []),
        *((a, known.title) for a, known in zip(anchors, network.operations, strict=True)),
        *([("sharing", sharing_section.TITLE)] if has_graphs else []),
        ("message", "One message"),
        *([("decisions", "Which algorithm")] if decisions.has_maps(network) else []),
        *compared,
        ("warnings", f"Warnings ({doubts})"),
        ("glossary", "Glossary"),
        ("cite", "How to cite"),
    ]
    return element("nav", *(element("a", text, href=f"#{anchor}") for anchor, text in entries))


def _sources(network: Network) -> list[str]:
    names = {name for known in network.operations for name in known.forms}
    return sorted({FORMS.get(name).source for name in names} - {"common practice"})
