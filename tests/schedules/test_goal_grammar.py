"""GOAL as LogGOPSim's tools write it: what each word means in a replay."""

import random
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError, FileFormatError
from contend.programs.replay import LogGOPS, replay
from contend.programs.traces.reader import read_trace
from contend.programs.traces.writers.goal import GoalWriter
from contend.schedules.goal import MOST_IDLE, parse_goal
from contend.schedules.matching import OpenSourceWarning

TIMES = LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9)
LATE = LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9, 0.0, 4)  # 8 bytes wait for their receiver


def goal(*blocks, ranks=None):
    """A block of lines for each rank."""
    parts = [f"rank {rank} {{\n{block}\n}}" for rank, block in enumerate(blocks)]
    return "\n".join([f"num_ranks {ranks or len(blocks)}", *parts, ""])


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "s.goal"
        path.write_text(text)
        return path

    return write


@pytest.fixture
def takes(file):
    """Microseconds of a text."""

    def replayed(text, times=TIMES):
        return replay(read_trace(file(text)), times, "ports").seconds * 1e6

    return replayed


RECEIVER = "recv 8b from 0"
PAIR = 5.542  # o + L + 7 G + o


@pytest.mark.parametrize(
    ("word", "cpu", "end"),
    [("requires", 0, 11.5), ("irequires", 0, 11.5), ("requires", 1, 11.5), ("irequires", 1, 10.0)],
)
def test_what_irequires_a_send_begins_with_it(takes, word, cpu, end):
    block = f"l1: send 8b to 1\nl2: calc 10000 cpu {cpu}\nl2 {word} l1"
    assert takes(goal(block, RECEIVER)) == pytest.approx(end)


@pytest.mark.parametrize(("word", "waits"), [("requires", True), ("irequires", False)])
def test_what_irequires_a_send_does_not_wait_for_its_receiver(takes, word, waits):
    sender = f"l1: send 8b to 1\nl2: calc 100000\nl2 {word} l1"
    receiver = f"c: calc 50000\nr: {RECEIVER}\nr requires c"
    found = takes(goal(sender, receiver), LATE)
    assert found > 150 if waits else found == pytest.approx(101.5)


@pytest.mark.parametrize(("word", "end"), [("requires", 1.5 + PAIR), ("irequires", 2.5 + PAIR)])
def test_what_irequires_a_receive_begins_when_that_is_posted(takes, word, end):
    sender = "c: calc 1500\ns: send 8b to 1\ns requires c"
    receiver = f"r: {RECEIVER}\nc: calc 1000\nc {word} r\nd: calc 3000\nd requires c"
    # On a processor of its own the calc ends before the message comes.
    text = goal(sender, receiver.replace("1000", "1000 cpu 1").replace("3000", "3000 cpu 1"))
    wanted = 1.5 + PAIR + 4.0 if word == "requires" else 1.5 + PAIR
    assert takes(text) == pytest.approx(wanted)
    assert end > 0


def test_a_chain_of_begins_is_followed(takes):
    lines = [f"l{i}: calc 1000 cpu {i}" for i in range(9)]
    lines += [f"l{i} irequires l{i - 1}" for i in range(1, 9)]
    assert takes(goal("\n".join(lines))) == pytest.approx(1.0)
    receives = [f"r{i}: recv 8b from 1 tag {i}" for i in range(200)]
    receives += [f"r{i} irequires r{i - 1}" for i in range(1, 200)]
    sends = [f"send 8b to 0 tag {i}" for i in range(200)]
    plain = goal("\n".join(receives[:200]), "\n".join(sends))
    assert takes(goal("\n".join(receives), "\n".join(sends))) == pytest.approx(takes(plain))


def test_operations_that_wait_for_each_others_begin_never_end(takes):
    with pytest.raises(ContendError, match="deadlock"):
        takes(goal("a: calc 1\nb: calc 1\na irequires b\nb irequires a"))


@pytest.mark.parametrize(("cpu", "end"), [(0, 2.0), (1, 1.0), (7, 1.0)])
def test_processors_of_a_rank_compute_side_by_side(takes, cpu, end):
    assert takes(goal(f"l1: calc 1000 cpu 0\nl2: calc 1000 cpu {cpu}")) == pytest.approx(end)


def test_a_processor_waits_for_what_another_one_computes(takes):
    block = "a: calc 1000\nb: calc 1000 cpu 1\nb requires a\nc: calc 500 cpu 1"
    assert takes(goal(block)) == pytest.approx(2.0)


def test_a_label_may_be_left_out_and_statements_share_a_line(takes):
    plain = goal("send 8b to 1", RECEIVER)
    assert takes(plain) == pytest.approx(PAIR)
    for text in (
        plain.replace("send", "l1: send").replace("recv", "l1: recv"),
        plain.replace("\n", " # a note\n"),
        plain.replace("num_ranks 2\n", "// note\nnum_ranks 2 ").replace("{\n", "{ "),
        plain.replace("\n}", " }").replace("\n", "\r\n"),
        plain.replace("8b", "8 b").replace("to 1", "to 1 nic 0 cpu 0 tag 0"),
    ):
        assert takes(text) == pytest.approx(PAIR), text


@pytest.mark.parametrize("receive", ["-1 tag -1", "-1 tag 3", "1 tag -1", "1 tag 3"])
def test_an_open_receive_takes_the_message(takes, file, receive):
    text = goal(f"l1: recv 8b from {receive}", "l1: send 8b to 0 tag 3")
    assert takes(text) == pytest.approx(PAIR)
    trace = read_trace(file(text))
    assert (trace.peer.tolist(), trace.tag.tolist()) == ([1, 0], [3, 3])
    path = file(text)
    GoalWriter().write(trace, path)
    assert f"recv 8b from {receive}" in path.read_text()


