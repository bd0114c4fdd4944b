"""The timeline of a file, as it was recorded or by a replay, and the sentence that leads it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contend.cli import options, output
from contend.errors import InvalidInputError

if TYPE_CHECKING:
    from contend.timelines.timeline import Timeline
    from contend.traces.trace import Trace


@dataclass(frozen=True)
class Shown:
    """A timeline, what it is of, and what it says first."""

    timeline: "Timeline"
    what: str
    lead: str


def timeline_of_file(
    file: Path,
    format: str | None,
    speed: str | None,
    network: Path | None,
    latency: str | None,
    bandwidth: str | None,
) -> Shown:
    """Of the replay where a network is given, else of what was recorded."""
    from contend.timelines.timeline import timeline_of
    from contend.traces.endings import early_ends
    from contend.traces.reader import read_trace

    trace = read_trace(file, format, options.number_of(speed))
    if network is not None or latency is not None or bandwidth is not None:
        return _replayed(trace, network, latency, bandwidth)
    if trace.start.size == 0:
        raise InvalidInputError(
            f"{file} knows no times, so that it has to be replayed to be shown",
            f"contend trace show {file} --network network.json; or --latency and --bandwidth",
        )
    timeline = timeline_of(trace)
    what, lead = "what was recorded", lead_of(timeline, "as recorded")
    if trace.is_cut:
        what += ", which ends early"
        lead += f" The record ends early: {early_ends(trace.cut)}."
    return Shown(timeline, what, lead)


def lead_of(timeline: "Timeline", how: str) -> str:
    """Where the time goes, in a sentence."""
    from contend.number_text import percent
    from contend.timelines.binning import shares
    from contend.timelines.kinds import Activity
    from contend.units import format_seconds

    found = shares(timeline)
    of_calls = sum(
        share
        for kind, share in found.items()
        if kind not in (Activity.NOTHING, Activity.COMPUTATION, Activity.WAITING)
    )
    return (
        f"{format_seconds(timeline.seconds)} on {timeline.ranks} ranks, {how}: of their time "
        f"{percent(found[Activity.COMPUTATION])} is computation, {percent(of_calls)} is spent in "
        f"calls, and in {percent(found[Activity.WAITING])} more a rank waits there for another "
        "one that is late."
    )


def _replayed(
    trace: "Trace", network_file: Path | None, latency: str | None, bandwidth: str | None
) -> Shown:
    from contend.cli.replayed import message_times, sharing_of
    from contend.replay import replay
    from contend.timelines.timeline import timeline_of_replay

    times, network = message_times(network_file, latency, bandwidth, "0s", None, None)
    model, parameters = sharing_of(network, None)
    found = replay(trace, times, model, parameters=parameters, is_recorded=True, has_traffic=True)
    timeline = timeline_of_replay(found)
    what, lead = "a replay", lead_of(timeline, f"replayed under {model}")
    if found.shortfall:
        output.warn(found.shortfall)
        what, lead = f"{what} of what ends early", f"{lead} It was {found.shortfall}."
    return Shown(timeline, what, lead)
