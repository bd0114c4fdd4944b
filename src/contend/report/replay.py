"""The page of a replay: what contention costs a program, where, and what would pay most."""

from pathlib import Path

from contend.base.number_text import count, percent
from contend.base.units import format_seconds
from contend.base.wholefile import write_whole
from contend.report.canvas.markup import element, raw, whole
from contend.report.section import Parts, lead, part, parts_of, remark
from contend.report.sections.replay import (
    TIMELINE,
    Account,
    best_changes,
    calls,
    jobs,
    late_ranks,
    links,
    rank_timeline,
)

SECTIONS: tuple[Parts, ...] = (
    part("jobs", "What jobs lose to each other", jobs),
    part("what-ifs", "What would pay most", best_changes),
    part("timeline", TIMELINE, rank_timeline),
    part("links", "Where messages share the network", links),
    part("waits", "Which ranks wait, and for whom", late_ranks),
    part("calls", "What contention costs which calls", calls),
)


def write_replay_report(account: Account, path: Path) -> None:
    """Write the page.

    Raises StorageError when the file cannot be written.
    """
    write_whole(path, page(account))


def page(account: Account) -> str:
    name = ", ".join(Path(file).name for file in account.setting.files)
    short = account.replay.shortfall
    first = lead(element("p", answer(account)))
    return whole(
        f"{name}: replay report",
        raw(first, remark(scope(account)), remark(f"It was {short}." if short else "")),
        parts_of(account, SECTIONS), name, "Replay report",
    )  # fmt: skip


def answer(account: Account) -> str:
    replay = account.replay
    if replay.alone is None:
        return (
            f"The program takes {format_seconds(replay.seconds)} where no message shares the "
            "network; without --model alone the page says what sharing costs."
        )
    share = replay.lost / replay.seconds if replay.seconds else 0.0
    before = f"{format_seconds(replay.alone.seconds)} {_compared(replay.baseline)}"
    if abs(share) < 5e-4:
        return (
            f"The program takes {format_seconds(replay.seconds)}, and {before}: contention costs "
            "it nothing."
        )
    if replay.lost < 0:
        return (
            f"The program takes {format_seconds(replay.seconds)}, less than the {before}: "
            "contention costs it nothing."
        )
    return (
        f"The program takes {format_seconds(replay.seconds)}, of which contention costs "
        f"{format_seconds(replay.lost)} ({percent(share)}): it would take {before}."
    )


def _compared(baseline: str) -> str:
    return "with messages in turn" if baseline == "ports" else "with every message alone"


def scope(account: Account) -> str:
    replay = account.replay
    used = "; ".join(
        f"{name} by {', '.join(sorted(names))}" for name, names in sorted(replay.algorithms.items())
    )
    collectives = f" Collective operations: {used}." if used else ""
    return (
        f"A replay of {replay.trace.ranks} ranks and {count(replay.messages)} messages, which "
        f"share the network by {replay.model}.{collectives} All times are those of replays; a "
        "replay believes that the program does the same whatever the network does."
    )
