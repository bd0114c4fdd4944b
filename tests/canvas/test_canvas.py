"""What pictures are drawn on: contrast, legends, files, and places on a page."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

from contend.base.errors import InvalidInputError, StorageError
from contend.report.canvas import palette
from contend.report.canvas.drawing import Drawing, Panel, Tip
from contend.report.canvas.files import SUFFIXES, write_for_paper, write_picture
from contend.report.canvas.inline import REACH, on_page
from contend.report.canvas.markup import Part, asset, element, table, whole

HOSTILE = "</script><b>&\"'$x$"
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#\w+);", scheme))
    for scheme in asset("page.css").split("@media")[:2]
)
MARKS, TEXT = 3.0, 4.5  # contrast that WCAG 2.1 asks for at level AA


def luminance(colour: str) -> float:
    """Relative luminance of a colour, WCAG 2.1."""
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
             for part in mpl.colors.to_rgb(colour)]  # fmt: skip
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio, WCAG 2.1."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_is_that_of_the_standard() -> None:
    assert contrast("black", "white") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, LIGHT | DARK])
def test_text_links_notes_and_marks_are_legible_on_both_papers(scheme: dict[str, str]) -> None:
    for name in ("ink", "soft", "accent"):
        assert contrast(scheme[name], scheme["paper"]) >= TEXT
    for name in ("ink", "soft"):
        assert contrast(scheme[name], scheme["shade"]) >= TEXT
    assert contrast(scheme["ink"], scheme["note"]) >= TEXT


def test_what_is_drawn_is_legible_as_it_is_and_inverted() -> None:
    drawn = {palette.MEASURED, palette.PREDICTED, palette.BOUND, *palette.SERIES}
    for colour in drawn:
        assert contrast(colour, LIGHT["paper"]) >= MARKS, colour
        assert contrast(inverted(colour), DARK["paper"]) >= MARKS, colour
    for colour in (palette.INK, palette.SOFT):
        assert contrast(colour, palette.PAPER) >= TEXT
        assert contrast(inverted(colour), DARK["paper"]) >= TEXT
    assert {LIGHT[name] for name in ("ink", "soft", "grid", "shade", "paper")} == {
        palette.INK, palette.SOFT, palette.GRID, palette.SHADE, palette.PAPER,
    }  # fmt: skip


def inverted(colour: str) -> tuple[float, ...]:
    """What the page makes of a colour in the dark: CSS invert(0.92) hue-rotate(180deg)."""
    assert "filter: invert(0.92) hue-rotate(180deg)" in asset("page.css")
    rgb = 0.92 + (1 - 2 * 0.92) * np.array(mpl.colors.to_rgb(colour))
    grey = np.tile([0.213, 0.715, 0.072], (3, 1))
    return tuple(np.clip((2 * grey - np.eye(3)) @ rgb, 0, 1))


def test_the_look_has_the_colours_of_the_style() -> None:
    with palette.look():
        colours = {name: mpl.rcParams[name] for name in ("text.color", "grid.color", "xtick.color")}
        assert mpl.rcParams["font.size"] == palette.TICK
    assert {name: mpl.colors.to_hex(colour) for name, colour in colours.items()} == {
        "text.color": palette.INK, "grid.color": palette.GRID, "xtick.color": palette.SOFT,
    }  # fmt: skip


def test_names_are_legible_on_every_field() -> None:
    for colour in palette.FIELDS:
        assert contrast(palette.INK_ON_FIELD, colour) >= TEXT, colour


def test_things_in_one_panel_differ_in_grey_too() -> None:
    assert len(set(palette.MARKS)) == len(palette.MARKS) >= len(palette.SERIES)


def draw(name: str, axes) -> Iterator[Tip]:
    """A line and a box that say the same."""
    axes.plot([0, 10], [0, 10], color=palette.MEASURED, label="both")
    axes.plot([0, 10], [10, 0], color=palette.PREDICTED, ls="--", label=name)
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 10)
    yield Tip(f"{name} point", 5, 5)
    axes.text(1, 9, f"late {name}")  # what is drawn between tips is drawn in files too
    yield Tip(f"{name} box", 0, 0, 2, 1)


def drawing(*names: str) -> Drawing:
    panels = [Panel(name, lambda axes, name=name: draw(name, axes)) for name in names or ("one",)]
    return Drawing("Two lines", panels, "They cross.")


def test_a_legend_has_each_name_once() -> None:
    figure = drawing("one", "two").figure()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["both", "one", "two"]
    assert [text.get_text() for axes in figure.axes for text in axes.texts] == [
        "late one",
        "late two",
    ]
    text = on_page(drawing("one", "two"))
    assert re.findall(r"</svg>\s*([^<]+)</span>", text) == ["both", "one", "two"]


def titles(text: str) -> list[tuple[list[float], str]]:
    """Left, top, width and height of what a pointer finds, and what it then reads."""
    found = re.findall(
        r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)">'
        r"<title>(.*?)</title></rect>", text, re.S,
    )  # fmt: skip
    return [([float(number) for number in box], said) for *box, said in found]


def test_titles_lie_where_the_thing_is_drawn() -> None:
    text = on_page(drawing())
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)', text)[-1])
    (point, said), (box, _) = titles(text)
    assert said == "one point"
    x, y = point[0] + point[2] / 2, point[1] + point[3] / 2
    assert point[2] == point[3] == 2 * REACH
    assert width * 0.4 < x < width * 0.7
    assert height * 0.3 < y < height * 0.6
    # The point is at (5, 5), the box from (0, 0) to (2, 1).
    assert box[0] == pytest.approx(x - 2.5 * box[2], abs=0.5)
    assert box[1] + box[3] == pytest.approx(y + 5 * box[3], abs=0.5)
    lines = re.findall(r"M ([\d.]+) ([\d.]+) \nL ([\d.]+) ([\d.]+)", text)
    middles = [(float(a) + float(c)) / 2 for a, b, c, d in lines]
    assert min(abs(middle - x) for middle in middles) < 0.2


def test_a_page_is_the_same_in_every_run() -> None:
    first, second = (whole("x", on_page(drawing("one", "two"))) for _ in range(2))
    assert first == second


def test_names_from_data_stay_text() -> None:
    one = Drawing(HOSTILE, [Panel(HOSTILE, lambda axes: draw(HOSTILE, axes))] * 2, HOSTILE)
    part = Part("a", HOSTILE, table([HOSTILE], [[HOSTILE, HOSTILE]]), HOSTILE)
    text = whole(HOSTILE, on_page(one), [part], HOSTILE, HOSTILE)
    assert "<b>" not in text
    assert "<script" not in text
    assert text.count("&lt;b&gt;") >= 2 * 2 + 3 + 4


def test_a_part_has_a_heading_of_its_own_or_its_title_or_none() -> None:
    parts = [Part(name, name.upper(), "x", heading) for name, heading in
             (("a", None), ("b", "Other"), ("c", ""))]  # fmt: skip
    text = whole("title", "lead", parts)
    assert re.findall("<h2>(.*?)</h2>", text) == ["A", "Other"]
    assert re.findall('<a href="#(.)">(.)</a>', text) == [("a", "A"), ("b", "B"), ("c", "C")]
    assert re.findall('<section id="(.)">', text) == ["a", "b", "c"]
    assert "<nav>" not in whole("title", "lead")


def test_a_table_takes_cells_or_rows_as_they_are() -> None:
    text = table(["n", "m"], [[4, "8 B"], element("tr", element("td", "as it is"))])
    assert '<tr><th scope="col">n</th><th scope="col">m</th></tr>' in text
    assert '<tr><th scope="row">4</th><td>8 B</td></tr>' in text
    assert "<tr><td>as it is</td></tr>" in text


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_kind_of_file_is_written_and_the_same_in_every_run(
    suffix: str, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for path in paths:
        write_picture(drawing("one", "two"), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert len(first) > 1000
    if suffix == ".svg":
        root = ElementTree.fromstring(first)
        texts = ["".join(element.itertext()) for element in root.iter()]
        for said in ("Two lines", "They cross.", "one", "two", "both", "late one", "late two"):
            assert said in texts


def test_a_file_for_a_paper_has_no_title(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    write_for_paper(drawing("one", "two"), [path])
    texts = re.findall(r"<text[^>]*>([^<]*)", path.read_text())
    assert "one" in texts
    assert "Two lines" not in texts
    assert "They cross." not in texts


@pytest.mark.parametrize("name", ["x.gif", "x", ".svg"])
def test_another_ending_is_an_error_that_lists_those_there_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="a picture as") as raised:
        write_picture(drawing(), tmp_path / name)
    assert ".svg, .png, .pdf, .html" in raised.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        write_picture(drawing(), tmp_path / "missing" / "x.png")


def test_nothing_global_is_changed(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    for suffix in SUFFIXES:
        write_picture(drawing(), tmp_path / f"x{suffix}")
    assert dict(mpl.rcParams) == before
