"""Pictures that commands write: schedules, messages that share a network, timelines of programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.near_names import operation_of
from contend.base.number_text import percent
from contend.base.result import Result, picture
from contend.base.units import format_bytes, format_rate, format_seconds, parse_bytes
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of
from contend.models.prediction.flows import solve_file
from contend.programs.replay import replay
from contend.programs.sweeps.options import ReplayOptions
from contend.programs.sweeps.setting import sharing_of, times_of
from contend.programs.traces.endings import early_ends
from contend.programs.traces.trace import Trace
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.flows import flow_drawing
from contend.report.figures.schedule import schedule_drawing
from contend.report.figures.timeline import timeline_drawing
from contend.report.timelines.kinds import Activity
from contend.report.timelines.timeline import Timeline, shares, timeline_of, timeline_of_replay
from contend.schedules import Algorithm, Call, algorithms
from contend.schedules.groups import grouping_of
from contend.schedules.option_text import options_text
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.timeline import fast_ethernet
from contend.schedules.timing.timeline import timeline as timeline_of_schedule
from contend.simulate.flows.engine import Solution

MOST_MESSAGES = 5000  # rates over time of twice as many can fill the memory


def draw_schedule(
    collective: str,
    algorithm: str,
    path: str | Path | None = None,
    *,
    n: int = 16,
    m: int | str = "64KiB",
    root: int = 0,
    network: str | Path | None = None,
    groups: str | None = None,
    options: Mapping[str, int] | None = None,
) -> Result:
    """Draw who sends what when in a collective algorithm; default a file of its name.

    Times are those of pLogP without contention, of a network file or of a typical Fast Ethernet.

    >>> draw_schedule("bcast", "binomial", "binomial.svg", n=8).data["messages"]
    7
    """
    collective = operation_of(collective)
    grouping, given = grouping_of(groups), options or {}
    entry = algorithms(collective).get(algorithm)
    entry = entry.grouped(grouping) if grouping else entry
    size = parse_bytes(m) if isinstance(m, str) else m
    path = check_picture(Path(path or f"{collective}-{algorithm}.svg"))
    plogp, whose = _parameters(network, entry)
    schedule = entry.build(n, entry.uniform(n, size), root=root, with_blocks=True, **given)
    messages = timeline_of_schedule(schedule, plogp)
    title = f"{entry.defines.title}, {entry.title}: {n} ranks, {format_bytes(size)}"
    used = {name: given.get(name, getattr(Call, name)) for name in entry.options}
    largest = int(schedule.bytes.max(initial=0))
    note = (
        f"{options_text(used)}; "
        * bool(used)
        + f"{format_seconds(messages.seconds)} without contention, with L = "
        f"{format_seconds(float(plogp.latency))} and g({format_bytes(largest)}) = "
        f"{format_seconds(float(plogp.gap_at(largest)))} of {whose}"
    )
    write_picture(schedule_drawing(messages, title, note), path)
    return picture(path, seconds=messages.seconds, messages=messages.src.size)


def _parameters(network: str | Path | None, entry: Algorithm) -> tuple[PLogP, str]:
    if network is None:
        return fast_ethernet(), "a typical Fast Ethernet"
    document = Network.load(network)
    return parameters_of(document, entry.collective).of(entry), document.name


def draw_flows(
    file: str | Path,
    path: str | Path | None = None,
    *,
    model: str | None = None,
    network: str | Path | None = None,
    bandwidth: str | None = None,
) -> Result:
    """Draw hosts and messages, and the rate of each message over time, on one switch.

    >>> draw_flows("flows.csv", "flows.svg", bandwidth="1Gbit/s").data["seconds"]
    0.016
    """
    file = Path(file)
    path = check_picture(Path(path) if path else file.with_suffix(".svg"))
    solved = solve_file(
        file, model, network=network, bandwidth=bandwidth, is_recorded=True, most=MOST_MESSAGES
    )
    assert solved.rate is not None
    note = f"{_messages(solved.solution)}; {solved.model}, {format_rate(8 * solved.rate)} alone"
    write_picture(flow_drawing(solved.solution, file.stem, note), path)
    return picture(
        path, model=solved.model, messages=len(solved.table),
        seconds=float(solved.solution.end.max()),
    )  # fmt: skip


def _messages(solution: Solution) -> str:
    sizes = solution.flows.bytes
    low, high = format_bytes(float(sizes.min())), format_bytes(float(sizes.max()))
    size = low if low == high else f"{low} to {high}"
    count = f"{len(sizes)} messages" if len(sizes) > 1 else "one message"
    return f"{count} of {size}, the last one ends at {format_seconds(float(solution.end.max()))}"


@dataclass(frozen=True)
class _Shown:
    """A timeline, what it is of, what is first in its remarks, and what is missing."""

    timeline: Timeline
    title: str
    lead: str
    shortfall: str = ""


def draw_trace(
    trace: Trace, file: Path, path: Path, options: ReplayOptions | None = None
) -> Result:
    """Draw what each rank did when, as recorded, or replayed where the options have a network."""
    check_picture(path)
    if options is not None and options.has_network:
        shown = _replayed(trace, options)
    elif trace.start.size == 0:
        raise InvalidInputError(
            f"{file} knows no times, so that it has to be replayed to be shown",
            f"contend trace show {file} -o {path} --network network.json, or line:20us:1Gbit/s",
        )
    else:
        shown = _recorded(trace)
    title = f"{file.resolve().name}: {shown.title}"
    write_picture(timeline_drawing(shown.timeline, title, shown.lead), path)
    share_of = {kind.title: share for kind, share in shares(shown.timeline).items()}
    drawn = picture(path, seconds=shown.timeline.seconds, shares=share_of)
    return Result(drawn.data, drawn.parts, warnings=[shown.shortfall] * bool(shown.shortfall))


def _recorded(trace: Trace) -> _Shown:
    timeline = timeline_of(trace)
    title, lead = "what was recorded", _lead(timeline, "as recorded")
    if trace.is_cut:
        title += ", which ends early"
        lead += f" The record ends early: {early_ends(trace.cut)}."
    return _Shown(timeline, title, lead)


def _replayed(trace: Trace, options: ReplayOptions) -> _Shown:
    times, network = times_of(options.network_word())
    model, parameters = sharing_of(network, None)
    replayed = replay(
        trace, times, model, parameters=parameters, is_recorded=True, has_traffic=True
    )
    timeline = timeline_of_replay(replayed)
    title, lead = "a replay", _lead(timeline, f"replayed under {model}")
    if replayed.shortfall:
        title, lead = f"{title} of what ends early", f"{lead} It was {replayed.shortfall}."
    return _Shown(timeline, title, lead, replayed.shortfall)


def _lead(timeline: Timeline, how: str) -> str:
    share_of = shares(timeline)
    in_calls = sum(
        share
        for kind, share in share_of.items()
        if kind not in (Activity.NOTHING, Activity.COMPUTATION, Activity.WAITING)
    )
    return (
        f"{format_seconds(timeline.seconds)} on {timeline.ranks} ranks, {how}: of their time "
        f"{percent(share_of[Activity.COMPUTATION])} is computation, {percent(in_calls)} is spent "
        f"in calls, and in {percent(share_of[Activity.WAITING])} more a rank waits there for "
        "another one that is late."
    )
