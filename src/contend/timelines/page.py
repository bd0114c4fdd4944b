"""A timeline as a page of its own, in need of nothing else."""

from pathlib import Path

from contend.canvas.markup import element, raw
from contend.canvas.page import whole
from contend.timelines.timeline import Timeline
from contend.timelines.widget import script, sheet, timeline_part
from contend.wholefile import write_whole


def timeline_page(timeline: Timeline, title: str, lead: str) -> str:
    """The page; `lead` is the sentence that answers first."""
    body = raw(
        sheet(),
        element("header", element("p", "Timeline", class_="kind"), element("h1", title),
                element("p", lead)),
        element("noscript", element("p", "The drawing needs JavaScript; the table does not.")),
        timeline_part(timeline),
        script(),
    )  # fmt: skip
    return whole(title, body)


def write_timeline(timeline: Timeline, title: str, lead: str, path: Path) -> None:
    """Write the page.

    Raises
    ------
    StorageError
        When the file cannot be written.
    """
    write_whole(path, timeline_page(timeline, title, lead))
