"""contend trace show: a trace as a timeline."""

from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.number_text import percent
from contend.base.units import format_seconds
from contend.cli import options, output
from contend.cli.commands.trace.info import Format, TraceFile
from contend.cli.options import option
from contend.cli.replay_options import message_times
from contend.cli.result import Result, picture
from contend.programs.replay import replay
from contend.programs.sweeps.setting import sharing_of
from contend.programs.traces.endings import early_ends
from contend.programs.traces.reader import read_trace
from contend.programs.traces.trace import Trace
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.timeline import timeline_drawing
from contend.report.timelines.kinds import Activity
from contend.report.timelines.timeline import Timeline, shares, timeline_of, timeline_of_replay

ORDER = 3
EXAMPLE = "contend trace show trace -o timeline.html"


def command(
    file: TraceFile,
    output_file: Path = option(
        ".html to point at, or .svg, .png, .pdf.", "-o", "--output", default=Path("timeline.html")
    ),
    network_file: Path | None = option(
        "Network file: show a replay on it, not what was recorded.", "--network"
    ),
    latency: str | None = option("Or the latency of a message, e.g. 20us, for a replay."),
    bandwidth: str | None = option("And its bandwidth: 1Gbit/s or 125MB/s."),
    speed: options.Speed = None,
    format: Format = None,
) -> Result:
    """Draw what each rank did when: computation, calls by kind, waiting, and messages.

    A trace that knows no times (SMPI, GOAL) is replayed first, on the network that is given.
    """
    path = check_picture(output_file)
    shown = timeline_of_file(file, format, speed, network_file, latency, bandwidth)
    title = f"{file.resolve().name}: {shown.what}"
    write_picture(timeline_drawing(shown.timeline, title, shown.lead), path)
    found = {kind.title: share for kind, share in shares(shown.timeline).items()}
    return picture(path, seconds=shown.timeline.seconds, shares=found)


@dataclass(frozen=True)
class Shown:
    """A timeline, what it is of, and what it says first."""

    timeline: Timeline
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
    """Return the timeline of the replay where a network is given, else of the recording."""
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


def lead_of(timeline: Timeline, how: str) -> str:
    """Where the time goes, in a sentence."""
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
    trace: Trace, network_file: Path | None, latency: str | None, bandwidth: str | None
) -> Shown:
    times, network = message_times(network_file, latency, bandwidth, "0s", None, None)
    model, parameters = sharing_of(network, None)
    found = replay(trace, times, model, parameters=parameters, is_recorded=True, has_traffic=True)
    timeline = timeline_of_replay(found)
    what, lead = "a replay", lead_of(timeline, f"replayed under {model}")
    if found.shortfall:
        output.warn(found.shortfall)
        what, lead = f"{what} of what ends early", f"{lead} It was {found.shortfall}."
    return Shown(timeline, what, lead)
