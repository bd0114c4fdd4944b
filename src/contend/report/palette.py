"""Colours that the page and the figures for papers share, readable on white and on near black."""

MEASURED, PREDICTED, BOUND, THIRD = "#d1600f", "#2f7fc1", "#8a8f98", "#2e9e75"
PREDICTED_LIGHT = "#a9cbe8"
BAND_OPACITY = 0.22
# Blue to red over white, ColorBrewer's RdBu: safe for colour-blind readers.
DIVERGING = ("#2166ac", "#92c5de", "#f7f7f7", "#f4a582", "#b2182b")
# Nothing to full: what is idle shows the page behind it, what is saturated stands out.
LOAD = ("rgba(47,127,193,0.05)", "rgba(47,127,193,0.55)", "#2f7fc1", "#d1600f")
# Fields side by side: Tol's light scheme and lighter shades of his muted one, told apart by readers
# with any colour vision and light enough for black names (Tol, Colour Schemes, SRON/EPS/TN/09-002).
FIELDS = (
    "#77aadd", "#ee8866", "#44bb99", "#eedd88", "#ffaabb",
    "#99ddff", "#bbcc33", "#aaaa00", "#dddddd", "#b8a3d4",
)  # fmt: skip
BORDER, INK_ON_FIELD = "#ffffff", "#1d2430"
# Lines side by side, one for each number of processes; markers differ as well.
LINES = (
    PREDICTED, MEASURED, THIRD, "#8d5fb8", "#b8860b", "#c0446c", BOUND, "#4aa5b8",
)  # fmt: skip
