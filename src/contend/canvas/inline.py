"""Drawings as SVG: elements of a page, or a file that follows the reader's screen too.

matplotlib writes SVG for files of their own. For a page the names in it are made unique, what says
nothing is left out, coordinates keep a hundredth of a point, and the colours of the look become
variables.
"""

import io
import json
import re
from collections import defaultdict
from itertools import count
from typing import Any

from contend.canvas.drawing import Drawing, Panel, Tip, legend, settle
from contend.canvas.markup import Html, element, raw
from contend.canvas.style import LIGHT, look, variables

SCALE = 1.6  # pixels of a screen per point
RASTER = 144  # dots per inch of what is too fine for lines
LEAST_SCALE = 1.35  # below which a drawing scrolls, since its text could not be read
SHAPES = "stroke-linejoin: round; stroke-linecap: butt; font-family: system-ui, sans-serif"
_NUMBER = re.compile(r"-?\d+\.\d+")
_serial = count()


def on_page(drawing: Drawing) -> Html:
    """The panels of a drawing with their titles, and the legend that they share."""
    with look():
        made = [(panel, *panel.figure()) for panel in drawing.panels]
        shown = [_panel(*one, is_titled=one[0].title != drawing.title) for one in made]
        entries = legend(axes for _, figure, _ in made for axes in figure.axes)
        swatches = [raw(_swatch(handle), name) for name, handle in entries.items()]
    names = (element("span", entry, class_="entry") for entry in swatches)
    return raw(
        element("p", *names, class_="legend") if swatches else "",
        element("div", *shown, class_="panels"),
    )


def svg_file(figure: Any, title: str) -> str:
    """A figure as an SVG that is light or dark as the reader's screen; made within `look`."""
    text, width, height = _written(figure)
    sheet = f"{variables('svg')}\nsvg {{ {SHAPES} }}"
    background = f'<rect width="{width:g}" height="{height:g}" style="fill: var(--paper)"/>'
    return numbered(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}pt" '
        f'height="{height:g}pt" viewBox="0 0 {width:g} {height:g}">\n{element("title", title)}\n'
        f"<style>\n{sheet}\n</style>\n{background}\n{text}\n</svg>\n"
    )


def _panel(panel: Panel, figure: Any, tips: list[Tip], *, is_titled: bool) -> Html:
    settle(figure)
    text, width, height = _written(figure)
    drawn = (
        f'<svg role="img" aria-label="{raw(panel.title)}" viewBox="0 0 {width:g} {height:g}" '
        f'style="width: {SCALE * width:.0f}px; min-width: {LEAST_SCALE * width:.0f}px">'
        f"{text}</svg>"
    )
    title = element("figcaption", element("strong", panel.title)) if is_titled else ""
    style = f"flex: 0 1 {SCALE * width:.0f}px"
    return element(
        "figure", title, element("div", Html(drawn), class_="scroll"), _tips(figure, tips, height),
        style=style,
    )  # fmt: skip


def _tips(figure: Any, tips: list[Tip], height: float) -> Html:
    """Boxes in the units of the drawing and their texts, for the script of the page."""
    if not tips:
        return raw()
    place = figure.axes[0].transData.transform
    corners = place([(tip.x, tip.y) for tip in tips])
    others = place(
        [
            (tip.x if tip.right is None else tip.right, tip.y if tip.top is None else tip.top)
            for tip in tips
        ]
    )
    rows = [
        [
            round(value, 1)
            for value in (min(x, u), height - max(y, v), max(x, u), height - min(y, v))
        ]
        + [tip.text]
        for tip, (x, y), (u, v) in zip(tips, corners, others, strict=True)
    ]
    data = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return element("script", Html(data), type="application/json")


def _swatch(handle: Any) -> Html:
    """What a thing of the legend looks like."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.3, 0.14))
    box = figure.legend(
        [handle], [""], loc="center", borderpad=0, handletextpad=0, handlelength=2.6
    )
    box.set_in_layout(False)
    text, width, height = _written(figure)
    size = f"width: {SCALE * width:.0f}px; height: {SCALE * height:.0f}px"
    drawn = (
        f'<svg aria-hidden="true" viewBox="0 0 {width:g} {height:g}" style="{size}">{text}</svg>'
    )
    return Html(drawn)


def _written(figure: Any) -> tuple[str, float, float]:
    """What stands within the SVG of a figure, its width and its height in points."""
    background = figure.patch.get_visible()
    figure.patch.set_visible(False)
    memory, nothing = io.StringIO(), dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(memory, format="svg", dpi=RASTER, metadata=nothing)
    figure.patch.set_visible(background)
    width, height = (72.0 * inches for inches in figure.get_size_inches())
    inside = memory.getvalue().partition("<svg")[2].partition(">")[2].rpartition("</svg>")[0]
    inside = re.sub(
        r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", inside, flags=re.S
    )
    inside = re.sub(r"<[^>]+>", lambda tag: _short(tag.group()), inside)
    inside = re.sub(r"<defs>\s*</defs>", "", inside)
    return re.sub(r">\s+<", "><", _named(inside)).strip(), width, height


def _short(tag: str) -> str:
    """A tag with rounded numbers, no font of its own, and variables for the colours of the look."""
    tag = _NUMBER.sub(lambda found: f"{float(found.group()):.2f}".rstrip("0").rstrip("."), tag)
    tag = re.sub(r"font: (bold |\d+ )?([\d.]+px) [^;\"]*", _font, tag)
    tag = tag.replace("xlink:href", "href")
    for name, colour in LIGHT.items():
        tag = tag.replace(colour, f"var(--{name})")
    return re.sub(r"\s+", " ", tag)


def _font(found: "re.Match[str]") -> str:
    weight = f"font-weight: {found[1].strip()}; " if found[1] else ""
    return f"{weight}font-size: {found[2]}"


def _named(text: str) -> str:
    """The names that something refers to, unique on any page; no others."""
    used = set(re.findall(r"(?:url\(|href=\")#([\w-]+)", text))
    names = {name: f"d{next(_serial)}" for name in sorted(used)}
    text = re.sub(r' id="([^"]+)"', lambda f: f' id="{names[f[1]]}"' if f[1] in used else "", text)
    return re.sub(r"(url\(|href=\")#([\w-]+)", lambda f: f"{f[1]}#{names[f[2]]}", text)


def numbered(text: str) -> str:
    """The same with names in the order of a page or file, so that it is the same in every run."""
    order = count()
    names: dict[str, str] = defaultdict(lambda: f"d{next(order)}")
    return re.sub(r"(id=\"|url\(#|href=\"#)(d\d+)", lambda f: f"{f[1]}{names[f[2]]}", text)
