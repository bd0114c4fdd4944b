"""The page of a replay: what contention costs a program, where, and what would pay most."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from contend.canvas.markup import element, raw, whole
from contend.number_text import count, percent
from contend.replay.replay import Replay
from contend.replay.setting import Setting
from contend.replay.whatif import WhatIf, what_ifs
from contend.report.section import lead, parts_of, remark
from contend.timelines.timeline import Timeline, timeline_of_replay
from contend.units import format_seconds
from contend.wholefile import write_whole


@dataclass(frozen=True)
class Account:
    """A setting and its replay, with times of operations and traffic, and what follows."""

    setting: Setting
    found: Replay

    @classmethod
    def of(cls, setting: Setting) -> "Account":
        """Replay with everything that the page needs."""
        return cls(setting, setting.replay(is_recorded=True, has_traffic=True))

    @cached_property
    def timeline(self) -> Timeline:
        """Of the replay."""
        return timeline_of_replay(self.found)

    @cached_property
    def what_ifs(self) -> list[WhatIf]:
        """All, each replayed, those that save most first."""
        return what_ifs(self.setting, self.found)


def write_replay_report(account: Account, path: Path) -> None:
    """Write the page.

    Raises
    ------
    StorageError
        When the file cannot be written.
    """
    write_whole(path, page(account))


def page(account: Account) -> str:
    """The page, whole and in need of nothing else."""
    name, short = Path(account.setting.file).name, account.found.shortfall
    first = lead(element("p", answer(account)))
    return whole(
        f"{name}: replay report",
        raw(first, remark(what(account)), remark(f"It was {short}." if short else "")),
        parts_of(account, "replay"), name, "Replay report",
    )  # fmt: skip


def answer(account: Account) -> str:
    """What contention costs, in a sentence."""
    found = account.found
    if found.alone is None:
        return (
            f"The program takes {format_seconds(found.seconds)} where no message shares the "
            "network; without --model alone the page says what sharing costs."
        )
    share = found.lost / found.seconds if found.seconds else 0.0
    before = f"{format_seconds(found.alone.seconds)} {_compared(found.baseline)}"
    if abs(share) < 5e-4:
        return (
            f"The program takes {format_seconds(found.seconds)}, and {before}: contention costs "
            "it nothing."
        )
    if found.lost < 0:
        return (
            f"The program takes {format_seconds(found.seconds)}, less than the {before}: "
            "contention costs it nothing."
        )
    return (
        f"The program takes {format_seconds(found.seconds)}, of which contention costs "
        f"{format_seconds(found.lost)} ({percent(share)}): it would take {before}."
    )


def _compared(baseline: str) -> str:
    return "with messages in turn" if baseline == "ports" else "with every message alone"


def what(account: Account) -> str:
    """How that was found."""
    found = account.found
    used = "; ".join(
        f"{name} by {', '.join(sorted(one))}" for name, one in sorted(found.algorithms.items())
    )
    collectives = f" Collective operations: {used}." if used else ""
    return (
        f"A replay of {found.trace.ranks} ranks and {count(found.messages)} messages, which share "
        f"the network by {found.model}.{collectives} All times are those of replays; a replay "
        "believes that the program does the same whatever the network does."
    )
