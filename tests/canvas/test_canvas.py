"""What pictures are drawn on: contrast, legends, files, and places on a page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from contend.canvas import palette
from contend.canvas.drawing import Drawing, Panel, Tip
from contend.canvas.files import SUFFIXES, write_for_paper, write_picture
from contend.canvas.inline import on_page
from contend.canvas.page import whole
from contend.canvas.style import DARK, LIGHT
from contend.errors import InvalidInputError, StorageError

HOSTILE = "</script><b>&\"'$x$"
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


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_text_and_marks_are_legible_on_both_papers(scheme: dict[str, str]) -> None:
    for name in ("ink", "soft"):
        assert contrast(scheme[name], scheme["paper"]) >= TEXT
        assert contrast(scheme[name], scheme["shade"]) >= TEXT
    for colour in {palette.MEASURED, palette.PREDICTED, palette.BOUND, *palette.SERIES}:
        assert contrast(colour, scheme["paper"]) >= MARKS, colour


def test_names_are_legible_on_every_field() -> None:
    for colour in palette.FIELDS:
        assert contrast(palette.INK_ON_FIELD, colour) >= TEXT, colour


def test_links_and_notes_are_legible() -> None:
    page = whole("x", on_page(drawing()))
    accents, notes = (re.findall(rf"--{name}: (#\w+)", page) for name in ("accent", "note"))
    for accent, note, scheme in zip(accents, notes, (LIGHT, DARK), strict=True):
        assert contrast(accent, scheme["paper"]) >= TEXT
        assert contrast(scheme["ink"], note) >= TEXT


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
    assert re.findall(r"</svg>([^<]+)</span>", text) == ["both", "one", "two"]


def test_tips_lie_where_the_thing_is_drawn() -> None:
    text = on_page(drawing())
    width, height = map(
        float, re.findall(r'role="img"[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)', text)[0]
    )
    point, box = json.loads(re.findall(r"<script[^>]*>(.*?)</script>", text)[0])
    x, y, right, bottom, said = point
    assert (x, y) == (right, bottom)
    assert said == "one point"
    assert width * 0.4 < x < width * 0.7
    assert height * 0.3 < y < height * 0.6
    assert box[0] < box[2] < x
    assert y < box[1] < box[3] < height
    lines = re.findall(r"M ([\d.]+) ([\d.]+) L ([\d.]+) ([\d.]+)", text)
    middles = [(float(a) + float(c)) / 2 for a, b, c, d in lines]
    assert min(abs(middle - x) for middle in middles) < 0.2


def test_colours_of_the_look_follow_the_reader_and_those_of_data_stay() -> None:
    text = on_page(drawing())
    assert "var(--ink)" in text
    assert "var(--soft)" in text
    assert palette.MEASURED in text
    assert not set(LIGHT.values()) & set(re.findall(r"#[0-9a-f]{6}", text))


def test_names_within_drawings_are_used_and_unique_on_a_page() -> None:
    text = whole("x", on_page(drawing("one", "two")))
    found = re.findall(r' id="([^"]+)"', text)
    assert len(found) == len(set(found))
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', text)) == set(found) - {"tip"}
    assert text == whole("x", on_page(drawing("one", "two")))


def test_names_from_data_stay_text() -> None:
    one = Drawing(HOSTILE, [Panel(HOSTILE, lambda axes: draw(HOSTILE, axes))] * 2, HOSTILE)
    text = whole(HOSTILE, on_page(one))
    assert "<b>" not in text
    assert text.count("</script>") == 3  # that of the page, and the tips of two panels


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
        assert b"prefers-color-scheme: dark" in first


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
