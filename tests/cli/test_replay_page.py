"""Pages of replays and of traces from the command line."""

import re
import shlex
from html import unescape

import pytest

from support.recordings import RECEIVES, RankWriter

TRACE = """\
0 init
0 compute 1e6
0 send 1 0 1000000
0 allreduce 100000 0
0 finalize
1 init
1 compute 5e6
1 recv 0 0 1000000
1 allreduce 100000 0
1 finalize
2 init
2 allreduce 100000 0
2 finalize
"""


def test_commands_of_a_page_repeat_its_times(contend, tmp_path):
    trace, written = tmp_path / "my trace.txt", tmp_path / "page.html"
    trace.write_text(TRACE)
    words = ["--latency", "10us", "--bandwidth", "100Mbit/s", "--speed", "1e9"]
    ended = contend("replay", trace, *words, "-o", written, "--json")
    assert ended.json["page"] == str(written)
    told = {one["command"]: one["seconds"] for one in ended.json["what_ifs"]}
    text = written.read_text()
    listed = text[text.index("<ol>") : text.index("</ol>")]
    items = re.findall(r"<li><strong>.*?</strong>([\d.]+) (m?s), .*?<code>(.*?)</code>", listed)
    assert items
    for value, unit, markup in items:
        command = shlex.split(unescape(re.sub("<[^>]+>", "", markup)))
        assert told[shlex.join(command)] == pytest.approx(
            float(value) * (1e-3 if unit == "ms" else 1), rel=5e-3
        )
        again = contend(*command[1:], "--json").json["seconds"]
        assert again == pytest.approx(float(value) * (1e-3 if unit == "ms" else 1), rel=5e-3)


def test_a_page_has_to_be_html(contend, tmp_path):
    trace = tmp_path / "trace.txt"
    trace.write_text(TRACE)
    ended = contend("replay", trace, "--latency", "1us", "--bandwidth", "1Gbit/s",
                    "--speed", "1e9", "-o", tmp_path / "page.png")  # fmt: skip
    assert ended.code != 0
    assert "use .html" in ended.err


@pytest.fixture
def recorded(tmp_path):
    """A folder with a message of two ranks."""
    sender, receiver = RankWriter(0, 2).world(), RankWriter(1, 2).world()
    sender.add("Send", 3000, 4000, peer=1, tag=7, bytes=100)
    receiver.add("Irecv", 1500, 1600, peer=0, flags=RECEIVES, bytes=400, request=1)
    receiver.add("Wait", 2000, 4500, (1, 0, 7, 100))
    folder = tmp_path / "recorded"
    folder.mkdir()
    for one in (sender, receiver):
        one.write(folder)
    return folder


@pytest.mark.parametrize("ending", ["html", "svg", "png", "pdf"])
def test_a_recorded_trace_is_shown_as_every_kind_of_picture(contend, recorded, tmp_path, ending):
    path = tmp_path / f"timeline.{ending}"
    found = contend("trace", "show", recorded, "-o", path, "--json").json
    assert found["seconds"] == pytest.approx(3e-6)
    # of twice 3 us the receiver waits 1 us for the sender, from 0.5 to 1.5
    assert found["shares"]["waiting for a rank that is late"] == pytest.approx(1 / 6)
    assert path.stat().st_size > 1000


def test_what_knows_no_times_names_the_command_that_shows_it(contend, tmp_path):
    trace = tmp_path / "trace.txt"
    trace.write_text(TRACE)
    ended = contend("trace", "show", trace, "--speed", "1e9", "-o", tmp_path / "t.html")
    assert ended.code != 0
    assert f"contend trace show {trace} -o {tmp_path}/t.html --network network.json" in ended.err
    words = ("--latency", "10us", "--bandwidth", "100Mbit/s", "--speed", "1e9")
    shown = contend("trace", "show", trace, *words, "-o", tmp_path / "t.html", "--json").json
    replayed = contend("replay", trace, *words, "--json").json
    assert shown["seconds"] == pytest.approx(replayed["seconds"])


def test_an_empty_folder_is_told_from_a_trace(contend, tmp_path):
    folder = tmp_path / "nothing"
    folder.mkdir()
    ended = contend("trace", "show", folder)
    assert ended.code != 0
    assert "is empty" in ended.err
    assert "contend record -o" in ended.err
