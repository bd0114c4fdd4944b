"""The page in a real browser: no error, nothing wider than the window."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from contend.report.canvas.files import write_picture
from contend.report.figures.flows import flow_drawing
from contend.report.page import write_report
from contend.simulate.flows.engine import solve
from support.measurement import draw_one_map

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=20000",
]  # fmt: skip
HOSTILE = "</script><script>console.error('ran')</script><img src=x onerror=console.error(1)>"

# Finds what lies under the middle of the last title of every drawing, and tells the page around it.
REPORTER = """<script>addEventListener("load", () => {
  const read = (svg) => {
    const titles = svg.querySelectorAll("rect > title");
    if (!titles.length) return "nothing to say";
    const last = titles[titles.length - 1].parentElement;
    last.scrollIntoView({ behavior: "instant", block: "center", inline: "center" });
    const { left, right, top, bottom } = last.getBoundingClientRect();
    const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return under === last ? last.textContent : "";
  };
  const drawings = [...document.querySelectorAll("figure svg")];
  const said = drawings.map(read);
  const boxes = [...document.querySelectorAll("main *")].filter((e) => !e.closest(".scroll, svg"));
  const texts = drawings.flatMap((svg) => [...svg.querySelectorAll("text")]);
  const size = (element) => element.getBoundingClientRect();
  const isCut = (text) => {
    const { left, right } = size(text.closest("svg"));
    return size(text).right > right + 3 || size(text).left < left - 3;
  };
  parent.postMessage({
    drawings: drawings.length,
    said: said.filter(Boolean).length,
    last: said.at(-1),
    window: innerWidth,
    document: document.documentElement.scrollWidth,
    rightmost: Math.max(...boxes.map((box) => size(box).right)),
    lowest: Math.min(...texts.map((text) => Math.max(size(text).width, size(text).height))),
    cut: texts.filter(isCut).map((text) => text.textContent),
    title: document.title,
  }, "*");
});</script>"""
FRAME = """<body style="margin:0"><iframe src="page.html" style="border:0;height:900px;width:%dpx">
</iframe><script>
addEventListener("message", (event) => { document.title = JSON.stringify(event.data); });
</script>"""


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    found = found or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium, chromium-browser or google-chrome on the PATH")
    return found


def run(chromium: str, folder: Path, page: Path, *flags: str) -> tuple[str, list[str]]:
    """Standard output, and what the page wrote to its console."""
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [chromium, *FLAGS, profile, *flags, page.as_uri()]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    return ended.stdout, [line for line in ended.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture(scope="module")
def report(measure, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of data whose names would run as scripts if they could."""
    found = measure(algorithms=("native", HOSTILE), name=HOSTILE, host=HOSTILE)
    with pytest.MonkeyPatch.context() as patch:
        draw_one_map(patch)
        folder = tmp_path_factory.mktemp("report")
        return write_report(found.network, found.samples, folder, notes=[HOSTILE])


def test_the_check_sees_an_error(chromium: str, tmp_path: Path) -> None:
    page = tmp_path / "broken.html"
    page.write_text("<script>missing()</script>")
    assert run(chromium, tmp_path, page, "--dump-dom")[1]


def test_the_page_opens_without_an_error(chromium: str, report: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    flags = ("--window-size=1400,3000", f"--screenshot={picture}")
    assert run(chromium, tmp_path, report, *flags)[1] == []
    assert picture.stat().st_size > 50_000


def told(chromium: str, folder: Path, text: str, width: int) -> dict:
    """What the script above tells of a page in a window of some width."""
    assert "<script>" not in text
    allowed = text.replace("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';")
    (folder / "page.html").write_text(allowed.replace("</body>", f"{REPORTER}</body>"), "utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME % width)  # a window of its own cannot be narrower than 500 pixels
    output, console = run(chromium, folder, frame, "--window-size=1500,1000", "--dump-dom")
    assert console == []
    title = re.search("<title>(.*?)</title>", output)
    assert title is not None, "the page told nothing"
    seen = json.loads(unescape(title.group(1)))
    assert seen["window"] == width
    assert seen["document"] <= width
    assert seen["rightmost"] <= width
    assert seen["said"] == seen["drawings"]
    assert seen["lowest"] > 8
    assert seen["cut"] == []
    return seen


@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_can_be_read_and_pointed_at(
    chromium: str, report: Path, tmp_path: Path, width: int
) -> None:
    seen = told(chromium, tmp_path, report.read_text(encoding="utf-8"), width)
    assert seen["drawings"] == 2 * (3 + 2 + 1 + 3) + 4  # with the overview
    assert seen["title"] == f"{HOSTILE}: contention report"


@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("count", [2, 40, 200])
def test_the_page_of_a_contention_graph_can_be_read_and_pointed_at(
    chromium: str, tmp_path: Path, width: int, count: int
) -> None:
    flows = {
        "src": [f"{HOSTILE}{i % 9}" for i in range(count)],
        "dst": [f"{HOSTILE}{(i * i + 1) % 9 + 9}" for i in range(count)],
        "bytes": [2**20] * count,
    }
    solution = solve(flows, bandwidth=1e9, is_recorded=True)
    picture = tmp_path / "graph.html"
    write_picture(flow_drawing(solution, HOSTILE, HOSTILE), picture)
    seen = told(chromium, tmp_path, picture.read_text("utf-8"), width)
    said = (" %", "error(1)>") if count > 60 else ("B/s", HOSTILE)  # of many, how busy each host is
    assert all(part in seen["last"] for part in said)
