"""The page of a replay as a whole."""

from pathlib import Path

from contend.canvas.markup import element, raw
from contend.canvas.page import whole
from contend.number_text import count, percent
from contend.replay_report.section import Account, sections_of
from contend.timelines.widget import script, sheet
from contend.units import format_seconds
from contend.wholefile import write_whole


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
    title = f"{Path(account.setting.file).name}: replay report"
    found = list(sections_of(account))
    short = account.found.shortfall
    contents = (element("a", section.title, href=f"#{section.name}") for section, _ in found)
    body = raw(
        sheet(),
        element(
            "header",
            element("p", "Replay report", class_="kind"),
            element("h1", Path(account.setting.file).name),
            element("div", element("p", answer(account)), class_="lead"),
            element("p", what(account), class_="remark"),
            *([element("p", f"It was {short}.", class_="remark")] if short else []),
        ),
        element("nav", *contents),
        *(html for _, html in found),
        script(),
    )
    return whole(title, body)


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
