"""Section of the page: what was measured, where, when and with what."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from contend.base.number_text import listed, size_range
from contend.models.network import Network
from contend.report.canvas.markup import Html, details, element, facts, raw, table
from contend.report.figures.figure import Findings
from contend.samples import Provenance, Sample

NOT_RECORDED = "not recorded"
MOST_SHOWN = 6
HEAD = (
    "Experiment", "Algorithm", "Processes", "Per node", "Sizes", "Launches", "Samples",
    "Repetitions",
)  # fmt: skip


def provenance(findings: Findings) -> Iterator[Html]:
    rows = facts(_facts(findings.network, findings.samples))
    yield details("Machine, library, files", rows)
    yield _series(findings.samples)


def _facts(network: Network, samples: Sequence[Sample]) -> list[tuple[str, object]]:
    origin, places = network.origin, [sample.provenance for sample in samples]
    dates = sorted({place.date for place in places if place.date})
    ends = dict.fromkeys([*dates[:1], *dates[-1:]])
    repetitions = sum(len(sample.times_s) for sample in samples)
    return [
        ("MPI library", _values(samples, lambda p: [p.mpi_library])),
        ("Hosts", _values(samples, lambda p: p.hosts)),
        ("Nodes", _or_missing(listed(sorted({place.nodes for place in places if place.nodes})))),
        ("Processors", _values(samples, lambda p: [p.cpu])),
        ("Kernel", _values(samples, lambda p: [p.kernel])),
        ("TCP congestion control", _values(samples, lambda p: [p.congestion_control])),
        ("Measured", _or_missing(" to ".join(end.replace("T", " ") for end in ends))),
        ("Samples", f"{len(samples)} with {repetitions} repetitions{_means(samples)}"),
        ("Samples file", raw(origin.samples, ", SHA-256 ", element("code", origin.samples_sha256))),
        ("Read from", _values(samples, lambda p: [p.source])),
        ("Fitted", f"{origin.created} by contend {origin.contend_version}"),
    ]


def _values(samples: Sequence[Sample], field: Callable[[Provenance], Iterable[str | None]]) -> Html:
    """Distinct values over all samples, the first few in sight."""
    values = {value for sample in samples for value in field(sample.provenance) if value}
    texts = sorted({_brief(value) for value in values})
    if len(texts) <= MOST_SHOWN:
        return _or_missing(("; " if any("," in text for text in texts) else ", ").join(texts))
    shown = f"{len(texts)}: {', '.join(texts[:3])}, …"
    return details(shown, element("p", ", ".join(texts)))


def _brief(text: str) -> str:
    """First line: some MPI libraries answer with the whole of their configuration."""
    lines = text.strip().splitlines() or [""]
    return " ".join(lines[0].split())


def _or_missing(text: str) -> Html:
    return raw(text) if text else element("span", NOT_RECORDED, class_="missing")


def _means(samples: Sequence[Sample]) -> str:
    """Note for foreign files whose entries are not single repetitions."""
    kinds = sorted({sample.statistic for sample in samples} - {"repetition"})
    return f" (some entries are a {' or '.join(kinds)} of many)" if kinds else ""


def _series(samples: Sequence[Sample]) -> Html:
    series = defaultdict(list)
    for sample in samples:
        series[sample.experiment, sample.setting].append(sample)
    rows = (
        [
            *names,
            listed(sorted({sample.n for sample in samples})),
            listed(sorted({k for sample in samples if (k := sample.processes_per_node)}))
            or NOT_RECORDED,
            size_range(sorted({sample.m for sample in samples})),
            len({sample.launch for sample in samples}),
            len(samples),
            sum(len(sample.times_s) for sample in samples),
        ]
        for names, samples in sorted(series.items())
    )
    return table(HEAD, rows, class_="")
