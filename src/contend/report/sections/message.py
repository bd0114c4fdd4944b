"""Section of the page: one message between two processes, by Hockney's model and by pLogP."""

from collections.abc import Iterator, Sequence

from contend.network import Level, Network
from contend.pointtopoint import PLogP
from contend.report import charts, tables, text
from contend.report.markup import Html, chart, element, legend, raw
from contend.report.numbers import interval, quantity
from contend.report.section import Findings, Part, Section
from contend.samples import Sample, table
from contend.units import format_seconds

HEIGHT = 340
METHODS = {
    "trains": "trains of messages of every size, and round trips",
    "kielmann": "a train of messages and round trips (Kielmann)",
    "schedules": "times of collective algorithms",
    "one_way": "half round trips; the split between L and g is a guess, their sum is not",
}


class Message(Section):
    """One message between two processes."""

    name = "message"
    order = 50

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Always there."""
        yield Part(self.name, "One message", section(findings.network, findings.samples))


def section(network: Network, samples: Sequence[Sample]) -> Html:
    """What is known of each level; charts for the outermost, which is what crosses the network."""
    levels = [_level(level, len(network.levels) > 1) for level in network.levels]
    nothing = element(
        "p",
        "No message between two processes alone was measured. A ping-pong gives alpha and beta, "
        "and with them gamma and a lower bound.",
    )
    heading = element("h2", "One message between two processes")
    figures = element("div", _ping_pong(network, samples), _plogp(network), class_="pair")
    return element("section", heading, *(levels or [nothing]), figures, id="message")


def _level(level: Level, is_named: bool) -> Html:
    parts: list[Html] = [element("h3", f"Level {level.name}")] if is_named else []
    if level.hockney:
        parts += [element("p", text.message(level.hockney)), tables.message(level.hockney)]
    if level.plogp:
        parts.append(element("p", _plogp_sentence(level.plogp)))
    return raw(*parts)


def _plogp_sentence(plogp: PLogP) -> str:
    latency = quantity(plogp.latency)
    bounds = interval(plogp.latency)
    said = f"pLogP: latency L = {latency}{f' ({bounds})' if bounds else ''}"
    if plogp.size.array[0] == 0:
        empty = (plogp.gap_at(0), plogp.send_overhead_at(0), plogp.receive_overhead_at(0))
        first = [format_seconds(float(seconds)) for seconds in empty]
        said += f"; for empty messages g = {first[0]}, os = {first[1]}, or = {first[2]}"
    return f"{said}. Measured by {METHODS[plogp.method]}."


def _ping_pong(network: Network, samples: Sequence[Sample]) -> Html:
    passed = (sample for sample in samples if sample.experiment == "pingpong")
    trips = table.medians(table.timed(passed))
    if not (trips["m"] > 0).any():
        return raw()
    hockney = network.point_to_point.hockney
    entries = [("dot", "measured, half a round trip")]
    if hockney:
        entries.append(("line", "alpha + beta m"))
    figure = charts.message_chart(trips, hockney)
    return _figure("Ping-pong", figure, entries)


def _plogp(network: Network) -> Html:
    plogp = network.point_to_point.plogp
    if plogp is None or not (plogp.size.array > 0).any():
        return raw()
    entries = [
        ("line", "g, gap"),
        ("send", "os, sender busy"),
        ("receive", "or, receiver busy"),
    ]
    return _figure("pLogP", charts.plogp_chart(plogp), entries)


def _figure(title: str, figure: charts.Figure, entries: list[tuple[str, str]]) -> Html:
    return element(
        "figure",
        element("figcaption", element("strong", title), legend(entries)),
        chart(figure, title, HEIGHT),
    )
