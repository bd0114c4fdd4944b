"""Section of the page: what was measured, where, when and with what."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from contend.canvas.markup import Html, details, element, raw, row, table
from contend.figures.figure import Findings
from contend.network import Network
from contend.number_text import listed, size_range
from contend.report.section import Part, Section
from contend.samples import Provenance, Sample

NOT_RECORDED = "not recorded"
MOST_SHOWN = 6


class Provenances(Section):
    """Where the samples come from."""

    name = "measured"
    order = 86

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Always there."""
        shown = section(findings.network, findings.samples)
        yield Part(self.name, "What was measured", shown)


def section(network: Network, samples: Sequence[Sample]) -> Html:
    """Facts about the machine and the samples, and a row for each series."""
    facts = (
        raw(element("dt", name), element("dd", value)) for name, value in _facts(network, samples)
    )
    return element(
        "section",
        element("h2", "What was measured"),
        details("Machine, library, files", element("dl", *facts, class_="facts")),
        _series(samples),
        id="measured",
    )


def _facts(network: Network, samples: Sequence[Sample]) -> list[tuple[str, object]]:
    origin = network.origin
    repetitions = sum(len(sample.times_s) for sample in samples)
    return [
        ("MPI library", _values(samples, lambda p: [p.mpi_library])),
        ("Hosts", _values(samples, lambda p: p.hosts)),
        ("Nodes", _nodes(samples)),
        ("Processors", _values(samples, lambda p: [p.cpu])),
        ("Kernel", _values(samples, lambda p: [p.kernel])),
        ("TCP congestion control", _values(samples, lambda p: [p.congestion_control])),
        ("Measured", _dates(samples)),
        ("Samples", f"{len(samples)} with {repetitions} repetitions{_means(samples)}"),
        ("Samples file", raw(origin.samples, ", SHA-256 ", element("code", origin.samples_sha256))),
        ("Read from", _values(samples, lambda p: [p.source])),
        ("Fitted", f"{origin.created} by contend {origin.contend_version}"),
    ]


def _values(samples: Sequence[Sample], field: Callable[[Provenance], Iterable[str | None]]) -> Html:
    """Distinct values over all samples, the first few in sight."""
    found = {value for sample in samples for value in field(sample.provenance) if value}
    texts = sorted({_brief(value) for value in found})
    if not texts:
        return element("span", NOT_RECORDED, class_="missing")
    if len(texts) <= MOST_SHOWN:
        return raw(_joined(texts))
    shown = f"{len(texts)}: {', '.join(texts[:3])}, …"
    return details(shown, element("p", ", ".join(texts)))


def _joined(texts: list[str]) -> str:
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def _brief(text: str) -> str:
    """First line: some MPI libraries answer with the whole of their configuration."""
    lines = text.strip().splitlines() or [""]
    return " ".join(lines[0].split())


def _nodes(samples: Sequence[Sample]) -> Html:
    nodes = sorted({sample.provenance.nodes for sample in samples if sample.provenance.nodes})
    return raw(listed(nodes)) if nodes else element("span", NOT_RECORDED, class_="missing")


def _dates(samples: Sequence[Sample]) -> Html:
    dates = sorted({sample.provenance.date for sample in samples if sample.provenance.date})
    if not dates:
        return element("span", NOT_RECORDED, class_="missing")
    ends = [dates[0]] if len(dates) == 1 else [dates[0], dates[-1]]
    return raw(" to ".join(end.replace("T", " ") for end in ends))


def _means(samples: Sequence[Sample]) -> str:
    """Note for foreign files whose entries are not single repetitions."""
    kinds = sorted({sample.statistic for sample in samples} - {"repetition"})
    return f" (some entries are a {' or '.join(kinds)} of many)" if kinds else ""


def _series(samples: Sequence[Sample]) -> Html:
    head = row(
        ["Experiment", "Algorithm", "Processes", "Per node", "Sizes", "Launches", "Samples",
         "Repetitions"],
        heading="col",
    )  # fmt: skip
    names = sorted({(sample.experiment, sample.setting) for sample in samples})
    return table(head, (_series_row(*name, samples) for name in names), class_="")


def _series_row(experiment: str, algorithm: str, samples: Sequence[Sample]) -> Html:
    chosen = [s for s in samples if (s.experiment, s.setting) == (experiment, algorithm)]
    placed = sorted({s.processes_per_node for s in chosen if s.processes_per_node is not None})
    return row(
        [
            experiment,
            algorithm,
            listed(sorted({s.n for s in chosen})),
            listed(placed) or NOT_RECORDED,
            size_range(sorted({s.m for s in chosen})),
            len({s.launch for s in chosen}),
            len(chosen),
            sum(len(s.times_s) for s in chosen),
        ]
    )
