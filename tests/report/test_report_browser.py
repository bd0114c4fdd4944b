"""The page in a real browser: no error, nothing wider than the window."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from contend.draw import page as graph_page
from contend.flows.engine import solve
from contend.report.page import write_report

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=20000",
]  # fmt: skip
HOSTILE = "</script><script>console.error('ran')</script><img src=x onerror=console.error(1)>"

# Draws every chart as for printing, then tells the page around it what came of it.
REPORTER = """<script>addEventListener("load", async () => {
  dispatchEvent(new Event("beforeprint"));
  const charts = [...document.querySelectorAll(".chart")];
  const isDrawn = (chart) => chart.querySelector(".main-svg .plot, .main-svg .cartesianlayer");
  while (!charts.every(isDrawn)) await new Promise((next) => setTimeout(next, 50));
  const root = document.documentElement;
  const boxes = [...document.querySelectorAll("main *")].filter((e) => !e.closest(".scroll, svg"));
  parent.postMessage({
    charts: charts.length,
    window: innerWidth,
    document: root.scrollWidth,
    rightmost: Math.max(...boxes.map((box) => box.getBoundingClientRect().right)),
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


@pytest.fixture
def report(measure, tmp_path: Path) -> Path:
    """A page of data whose names would run as scripts if they could."""
    found = measure(algorithms=("native", HOSTILE), name=HOSTILE, host=HOSTILE)
    return write_report(found.network, found.samples, tmp_path / "report", notes=[HOSTILE])


def test_the_check_sees_an_error(chromium: str, tmp_path: Path) -> None:
    page = tmp_path / "broken.html"
    page.write_text("<script>missing()</script>")
    assert run(chromium, tmp_path, page, "--dump-dom")[1]


def test_the_page_opens_without_an_error(chromium: str, report: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    flags = ("--window-size=1400,3000", f"--screenshot={picture}")
    assert run(chromium, tmp_path, report, *flags)[1] == []
    assert picture.stat().st_size > 50_000


@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_is_no_wider_than_the_window(
    chromium: str, report: Path, tmp_path: Path, width: int
) -> None:
    text = report.read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(text.replace("</body>", f"{REPORTER}</body>"), "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME % width)  # a window of its own cannot be narrower than 500 pixels
    output, console = run(chromium, tmp_path, frame, "--window-size=1500,1000", "--dump-dom")
    assert console == []
    title = re.search("<title>(.*?)</title>", output)
    assert title is not None, "the charts were not drawn"
    seen = json.loads(unescape(title.group(1)))
    assert seen["window"] == width
    assert seen["document"] <= width
    assert seen["rightmost"] <= width
    assert seen["charts"] == 2 * (3 + 1 + 3) + 3
    assert seen["title"] == f"{HOSTILE}: contention report"


# Points at the first and last bar, then tells the page around it what was said and how wide it is.
POINTER = """<script>addEventListener("load", () => {
  const shown = document.querySelector(innerWidth > 700 ? ".wide" : ".narrow");
  const bars = [...shown.querySelectorAll(".bar, .thin-bar, [class^=level-]")];
  const said = [bars[0], bars.at(-1)].map((bar) => {
    bar.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 390, clientY: 5 }));
    return document.getElementById("said").textContent;
  });
  const root = document.documentElement;
  const sizes = [...shown.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  parent.postMessage({
    window: innerWidth,
    document: root.scrollWidth,
    rightmost: Math.max(...sizes.map((size) => size.right)),
    lowest: Math.min(...sizes.map((size) => size.height)),
    said,
  }, "*");
});</script>"""


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
    text = graph_page(solution, HOSTILE, HOSTILE).replace("</body>", f"{POINTER}</body>")
    (tmp_path / "page.html").write_text(text, "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME % width)
    output, console = run(chromium, tmp_path, frame, "--window-size=1500,1000", "--dump-dom")
    assert console == []
    title = re.search("<title>(.*?)</title>", output)
    assert title is not None, "the page told nothing"
    seen = json.loads(unescape(title.group(1)))
    assert seen["window"] == width
    assert seen["document"] <= width
    assert seen["rightmost"] <= width
    assert seen["lowest"] > 8
    assert all("B/s" in said and HOSTILE in said for said in seen["said"])