def test_what_an_open_receive_could_take_besides_is_said(takes):
    text = goal("recv 8b from -1\nrecv 8b from -1", "send 8b to 0", "send 8b to 0")
    with pytest.warns(OpenSourceWarning, match="in the order of the ranks"):
        takes(text)


def test_a_receive_of_any_source_takes_what_those_of_a_source_leave(file):
    receiver = "recv 8b from -1 tag 3\nrecv 8b from 1 tag -1"
    trace = read_trace(file(goal(receiver, *["send 8b to 0 tag 3"] * 2)))
    assert trace.peer.tolist()[:2] == [2, 1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("l1: calc 5 nic 1", "nic 1 is not modelled"),
        ("l1: calc 5 cpu 256", "a cpu from 0 to 255"),
        ("l1: put 8b to 0", "put is not modelled"),
        ("tput 8b to 0 when 1 reaches 2", "tput is not modelled"),
        ("l1: calcgem5 1 2b", "calcgem5 is not modelled"),
        ("l1: calc 5 tag 1 tag 2", "tag once"),
        ("send 8b to -1", "-1 is for receives alone"),
        ("send 8b to 0 tag -1", "-1 is for receives alone"),
        ("l1: calc 5\nl1 demands l1", "`l2 irequires l1`"),
        ("l1: calc 5\nl1 irequires l2", "a label of the same rank"),
        ("recv 8KB from 0", "an operation or"),
    ],
)
def test_what_is_not_read_is_named_with_its_line(file, line, said):
    with pytest.raises(FileFormatError, match=r"GOAL line \d+ is") as caught:
        read_trace(file(goal(line)))
    assert said in str(caught.value)


def test_ranks_that_do_nothing_are_few_enough(file):
    for ranks in (MOST_IDLE + 2, 16_000_000, 10**12):
        with pytest.raises(FileFormatError, match=f"num_ranks {ranks}, of which 1 have a block"):
            read_trace(file(goal("calc 1", ranks=ranks)))
    assert parse_goal(goal("calc 1", ranks=MOST_IDLE + 1)).ranks == MOST_IDLE + 1
    with pytest.raises(FileFormatError, match="num_ranks 0; give 1 or more"):
        read_trace(file("num_ranks 0\n"))


def test_lines_are_counted_within_comments_too(file):
    with pytest.raises(FileFormatError, match="GOAL line 5 is 'hop'"):
        read_trace(file("num_ranks 1\n/* of\ntwo lines */\nrank 0 {\nhop\n}\n"))


def test_tags_have_32_bits(file):
    tags = 2**31, 2**32 - 2, 7
    sends = "\n".join(f"send {tag % 5 + 1}b to 1 tag {tag}" for tag in tags)
    receives = "\n".join(f"recv {tag % 5 + 1}b from 0 tag {tag}" for tag in reversed(tags))
    in_order = "\n".join(f"recv {tag % 5 + 1}b from 0 tag -1" for tag in tags)
    for taken in (receives, in_order):
        trace = read_trace(file(goal(sends, taken)))
        replayed = replay(trace, TIMES)
        assert (replayed.messages, replayed.unreceived) == (3, 0)
        assert sorted(set(trace.tag.tolist())) == sorted(set(trace.tag[:3].tolist()))


def test_a_number_too_large_is_named_with_its_line(file):
    for line in (f"calc {10**20}", f"send {2**63}b to 1", f"send 8b to 1 tag {10**30}"):
        with pytest.raises(FileFormatError, match=r"GOAL line 3 is .*numbers of at most"):
            read_trace(file(goal(line, "recv 8b from 0")))


def random_goal(seed):
    """Messages, computation and requirements of both kinds, each after what it waits for."""
    rng = random.Random(seed)
    ranks = rng.randint(2, 4)
    lines: list[list[str]] = [[] for _ in range(ranks)]
    counts = [0] * ranks

    def add(rank, text):
        counts[rank] += 1
        name = f"l{counts[rank]}"
        cpu = rng.choice(["", "", " cpu 1", " cpu 2"])
        lines[rank].append(f"{name}: {text}{cpu}")
        for word in ("requires", "irequires"):
            if counts[rank] > 1 and rng.random() < 0.4:
                lines[rank].append(f"{name} {word} l{rng.randint(1, counts[rank] - 1)}")

    for tag in range(rng.randint(1, 12)):
        src, dst = rng.sample(range(ranks), 2)
        size = rng.randint(1, 2000)
        add(src, f"send {size}b to {dst} tag {tag}")
        add(dst, f"recv {size}b from {rng.choice([src, -1])} tag {tag}")
        add(rng.randrange(ranks), f"calc {rng.randint(0, 5000)}")
    return goal(*("\n".join(own) for own in lines))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_any_schedule_is_written_as_it_was_read_and_takes_as_long(tmp_path_factory, seed):
    path = tmp_path_factory.getbasetemp() / "any.goal"
    path.write_text(random_goal(seed))
    trace = read_trace(path)
    again = path.with_name("again.goal")
    GoalWriter().write(trace, again)
    texts = (one.read_text().replace(" tag 0", "") for one in (path, again))
    assert len({tuple(sorted(text.split())) for text in texts}) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", OpenSourceWarning)  # tags leave no choice
        assert (
            replay(read_trace(again), TIMES, "ports").seconds
            == replay(trace, TIMES, "ports").seconds
        )
