"""Binary GOAL: the same trace as its text, and one error for what is broken."""

import gzip
import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError, FileFormatError
from contend.programs.replay import LogGOPS, replay
from contend.programs.traces.reader import read_trace
from contend.programs.traces.trace import Trace
from contend.schedules.goal import Goal, parse_goal
from contend.schedules.schedule import Kind

NET = LogGOPS(2.5e-6, 1.5e-6, 1e-6, 6e-9)
KINDS = {Kind.SEND: 1, Kind.RECEIVE: 2, Kind.COPY: 3}
TEXT = """num_ranks 4
rank 0 {
l1: calc 500
l2: send 8b to 1 tag 3
l3: send 100000b to 2 tag 4294967294
l4: calc 70 cpu 2
l2 requires l1
l3 requires l2
l3 requires l1
l4 irequires l2
l4 requires l1
}
rank 1 {
recv 8b from -1 tag -1
l2: send 9000b to 2 tag 1
}
rank 2 {
l1: recv 9000b from 1 tag 1
l2: recv 100000b from 0 tag 4294967294
l2 requires l1
}
rank 3 {
}
"""


def block(goal: Goal, rank: int) -> bytes:
    """The operations of a rank, by the layout that LogGOPSim's Parser.hpp describes."""
    own = [one for one in goal.operations if one.rank == rank]
    place = {label: at for (of, label), index in goal.labels.items() if of == rank
             for at in [own.index(goal.operations[index])]}  # fmt: skip
    waiting: dict[str, list[list[int]]] = {
        name: [[at for at, one in enumerate(own) for _, label in getattr(one, name)
                if place[label] == other] for other in range(len(own))]
        for name in ("requires", "begun")
    }  # fmt: skip
    needs = [len(one.requires) + len(one.begun) for one in own]
    free = [at for at, count in enumerate(needs) if not count]
    found = struct.pack(f"<II{len(free)}I", len(own), len(free), *free)
    rest: list[int] = []
    for at, one in enumerate(own):
        is_calc = one.kind == Kind.COPY
        found += struct.pack(
            "<IBIQIBB", needs[at], KINDS[one.kind], 0 if is_calc else one.peer % 2**32, one.bytes,
            one.tag % 2**32, one.cpu, 0,
        )  # fmt: skip
        for name in ("requires", "begun"):
            found += struct.pack("<II", len(waiting[name][at]), len(rest))
            rest += waiting[name][at]
    return found + struct.pack(f"<{len(rest)}I", *rest)


def binary(text: str) -> bytes:
    goal = parse_goal(text)
    blocks = [block(goal, rank) for rank in range(goal.ranks)]
    place, places = 6 + 16 * goal.ranks, b""
    for one in blocks:
        places += struct.pack("<QQ", place, place + len(one))
        place += len(one)
    cpu = max(one.cpu for one in goal.operations)
    return struct.pack("<QIBB", 4223, goal.ranks, cpu, 0) + places + b"".join(blocks)


def rows(trace: Trace, name: str) -> list[list[int]]:
    offsets = getattr(trace, f"{name}_offsets").tolist()
    each = getattr(trace, name).tolist()
    return [sorted(each[i:j]) for i, j in pairwise(offsets)]


@pytest.fixture
def both(tmp_path):
    (tmp_path / "s.goal").write_text(TEXT)
    (tmp_path / "s.bin").write_bytes(binary(TEXT))
    return tmp_path / "s.goal", tmp_path / "s.bin"


def test_binary_and_text_are_one_trace_and_one_replay(both):
    text, other = map(read_trace, both)
    for name in ("first", "kind", "call", "peer", "tag", "asked", "bytes", "seconds", "cpu"):
        assert np.array_equal(getattr(text, name), getattr(other, name)), name
    for name in ("requires", "begun"):
        assert rows(text, name) == rows(other, name)
    assert rows(other, "requires")[2] == [0, 1]
    assert rows(other, "begun")[3] == [1]
    for model in ("ports", "maxmin"):
        times = [replay(one, NET, model, is_recorded=True) for one in (text, other)]
        assert times[0].seconds == times[1].seconds > 0
        assert times[0].end.tolist() == times[1].end.tolist()


def test_a_packed_file_is_read_whatever_its_name(both):
    packed = both[1].with_name("schedule")
    packed.write_bytes(gzip.compress(both[1].read_bytes()))
    assert read_trace(packed).bytes.tolist() == read_trace(both[0]).bytes.tolist()


def test_a_rank_that_does_nothing_ends_at_once(both):
    found = replay(read_trace(both[1]), NET, "ports")
    assert found.rank_end[3] == 0 < found.rank_end[2]


def test_every_truncation_is_one_error(both):
    data = both[1].read_bytes()
    for size in range(8, len(data)):
        both[1].write_bytes(data[:size])
        with pytest.raises(FileFormatError, match=r"s\.bin: binary GOAL: .*txt2bin"):
            read_trace(both[1])


HEAD = 8 + 6 + 16 * 4
FIRST_ROW = HEAD + 8 + 4


@pytest.mark.parametrize(
    ("at", "value", "words"),
    [
        (HEAD, 2**32 - 1, "rank 0 has 4294967295 operations"),
        (HEAD + 4, 9, "rank 0 has 4 operations"),
        (HEAD + 8, 1, "lists 1 operations as free"),
        (14, 0, "block of rank 0 lies at 0 to"),
        (FIRST_ROW, 7, "require and who names them differ"),
        (FIRST_ROW + 23, 9, "that name"),
        (FIRST_ROW + 27, 99, "names more than its 5 others"),
        (FIRST_ROW + 39 + 5, 4, "operation 1 of rank 0 is with a rank beyond the 4"),
        (FIRST_ROW + 39 + 5, 2**32 - 1, "a send to any rank"),
        (FIRST_ROW + 39 + 17, 2**32 - 1, "of any tag"),
        (FIRST_ROW + 13, 2**32 - 1, "operation 0 of rank 0 is of more than"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_named(both, at, value, words):
    data = bytearray(both[1].read_bytes())
    data[at : at + 4] = struct.pack("<I", value)
    both[1].write_bytes(data)
    with pytest.raises(FileFormatError, match=words):
        read_trace(both[1])


@pytest.mark.parametrize(("at", "words"), [(4, "kind"), (22, "nic")])
def test_what_is_not_modelled_is_refused(both, at, words):
    data = bytearray(both[1].read_bytes())
    data[FIRST_ROW + at] = 9
    both[1].write_bytes(data)
    with pytest.raises(FileFormatError, match=f"operation 0 of rank 0 is of another {words}"):
        read_trace(both[1])


def test_more_after_the_last_rank_is_an_error(both):
    both[1].write_bytes(both[1].read_bytes() + b"\0")
    with pytest.raises(FileFormatError, match="1 B come after the last rank"):
        read_trace(both[1])


@settings(max_examples=200, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(8, 9999), st.integers(0, 255)), max_size=4))
def test_a_damaged_file_is_read_or_refused(tmp_path_factory, changes):
    data = bytearray(binary(TEXT))
    for at, value in changes:
        data[8 + at % (len(data) - 8)] = value
    path = tmp_path_factory.mktemp("damaged") / "s.bin"
    path.write_bytes(data)
    try:
        replay(read_trace(path), NET, "ports")
    except FileFormatError as error:
        assert str(path) in str(error)
    except ContendError:
        pass  # a deadlock
