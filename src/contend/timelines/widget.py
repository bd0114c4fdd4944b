"""A timeline as a part of a page, which its script draws, and a table for who does not see it."""

import json
from collections.abc import Iterable
from importlib.resources import files

from contend.canvas.markup import Html, details, element, row, table
from contend.number_text import percent
from contend.timelines.kinds import Activity
from contend.timelines.page_data import page_data, remarks, shares
from contend.timelines.timeline import Timeline
from contend.units import format_seconds

TOOLS = {
    "in": ("+", "zoom in"),
    "out": ("−", "zoom out"),
    "left": ("◀", "earlier"),
    "right": ("▶", "later"),
    "all": ("whole", "the whole run"),
}
HELP = (
    "Zoom by the buttons, a double click, Ctrl and the wheel, or the keys + and −; drag or use the "
    "arrow keys to move. Point at a place to read what it is."
)


def timeline_part(timeline: Timeline) -> Html:
    """Drawing, legend and table; the page needs `script()` and `sheet()` as well."""
    data = json.dumps(page_data(timeline), ensure_ascii=False, separators=(",", ":"))
    found = shares(timeline)
    known = [kind for kind in Activity if found[kind] > 0 and kind is not Activity.NOTHING]
    label = (
        f"timeline of {timeline.ranks} ranks and {format_seconds(timeline.seconds)}: "
        + ", ".join(f"{percent(found[kind])} {kind.title}" for kind in known)
    )
    buttons = (
        element("button", sign, type="button", data_act=act, aria_label=what, title=what)
        for act, (sign, what) in TOOLS.items()
    )
    check = element("label", Html('<input type="checkbox" checked>'), element("span", "messages"))
    return element(
        "div",
        element("div", *buttons, check, element("span", class_="span"), class_="tools"),
        element("canvas", role="img", tabindex="0", aria_label=label),
        _legend(known),
        element("script", Html(data.replace("<", "\\u003c")), type="application/json"),
        element("p", " ".join(remarks(timeline)), class_="remark"),
        element("p", HELP, class_="remark"),
        details("The same as a table", _table(found)),
        class_="timeline",
    )


def _legend(known: Iterable[Activity]) -> Html:
    entries = (
        element(
            "span",
            element("canvas", class_="swatch", data_kind=int(kind), aria_hidden="true"),
            kind.title,
            class_="entry",
        )
        for kind in known
    )
    return element("p", *entries, class_="legend")


def _table(found: "dict[Activity, float]") -> Html:
    head = row(["Activity", "Share of the time of all ranks"], heading="col")
    rows = (row([kind.title, percent(share)]) for kind, share in found.items() if share > 0)
    return table(head, rows, class_="counts")


def script() -> Html:
    """What draws all timelines of a page, to stand behind them."""
    return element("script", Html(_asset("timeline.js")))


def sheet() -> Html:
    """Their style."""
    return element("style", Html(_asset("timeline.css")))


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets").joinpath(name).read_text(encoding="utf-8")
