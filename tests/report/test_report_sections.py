"""A section of the page is one file: dropped into the folder, it has its place and its entry."""

import subprocess
import sys
from pathlib import Path

import planted
from contend.figures.figure import Findings
from contend.report.section import SECTIONS, parts_of

WEATHER = """
from contend.canvas.markup import element
from contend.report.section import Part, Section


class Weather(Section):
    name = "weather"
    order = 15

    def parts(self, findings):
        shown = element("section", element("h2", findings.network.name), id="weather")
        yield Part(self.name, "Weather", shown)
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
    planted.save(found.samples, samples)
    words = [str(folder), str(network), str(samples)]
    done = subprocess.run(
        [sys.executable, "-B", "-c", USE, *words], capture_output=True, text=True, check=True
    )
    assert "<h2>lab</h2>" in done.stdout
    contents = done.stdout[: done.stdout.index("</nav>")]
    places = [contents.index(f'href="#{anchor}"') for anchor in ("answer", "weather", "message")]
    assert places == sorted(places)


def test_entries_lead_to_parts_and_no_place_is_taken_twice(measure) -> None:
    found = measure()
    parts = parts_of(Findings(found.network, found.samples))
    assert all(f'id="{part.anchor}"' in part.html for part in parts)
    assert len({part.anchor for part in parts}) == len(parts)
    assert len({section.order for section in SECTIONS.all()}) == len(SECTIONS.names())
