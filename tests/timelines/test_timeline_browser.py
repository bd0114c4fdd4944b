"""Timelines in a real browser: drawn, zoomed, pointed at, in windows of any width."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from test_timelines import busy

from contend.timelines.page import timeline_page
from contend.timelines.timeline import timeline_of

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=20000",
]  # fmt: skip

# Reads what is drawn, points at the middle of the first rank, zooms, and tells the page around it.
REPORTER = """<script>addEventListener("load", () => {
  const canvas = document.querySelector(".timeline > canvas");
  const colours = () => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 3).join());
    return seen;
  };
  const span = () => document.querySelector(".timeline .span").textContent;
  const { left, top, width } = canvas.getBoundingClientRect();
  const point = { bubbles: true, clientX: left + 62 + (width - 70) / 2, clientY: top + 58 + 5 };
  canvas.dispatchEvent(new PointerEvent("pointermove", point));
  const tip = document.getElementById("tip").textContent;
  const before = span(), drawn = colours();
  const press = (act) => document.querySelector(`button[data-act=${act}]`).click();
  press("in");
  const zoomed = span();
  for (let i = 0; i < 60; i += 1) press("in");
  const closest = span();
  press("all");
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true, cancelable: true }));
  const keyed = span();
  press("all");
  parent.postMessage({
    tip, before, zoomed, closest, keyed, after: span(),
    grey: drawn.has("130,135,143"), green: drawn.has("42,149,109"), colours: drawn.size,
    document: document.documentElement.scrollWidth,
  }, "*");
});</script>"""
FRAME = """<body style="margin:0"><iframe src="page.html" style="border:0;height:900px;width:%dpx">
</iframe><script>
addEventListener("message", (event) => { document.title = JSON.stringify(event.data); });
</script>"""


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("calls", [120, 40_000])
def test_a_timeline_is_drawn_pointed_at_and_zoomed(tmp_path: Path, width: int, calls: int) -> None:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    chromium = found or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium, chromium-browser or google-chrome on the PATH")
    text = timeline_page(timeline_of(busy(6, calls)), "a trace", "lead")
    (tmp_path / "page.html").write_text(text.replace("</body>", f"{REPORTER}</body>"), "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME % width)
    command = [
        chromium, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1500,1000",
        "--allow-file-access-from-files", "--dump-dom", frame.as_uri(),
    ]  # fmt: skip
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert [line for line in ended.stderr.splitlines() if "CONSOLE" in line] == []
    title = re.search("<title>(.*?)</title>", ended.stdout)
    assert title is not None, "the page told nothing"
    seen = json.loads(unescape(title.group(1)))
    assert seen["document"] <= width
    assert seen["grey"], "no computation is drawn"
    assert seen["colours"] > 6
    assert seen["tip"].startswith("rank 0, ")
    assert seen["before"].startswith("0 s to ")
    assert len({seen["before"], seen["zoomed"], seen["closest"]}) == 3
    assert (seen["keyed"], seen["after"]) == (seen["zoomed"], seen["before"])
