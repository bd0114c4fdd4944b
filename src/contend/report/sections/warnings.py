"""Section of the page: warnings about samples and fits, grouped by kind.

Those that may change an answer come first; doubts about single samples, of which there are many in
any campaign, are folded.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from contend.report.canvas.markup import Html, Part, details, element, raw
from contend.report.figures.figure import Findings
from contend.samples import quality
from contend.samples.warnings import QualityWarning

OF_SAMPLES = (
    "bimodal", "drifting", "oversubscribed", "timer_resolution", "interval_not_reached",
    "late_starts", "clocks_apart", "no_common_clock", "lab_late", "lab_timeouts", "cpu_bound",
    "cpu_awaited", "launches_disagree",
)  # fmt: skip


def warnings(findings: Findings) -> Iterator[Part]:
    """Yield what speaks against fits and samples, with the number of fits that it concerns."""
    network = findings.network
    raised = [
        *network.warnings,
        *(network.sharing.warnings if network.sharing else ()),
        *quality.check(findings.samples),
    ]
    first = sum(warning.kind not in OF_SAMPLES for warning in raised)
    yield Part("warnings", f"Warnings ({first})", section(raised), "Warnings")


def section(warnings: Sequence[QualityWarning]) -> Html:
    groups: defaultdict[str, list[QualityWarning]] = defaultdict(list)
    for warning in warnings:
        groups[warning.kind].append(warning)
    ordered = sorted(groups, key=lambda kind: -len(groups[kind]))
    first = [_group(kind, groups[kind]) for kind in ordered if kind not in OF_SAMPLES]
    others = [kind for kind in ordered if kind in OF_SAMPLES]
    count = sum(len(groups[kind]) for kind in others)
    folded = details(
        f"Doubts about single samples ({count})", *(_group(kind, groups[kind]) for kind in others)
    )
    nothing = element("p", "No fit raised a warning.")
    return raw(*(first or [nothing]), folded if others else "")


def _group(kind: str, warnings: list[QualityWarning]) -> Html:
    first = warnings[0]
    heading = element("h3", kind.replace("_", " ").capitalize(), _count(len(warnings)))
    example = element("p", f"{first.where}: {first.message}.")
    hints = [
        element("p", f"{hint[0].upper()}{hint[1:]}.", class_="hint")
        for hint in sorted({w.hint for w in warnings})
    ]
    if len(warnings) == 1:
        return element("div", heading, example, *hints, class_="warning")
    entries = (element("li", f"{warning.where}: {warning.message}") for warning in warnings)
    everything = details(f"All {len(warnings)}", element("ul", *entries))
    return element("div", heading, example, *hints, everything, class_="warning")


def _count(number: int) -> Html:
    return raw(" ", element("span", number, class_="count"))
