"""A section of the page is one file: dropped into the folder, it has its place and its entry."""

import subprocess
import sys
from pathlib import Path

from contend.figures.figure import Findings
from contend.report.section import SECTIONS, parts_of
from support import synthesis

WEATHER = """
from contend.canvas.markup import element
from contend.report.section import Section


class Weather(Section):
    name = title = "weather"
    order = 15

    def content(self, findings):
        yield element("h3", findings.network.name)
"""
USE = """
import sys
import contend.report.sections

contend.report.sections.__path__.append(sys.argv[1])
from contend.network import Network
from contend.figures.figure import Findings
from contend.report.page import page
from contend.samples import read_samples

print(page(Findings(Network.load(sys.argv[2]), read_samples(sys.argv[3]))))
"""


def test_a_section_is_one_file(measure, tmp_path: Path) -> None:
    folder = tmp_path / "sections"
    folder.mkdir()
    (folder / "weather.py").write_text(WEATHER)
    network, samples = tmp_path / "network.json", tmp_path / "samples.jsonl"
    found = measure()
    found.network.save(network)
    synthesis.save(found.samples, samples)
    words = [str(folder), str(network), str(samples)]
    done = subprocess.run(
        [sys.executable, "-B", "-c", USE, *words], capture_output=True, text=True, check=True
    )
    assert "<h2>weather</h2>\n<h3>lab</h3>" in done.stdout
    contents = done.stdout[: done.stdout.index("</nav>")]
    places = [contents.index(f'href="#{anchor}"') for anchor in ("answer", "weather", "message")]
    assert places == sorted(places)


def test_no_anchor_and_no_place_is_taken_twice(measure) -> None:
    found = measure()
    parts = parts_of(Findings(found.network, found.samples))
    assert len({part.anchor for part in parts}) == len(parts)
    places = {(section.page, section.order) for section in SECTIONS.all()}
    assert len(places) == len(SECTIONS.names())
    assert {section.page for section in SECTIONS.all()} == {"report", "replay"}
