"""Section of the page: the emulated network that was measured, and how well it was emulated."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from contend.base.number_text import MISSING, count, percent
from contend.base.units import format_seconds
from contend.measure.lab.specification import Lab
from contend.measure.lab.text import buffer_text, rate_text, when_full_text
from contend.measure.lab.utilisation import lab_of
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.markup import Html, Part, element, facts, raw, table
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import remark, shown
from contend.samples import LabConditions, Sample
from contend.samples.lab import LATE_SHARE_LIMIT, LATENESS_MEAN_LIMIT
from contend.samples.quality import CPU_WAIT


def emulated_network(findings: Findings) -> Iterator[Part]:
    if lab := lab_of(findings.samples, findings.utilisation):
        content = section(lab, findings.samples, drawings_of(findings, "lab"))
        yield Part("lab", "The emulated network", content, f"The emulated network {lab.name}")


EMULATED = (
    "Hosts were network namespaces of one machine, joined by a switch that is a program. "
    "Operating system, TCP and MPI were the real ones."
)
PARTS = ("Part", "Rate", "Buffer", "Latency, one way")
CONDITIONS = (
    "Experiment", "Algorithm", "n", "Samples", "Frames", "Drops", "Retransmissions", "Time-outs",
    "Mean lateness", "99.9 % within", "Over the limits", "Waited for a core",
)  # fmt: skip


def section(lab: Lab, samples: Sequence[Sample], drawings: Sequence[Drawing] = ()) -> Html:
    text = lab.description
    return raw(
        element("p", f"{text[0].upper()}{text[1:]}.") if text else "",
        remark(EMULATED),
        _parameters(lab),
        shown(drawings),
        _conditions(samples),
    )


def _parameters(lab: Lab) -> Html:
    clusters = (
        [
            f"{cluster.name}, {cluster.hosts} host{'s' if cluster.hosts > 1 else ''}",
            rate_text(cluster.rate),
            f"{buffer_text(cluster.buffer)} per port",
            format_seconds(cluster.latency),
        ]
        for cluster in lab.clusters
    )
    backbones = (
        [
            f"backbone {' – '.join(backbone.between)}",
            rate_text(backbone.rate),
            f"{buffer_text(backbone.buffer)} at each end",
            format_seconds(backbone.delay),
        ]
        for backbone in lab.backbones
    )
    terms = [
        ("Full buffers", when_full_text(lab)),
        ("Congestion control", lab.congestion_control),
        ("Shortest time-out of TCP", format_seconds(lab.minimum_rto)),
        ("Time", _time(lab)),
    ]
    return raw(table(PARTS, [*clusters, *backbones], class_=""), facts(terms))


def _time(lab: Lab) -> str:
    if lab.time_dilation == 1:
        return "As on the network that it stands for."
    k = f"{lab.time_dilation:g}"
    return (
        f"In slow motion. Everything took {k} times as long as on the network that it stands for: "
        f"rates were divided, latencies and time-outs multiplied by {k}. The values above and all "
        f"times of this report are those of that network: the measured ones divided by {k}."
    )


def _conditions(samples: Sequence[Sample]) -> Html:
    groups: defaultdict[tuple[str, str, int], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.lab is not None:
            groups[sample.experiment, sample.setting, sample.n].append(sample)
    if not groups:
        return raw()
    words = (
        "How late the switch passed frames on is what the emulation itself adds. Samples in which "
        f"that was more than {format_seconds(LATENESS_MEAN_LIMIT)} on average, or more than 1 ms "
        f"for over {percent(LATE_SHARE_LIMIT)} of the frames, are over the limits and not fitted. "
        "For which share of their time ranks that had work waited for a core is of the sample "
        f"where it is largest: over {percent(CPU_WAIT)} short messages take longer by it."
    )
    return raw(
        element("h3", "Losses and lateness"),
        remark(words),
        table(CONDITIONS, (_condition_row(*key, groups[key]) for key in sorted(groups)), class_=""),
    )


def _condition_row(experiment: str, algorithm: str, n: int, samples: list[Sample]) -> list[object]:
    labs = [sample.lab for sample in samples if sample.lab is not None]
    over = sum(conditions.is_over_limits for conditions in labs)
    frames, *others = (
        sum(getattr(conditions, name) for conditions in labs)
        for name in ("frames", "drops", "retransmissions", "timeouts")
    )
    late = sum(conditions.frames * conditions.lateness_mean_s for conditions in labs)
    return [
        experiment,
        algorithm,
        n,
        len(labs),
        *map(count, (frames, *others)),
        format_seconds(late / max(frames, 1)),
        _worst_lateness(labs),
        element("strong", percent(over / len(labs))) if over else "none",
        _longest_wait(samples),
    ]


def _longest_wait(samples: Sequence[Sample]) -> Html | str:
    waits = [sample.cpu_wait for sample in samples if sample.cpu_wait is not None]
    if not waits:
        return MISSING
    words = percent(max(waits))
    return element("strong", words) if max(waits) > CPU_WAIT else words


def _worst_lateness(labs: Sequence[LabConditions]) -> str:
    """The 99.9th percentile of the sample where it is largest; beyond the histogram without one."""
    lateness = [c.lateness_999_s for c in labs if c.lateness_999_s is not None]
    return format_seconds(max(lateness)) if len(lateness) == len(labs) else "over 1 s"
