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
    """Show facts about the machine and the samples, and a row for each series."""
    found = facts(_facts(findings.network, findings.samples))
    yield details("Machine, library, files", found)
    yield _series(findings.samples)


def _facts(network: Network, samples: Sequence[Sample]) -> list[tuple[str, object]]:
    origin, places = network.origin, [sample.provenance for sample in samples]
    dates = sorted({one.date for one in places if one.date})
    ends = dict.fromkeys([*dates[:1], *dates[-1:]])
    repetitions = sum(len(sample.times_s) for sample in samples)
    return [
        ("MPI library", _values(samples, lambda p: [p.mpi_library])),
        ("Hosts", _values(samples, lambda p: p.hosts)),
        ("Nodes", _known(listed(sorted({one.nodes for one in places if one.nodes})))),
        ("Processors", _values(samples, lambda p: [p.cpu])),
        ("Kernel", _values(samples, lambda p: [p.kernel])),
        ("TCP congestion control", _values(samples, lambda p: [p.congestion_control])),
        ("Measured", _known(" to ".join(end.replace("T", " ") for end in ends))),
        ("Samples", f"{len(samples)} with {repetitions} repetitions{_means(samples)}"),
        ("Samples file", raw(origin.samples, ", SHA-256 ", element("code", origin.samples_sha256))),
        ("Read from", _values(samples, lambda p: [p.source])),
        ("Fitted", f"{origin.created} by contend {origin.contend_version}"),
    ]


def _values(samples: Sequence[Sample], field: Callable[[Provenance], Iterable[str | None]]) -> Html:
    """Distinct values over all samples, the first few in sight."""
    found = {value for sample in samples for value in field(sample.provenance) if value}
    texts = sorted({_brief(value) for value in found})
    if len(texts) <= MOST_SHOWN:
        return _known(("; " if any("," in text for text in texts) else ", ").join(texts))
    shown = f"{len(texts)}: {', '.join(texts[:3])}, …"
    return details(shown, element("p", ", ".join(texts)))


def _brief(text: str) -> str:
    """First line: some MPI libraries answer with the whole of their configuration."""
    lines = text.strip().splitlines() or [""]
    return " ".join(lines[0].split())


def _known(text: str) -> Html:
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
            listed(sorted({one.n for one in own})),
            listed(sorted({k for one in own if (k := one.processes_per_node)})) or NOT_RECORDED,
            size_range(sorted({one.m for one in own})),
            len({one.launch for one in own}),
            len(own),
            sum(len(one.times_s) for one in own),
        ]
        for names, own in sorted(series.items())
    )
    return table(HEAD, rows, class_="")
