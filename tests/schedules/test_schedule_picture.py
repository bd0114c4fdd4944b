"""Pictures of schedules say who sends what when."""

import numpy as np
import pytest
from catalogue import every_algorithm, size
from matplotlib.colors import to_hex
from matplotlib.quiver import Quiver

from contend.base.errors import InvalidInputError
from contend.report.canvas.files import SUFFIXES, write_picture
from contend.report.canvas.palette import SERIES
from contend.report.figures.schedule import schedule_drawing
from contend.schedules import algorithms
from contend.schedules.timing.evaluate import seconds
from contend.schedules.timing.timeline import fast_ethernet, timeline
from support.pictures import drawn, only


def of(collective, name, n=8, m=65536):
    return timeline(algorithms(collective).get(name).build(n, m), fast_ethernet())


def picture(messages):
    return drawn(only(schedule_drawing(messages, "a title", "a note")))


def bars(axes):
    """Light ones of receivers, and dark ones of senders."""
    light, dark = axes.containers
    return light, dark


def arrows(axes):
    (found,) = [one for one in axes.collections if isinstance(one, Quiver)]
    return found


@every_algorithm
def test_every_algorithm_is_drawn_with_a_bar_at_both_ends_of_each_message(algorithm):
    schedule = algorithm.build(8, size(algorithm, 8))
    messages = timeline(schedule, fast_ethernet())
    axes, tips = picture(messages)
    light, dark = bars(axes)
    assert len(light) == len(dark) == len(arrows(axes).U) == messages.src.size
    assert messages.src.size == schedule.is_send.sum()
    for who, begin, end, drawn_bars, own in (
        (messages.src, messages.send, messages.sent, dark, tips[::2]),
        (messages.dst, messages.receive, messages.received, light, tips[1::2]),
    ):
        for number, (bar, tip) in enumerate(zip(drawn_bars, own, strict=True)):
            assert int(bar.get_y()) == int(bar.get_y() + bar.get_height()) == who[number]
            assert bar.get_x() == pytest.approx(begin[number])
            assert bar.get_x() + bar.get_width() == pytest.approx(end[number])
            assert tip[1:] == pytest.approx([*bar.get_bbox().min, *bar.get_bbox().max])
            assert tip.text.startswith(f"{messages.src[number]} to {messages.dst[number]}: ")
    assert messages.seconds == pytest.approx(seconds(schedule, fast_ethernet()))


@every_algorithm
def test_ports_hold_one_message_at_a_time_and_none_comes_before_its_latency(algorithm):
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


def test_arrows_go_from_the_first_byte_sent_to_the_last_byte_received():
    messages = of("alltoall", "bruck", n=16)
    shown = arrows(picture(messages)[0])
    order = np.lexsort((shown.Y, shown.X))
    starts = np.column_stack([messages.send, messages.src])[
        np.lexsort((messages.src, messages.send))
    ]
    assert np.column_stack([shown.X, np.floor(shown.Y)])[order] == pytest.approx(starts)
    ends = np.column_stack([shown.X + shown.U, np.floor(shown.Y + shown.V)])
    expected = np.column_stack([messages.received, messages.dst])
    assert sorted(map(tuple, ends.round(9))) == sorted(map(tuple, expected.round(9)))


def test_the_axis_is_time_in_full_with_a_name_for_each_rank():
    messages = of("bcast", "flat", n=3)
    axes, _ = picture(messages)
    assert axes.get_xlim() == (0, messages.seconds)
    assert axes.get_ylim() == (3, 0)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["rank 0", "rank 1", "rank 2"]
    assert axes.xaxis.get_major_formatter()(0.015) == "15 ms"


def test_segments_have_colours_and_a_crowd_is_pale_but_for_rank_0():
    chain = of("bcast", "segmented_chain")
    assert "colours: segments" in schedule_drawing(chain, "", "").remark
    _, dark = bars(picture(chain)[0])
    for bar, segment in zip(dark, chain.segment, strict=True):
        assert to_hex(bar.get_facecolor()) == SERIES[segment % 6]
    bruck = of("alltoall", "bruck", n=16)
    assert "orange: what rank 0 sends" in schedule_drawing(bruck, "", "").remark
    colours = arrows(picture(bruck)[0]).get_facecolor()
    assert len(colours) == 64
    assert {(to_hex(one), round(one[3], 2)) for one in colours[:60]} == {(SERIES[0], 0.32)}
    assert {(to_hex(one), round(one[3], 2)) for one in colours[60:]} == {(SERIES[1], 0.85)}


def test_bars_say_who_receives_where_they_have_room():
    axes, _ = picture(of("bcast", "flat"))
    assert [text.get_text() for text in axes.texts] == [f"to {rank}" for rank in range(1, 8)]
    axes.figure.draw_without_rendering()
    for text, bar in zip(axes.texts, bars(axes)[1], strict=True):
        inside, box = text.get_window_extent(), bar.get_window_extent()
        assert box.x0 <= inside.x0 <= inside.x1 <= box.x1
    assert not picture(of("alltoall", "direct", n=40))[0].texts


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_text_cannot_become_markup(suffix, tmp_path):
    path = tmp_path / f"x{suffix}"
    write_picture(schedule_drawing(of("bcast", "flat"), "<b>", "a <i> & b"), path)
    assert path.stat().st_size > 1000
    if suffix in (".svg", ".html"):
        text = path.read_text("utf-8")
        assert "<b>" not in text
        assert "a &lt;i&gt; &amp; b" in text


def test_too_many_messages_are_refused():
    with pytest.raises(InvalidInputError, match="9900 messages cannot"):
        schedule_drawing(of("alltoall", "direct", n=100), "", "")


def test_many_ranks_have_a_picture_that_pixels_can_hold():
    (panel,) = schedule_drawing(of("bcast", "binomial", n=4001), "", "").panels
    assert panel.height * 200 < 2**16  # dots, where matplotlib ends


def test_a_barrier_and_a_single_rank_have_pictures():
    axes, _ = picture(of("barrier", "dissemination"))
    assert "to 1" in [text.get_text() for text in axes.texts]
    alone = timeline(algorithms("bcast").get("flat").build(1, 8), fast_ethernet())
    axes, tips = picture(alone)
    assert not tips
    assert [text.get_text() for text in axes.get_yticklabels()] == ["rank 0"]
