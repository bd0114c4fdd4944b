"""Section of the page: which algorithm of each collective operation is predicted to be fastest."""

from collections.abc import Iterator, Sequence

from contend.choose import DecisionMap, decision_map, map_counts, map_sizes
from contend.network import Network
from contend.report import charts
from contend.report.charts.decision import field_colour
from contend.report.markup import Html, chart, element
from contend.report.regions import regions
from contend.report.section import Findings, Part, Section
from contend.schedules import COLLECTIVES

SHOWN = ("bcast", "scatter", "gather", "allgather", "reduce", "allreduce", "alltoall")
PER_OCTAVE = 2  # sizes; the page holds a sentence for each cell
HEIGHT = 290


class Decisions(Section):
    """Maps of the fastest algorithm."""

    name = "decisions"
    order = 60

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Where the network has parameters for any of the operations shown."""
        if any(findings.network.parameters(name) for name in SHOWN):
            yield Part(self.name, "Which algorithm", section(findings.network))


def section(network: Network) -> Html:
    """A map over n and m for each operation that the network has parameters for."""
    known = {name: found for name in SHOWN if (found := network.parameters(name))}
    return of_maps(
        [
            decision_map(name, found, map_counts(), map_sizes(found, PER_OCTAVE))
            for name, found in known.items()
        ]
    )


def of_maps(maps: Sequence[DecisionMap]) -> Html:
    """The section of some maps of a network."""
    return element(
        "section",
        element("h2", "Which algorithm is the fastest"),
        element("p", _lead(maps), class_="remark"),
        element("div", *(_figure(found) for found in maps), class_="panels"),
        id="decisions",
    )


def _lead(maps: Sequence[DecisionMap]) -> str:
    text = (
        "Predicted from the pLogP parameters of this network, without contention, each algorithm "
        "with its best segment and degree. Point at a cell for its options, its time and what "
        "comes second. "
    )
    if not any(found.has_bounds for found in maps):
        return f"{text}How sure that is cannot be said, since the parameters have no bounds."
    return (
        f"{text}Hatched: the intervals of the best and the second overlap, so that there is no "
        "significant difference between them."
    )


def _figure(found: DecisionMap) -> Html:
    known, about = regions(found), COLLECTIVES[found.collective]
    entries = [
        element(
            "span",
            element("i", class_="swatch field", style=f"background:{field_colour(place)}"),
            name,
            class_="entry",
        )
        for place, name in enumerate(known.names)
    ]
    if known.is_unsure.any():
        hatched = element("i", class_="swatch field hatched")
        entries.append(element("span", hatched, "not told from the second", class_="entry"))
    title = element("strong", about.title)
    size = element("small", f" m: {about.size}")
    return element(
        "figure",
        element("figcaption", title, size, element("span", *entries, class_="legend")),
        chart(charts.decision_chart(found), f"Fastest algorithm: {about.title}", HEIGHT),
    )
