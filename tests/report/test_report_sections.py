"""Sections of the page: each has a place of its own, and shows what the figures draw for it."""

import re
from pathlib import Path

import contend.report.sections
from contend.report.figures.figure import Findings
from contend.report.figures.table import FIGURES
from contend.report.page import SECTIONS
from contend.report.section import parts_of


def test_no_anchor_is_taken_twice(measure) -> None:
    found = measure()
    parts = parts_of(Findings(found.network, found.samples), SECTIONS)
    anchors = [part.anchor for part in parts]
    assert len(set(anchors)) == len(anchors)
    assert anchors[:2] == ["answer", "operation-1"]
    assert anchors[-2:] == ["glossary", "cite"]


def test_every_figure_is_shown_in_a_section() -> None:
    folder = Path(contend.report.sections.__path__[0])
    asked = {
        name
        for path in folder.glob("*.py")
        for name in re.findall(r'drawings_of\(findings, "([\w-]+)"\)', path.read_text())
    }
    assert {section for section, *_ in FIGURES} == asked
    assert len({name for _, name, _ in FIGURES}) == len(FIGURES)
