"""Whole programs: their traces, replayed on a network, in one case or many, shown and converted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contend.base.errors import InvalidInputError
from contend.base.result import Line, Part, Result
from contend.programs.replay import Replay
from contend.programs.replay.interference import Interference, interference, jobs_of
from contend.programs.replay.noise import NoisyRuns, noisy_runs
from contend.programs.replay.summary import result_of
from contend.programs.sweeps.executors import PROCESSES
from contend.programs.sweeps.options import ReplayOptions
from contend.programs.sweeps.sweep import Listener, sweep
from contend.programs.traces import summary
from contend.programs.traces.reader import parse_speed, read_trace
from contend.programs.traces.writer import WRITERS

if TYPE_CHECKING:
    import pandas as pd

    from contend.report.sections.replay import Account


@dataclass(frozen=True)
class ProgramReplay:
    """A replayed program: `jobs` where several ran together, `account` where a page was written.

    `interval` are seconds, within which nine runs of ten are; None where that is not known.
    """

    replay: Replay
    interval: tuple[float, float] | None = None
    jobs: Interference | None = None
    account: "Account | None" = None
    page: Path | None = None

    def result(self) -> Result:
        """Return its time, what contention costs, and what would pay where a page says so."""
        summary = result_of(self.replay, self.jobs, self.interval)
        if self.account is None:
            return summary
        what_ifs = [
            {
                "change": change.candidate.title,
                "seconds": change.seconds,
                "saved": change.saved,
                "is_bound": change.candidate.is_bound,
                "command": change.candidate.setting.command,
            }
            for change in self.account.what_ifs
        ]
        parts: list[Part] = [*summary.parts, Line(f"page: {self.page}")]
        data = summary.data | {"page": self.page, "what_ifs": what_ifs}
        return Result(data, parts, warnings=summary.warnings)


def replay(
    traces: Sequence[str | Path],
    options: ReplayOptions = ReplayOptions(),  # noqa: B008
    page: str | Path | None = None,
) -> ProgramReplay:
    """Replay a traced program message by message, and write a page if one is named.

    It is run twice, with messages that share the network and with every message alone; the
    difference is what is lost to contention. Several traces are jobs that begin together.

    >>> options = ReplayOptions(latency="20us", bandwidth="1Gbit/s")
    >>> replay(["trace"], options, "replay.html").replay.lost
    0.0

    Raises
    ------
    ContendError
        For what is no trace, and for a network or an option that is none.
    """
    path = None if page is None else Path(page)
    if path is not None and path.suffix != ".html":
        raise InvalidInputError(f"a page as {path.suffix or path.name!r}", "use .html")
    options.network_word()
    read = [read_trace(trace, options.format, options.speed) for trace in traces]
    setting = options.setting(read, traces, has_tcp=path is None)
    lost = None
    if len(read) > 1 or options.background:
        assert setting.carriage is not None
        jobs = jobs_of([Path(trace).name for trace in traces], read, setting.carriage.host)
        lost = interference(setting, jobs, options.background)
    if path is None:
        runs = NoisyRuns(setting) if options.background else noisy_runs(setting)
        return ProgramReplay(lost.replay if lost else runs.typical.replay(), runs.interval, lost)
    from contend.report.replay import write_replay_report
    from contend.report.sections.replay import Account

    account = Account.of(setting, lost)
    write_replay_report(account, path)
    return ProgramReplay(account.replay, None, lost, account, path)


def replay_cases(
    traces: Sequence[str],
    options: ReplayOptions,
    *,
    cases_file: str | Path | None = None,
    kept: str | Path | None = None,
    executor: str = PROCESSES,
    workers: int | None = None,
    listener: Listener | None = None,
) -> "pd.DataFrame":
    """Replay a program in every combination of the words of its options, as `sweep` does.

    `cases_file` is a CSV file with a case per row, in the place of choices; the one trace may
    be a pattern for any number of ranks.

    >>> options = ReplayOptions(network="line:20us:1GB/s", ranks="4", compute="1,0.5")
    >>> len(replay_cases(["pattern:ring:1MB"], options, executor="here"))
    2
    """
    trace, *others = traces
    if others:
        raise InvalidInputError(
            f"{trace} and {others[0]}: several traces in several cases",
            "name one trace; without cases several are jobs that run beside each other, so to "
            "compare them replay one after the other",
        )
    base, cases = options.cases(trace, cases_file)
    return sweep(
        trace, cases, base, executor=executor, workers=workers, kept=kept, format=options.format,
        speed=parse_speed(options.speed), told=listener,
    )  # fmt: skip


def show_trace(
    file: str | Path, drawing: str | Path | None = None, options: ReplayOptions = ReplayOptions()  # noqa: B008
) -> Result:  # fmt: skip
    """Return which calls a trace holds, their bytes and times; draw its timeline if that is named.

    Where `options` have a network, a replay on it is drawn, not what was recorded.

    >>> show_trace("trace", "timeline.html").data["shares"]["nothing"]
    0.0
    """
    trace = read_trace(file, options.format, options.speed)
    if drawing is None:
        return summary.result_of(trace)
    from contend.report.pictures import draw_trace

    return draw_trace(trace, Path(file), Path(drawing), options)


def convert_trace(
    file: str | Path,
    to: str,
    target: str | Path,
    *,
    format: str | None = None,
    speed: float | str | None = None,
) -> str:
    """Write a trace in another format, and return what that is called.

    >>> convert_trace("trace", "perfetto", "timeline.json")
    'timeline for Perfetto and Chrome (JSON)'
    """
    file, target = Path(file), Path(target)
    writer = WRITERS.get(to)
    if file.resolve() in (target.resolve(), *target.resolve().parents):
        raise InvalidInputError(f"{target} belongs to the trace {file}", "name another file")
    writer.write(read_trace(file, format, speed), target)
    return writer.title
