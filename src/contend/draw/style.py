"""Colours and strokes of what is drawn, in light and dark.

Hues are those of Okabe and Ito (2008), darkened where a line of them would be too pale on white, so
that readers who do not tell red from green see different ones too. Nothing is said by hue alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

CLASS = "contention-picture"
FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
SIZE = 12.0  # pixels, of text without a size of its own

LIGHT = {
    "ink": "#1d2430", "soft": "#596273", "line": "#dfe3e8", "paper": "#ffffff", "shade": "#f2f4f7",
}  # fmt: skip
DARK = {
    "ink": "#e3e7ed", "soft": "#9ba5b4", "line": "#323943", "paper": "#15191f", "shade": "#20262f",
}  # fmt: skip
HUES = ("#2f7fc1", "#d1600f", "#2e9e75", "#bd5f93", "#b98300", "#7b828d")

LEVELS = 8  # of a rate: seven shades, and a colour for a link that is full
FULL_FROM = 0.97  # share of a link's rate
FULL_COLOUR = HUES[1]


@dataclass(frozen=True)
class Style:
    """Names of colours, or "own" for the hue of the shape; pixels; `halo` sets text off."""

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0  # of the fill
    dash: tuple[float, float] | None = None
    size: float = SIZE
    is_bold: bool = False
    halo: bool = False


STYLES = {
    "paper": Style("paper"),
    "grid": Style(stroke="line", width=1.0),
    "axis": Style(stroke="soft", width=1.0),
    "step": Style(stroke="soft", width=0.8, dash=(2.0, 2.0)),
    "track": Style("shade"),
    "bar": Style("own", "own", 1.0, 0.4),
    "thin-bar": Style("own", opacity=0.75),
    "wait": Style(stroke="soft", width=1.4),
    "mark": Style("ink", "paper", 0.8),
    "host": Style("paper", "ink", 1.3),
    "edge": Style(stroke="own", width=1.7),
    "head": Style("own"),
    "area": Style("own", "own", 1.0, 0.25),
    "catch": Style("paper", opacity=0.0),
    "title": Style("ink", size=15.0, is_bold=True),
    "name": Style("ink", is_bold=True),
    "note": Style("soft"),
    "text": Style("ink"),
    "small": Style("ink", size=10.0),
    "label": Style("ink", size=11.0, halo=True),
    "end": Style("ink", halo=True),
} | {
    f"level-{level}": Style("full" if level == LEVELS else "own", opacity=level / LEVELS)
    for level in range(1, LEVELS + 1)
}  # fmt: skip


def level(share: float) -> int:
    """Shade of a share of a link's rate: 0 for none, LEVELS for a full link.

    >>> level(0.0), level(0.01), level(0.5), level(0.96), level(1.0)
    (0, 1, 4, 7, 8)
    """
    if share >= FULL_FROM:
        return LEVELS
    return min(-int(-share * (LEVELS - 1) // 1), LEVELS - 1)


def colour(name: str, hue: int | None) -> str:
    """Colour on white of a name of a style."""
    if name == "own":
        return HUES[(hue or 0) % len(HUES)]
    return FULL_COLOUR if name == "full" else LIGHT[name]


def sheet() -> str:
    """The styles as CSS that touches nothing but a drawing of this class."""
    return "\n".join(_rules())


def _rules() -> Iterator[str]:
    hues = " ".join(f"--h{number}: {hue};" for number, hue in enumerate(HUES))
    yield f".{CLASS} {{ {_variables(LIGHT)} {hues} --full: {FULL_COLOUR}; font: {FONT}; }}"
    dark = _variables(DARK)
    yield f"@media screen and (prefers-color-scheme: dark) {{ .{CLASS} {{ {dark} }} }}"
    for number in range(len(HUES)):
        yield f".{CLASS} .h{number} {{ --own: var(--h{number}); }}"
    for kind, style in STYLES.items():
        yield f".{CLASS} .{kind} {{ {_declarations(style)} }}"
    yield f".{CLASS} g:hover > :is(.bar, .thin-bar, .edge) {{ stroke: var(--ink); }}"


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _declarations(style: Style) -> str:
    found = [f"fill: var(--{style.fill});" if style.fill else "fill: none;"]
    if style.opacity < 1:
        found.append(f"fill-opacity: {style.opacity:.3g};")
    if style.stroke:
        found.append(f"stroke: var(--{style.stroke}); stroke-width: {style.width:g};")
    if style.dash:
        found.append(f"stroke-dasharray: {style.dash[0]:g} {style.dash[1]:g};")
    if style.size != SIZE:
        found.append(f"font-size: {style.size:g}px;")
    if style.is_bold:
        found.append("font-weight: 650;")
    if style.halo:
        found.append("stroke: var(--paper); stroke-width: 3; paint-order: stroke;")
    return " ".join(found)
