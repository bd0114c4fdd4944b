"""Pictures of schedules say who sends what when."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from catalogue import every_algorithm, size

from contend.draw.schedule import LEFT, WIDTH, page, picture
from contend.errors import InvalidInputError
from contend.schedules import Algorithm, algorithms
from contend.schedules.timing.evaluate import seconds
from contend.schedules.timing.timeline import Timeline, fast_ethernet, timeline

SVG = "{http://www.w3.org/2000/svg}"


def of(collective: str, name: str, n: int = 8, m: int = 65536) -> Timeline:
    return timeline(algorithms(collective).get(name).build(n, m), fast_ethernet())


@every_algorithm
def test_every_algorithm_is_drawn_with_a_bar_at_both_ends_of_each_message(
    algorithm: Algorithm,
) -> None:
    schedule = algorithm.build(8, size(algorithm, 8))
    messages = timeline(schedule, fast_ethernet())
    drawing = ET.fromstring(picture(messages, "a title", "a note"))
    groups = drawing.findall(f"{SVG}g")
    assert len(groups) == messages.src.size == schedule.is_send.sum()
    for group in groups:
        assert [bar.get("class") for bar in group.findall(f"{SVG}rect")] == ["taken", "bar"]
    assert messages.seconds == pytest.approx(seconds(schedule, fast_ethernet()))


@every_algorithm
def test_ports_hold_one_message_at_a_time_and_none_comes_before_its_latency(
    algorithm: Algorithm,
) -> None:
    messages = timeline(algorithm.build(8, size(algorithm, 8)), fast_ethernet())
    latency = float(fast_ethernet().latency)
    assert (messages.receive >= messages.send + latency - 1e-12).all()
    for rank in range(8):
        for who, begin, end in (
            (messages.src, messages.send, messages.sent),
            (messages.dst, messages.receive, messages.received),
        ):
            own = np.flatnonzero(who == rank)
            own = own[np.argsort(begin[own])]
            assert (begin[own][1:] >= end[own][:-1] - 1e-12).all()


def test_bars_fill_the_width_in_proportion_to_time() -> None:
    messages = of("bcast", "flat", n=3)
    groups = ET.fromstring(picture(messages, "", "")).findall(f"{SVG}g")
    first = groups[0].findall(f"{SVG}rect")[1]
    assert float(first.get("x", "")) == LEFT
    share = float(first.get("width", "")) / WIDTH
    assert share == pytest.approx(messages.sent[0] / messages.seconds, abs=1e-3)


def test_segments_have_colours_and_a_crowd_is_pale_but_for_rank_0() -> None:
    chain = picture(of("bcast", "segmented_chain"), "", "")
    assert "colours: segments" in chain
    assert 'class="c3"' in chain
    bruck = ET.fromstring(picture(of("alltoall", "bruck", n=16), "", ""))
    kinds = [group.get("class") for group in bruck.findall(f"{SVG}g")]
    assert kinds.count("c0 pale") == 60
    assert kinds[-4:] == ["c1"] * 4


def test_text_cannot_become_markup() -> None:
    drawing = picture(of("bcast", "flat"), "<b>", "a & b")
    assert "<b>" not in drawing + page(drawing, "<b>")


def test_too_many_messages_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="9900 messages cannot"):
        picture(of("alltoall", "direct", n=100), "", "")


def test_a_barrier_and_a_single_rank_have_pictures() -> None:
    assert "to 1" in picture(of("barrier", "dissemination"), "", "")
    alone = timeline(algorithms("bcast").get("flat").build(1, 8), fast_ethernet())
    assert "rank 0" in picture(alone, "", "")
