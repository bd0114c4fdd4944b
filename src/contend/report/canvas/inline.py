"""Drawings on a page: SVG as matplotlib writes it, with a title at every place that says more."""

import io
from typing import Any

from contend.report.canvas.drawing import Drawing, Panel, Tip, legend, settle
from contend.report.canvas.markup import Html, element, raw
from contend.report.canvas.palette import look

SCALE = 1.6  # pixels of a screen per point
RASTER = 144  # dots per inch of what is too fine for lines
LEAST_SCALE = 1.35  # below which a drawing scrolls, since its text could not be read
REACH = 4.0  # points around a place that a pointer finds
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def on_page(drawing: Drawing) -> Html:
    """The panels of a drawing with their titles, and the legend that they share."""
    with look():
        made = [(panel, *panel.figure()) for panel in drawing.panels]
        panels = [_panel(*shown, is_titled=shown[0].title != drawing.title) for shown in made]
        entries = legend(axes for _, figure, _ in made for axes in figure.axes)
        swatches = [
            element("span", _swatch(handle), name, class_="entry")
            for name, handle in entries.items()
        ]
    return raw(
        element("p", *swatches, class_="legend") if swatches else "",
        element("div", *panels, class_="panels"),
    )


def _panel(panel: Panel, figure: Any, tips: list[Tip], *, is_titled: bool) -> Html:
    settle(figure)
    wide = 72.0 * panel.width
    drawn = element(
        "div", _svg(figure, _titles(figure, tips)), role="img", aria_label=panel.title,
        style=f"width: {SCALE * wide:.0f}px; min-width: {LEAST_SCALE * wide:.0f}px",
    )  # fmt: skip
    title = element("figcaption", element("strong", panel.title)) if is_titled else ""
    style = f"flex: 0 1 {SCALE * wide:.0f}px"
    return element("figure", title, element("div", drawn, class_="scroll"), style=style)


def _titles(figure: Any, tips: list[Tip]) -> Html:
    """Boxes without colour that a browser reads out under the pointer."""
    if not tips:
        return raw()
    place, height = figure.axes[0].transData.transform, 72.0 * figure.get_figheight()
    corners = place([(tip.x, tip.y) for tip in tips])
    others = place(
        [
            (tip.x if tip.right is None else tip.right, tip.y if tip.top is None else tip.top)
            for tip in tips
        ]
    )
    boxes = []
    for tip, (x, y), (u, v) in zip(tips, corners, others, strict=True):
        reach = REACH if tip.right is None else 0.0
        edge, top = min(x, u) - reach, height - max(y, v) - reach
        wide, high = abs(u - x) + 2 * reach, abs(v - y) + 2 * reach
        box = {"x": edge, "y": top, "width": wide, "height": high}
        sizes = {name: f"{value:.1f}" for name, value in box.items()}
        boxes.append(element("rect", element("title", tip.text), **sizes))
    return element("g", *boxes, fill="none", pointer_events="all")


def _swatch(handle: Any) -> Html:
    """What a thing of the legend looks like."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.3, 0.14))
    box = figure.legend(
        [handle], [""], loc="center", borderpad=0, handletextpad=0, handlelength=2.6
    )
    box.set_in_layout(False)
    return _svg(figure, raw())


def _svg(figure: Any, last: Html) -> Html:
    """The SVG of a figure on the paper of the page; `last` lies above all else."""
    memory = io.StringIO()
    figure.savefig(memory, format="svg", dpi=RASTER, metadata=NO_METADATA, facecolor="none")
    text = memory.getvalue()
    return Html(text[text.index("<svg") :].replace("</svg>", f"{last}</svg>"))
