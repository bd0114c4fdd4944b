"""Replays by TCP, where times have a closed form or a bound."""

from dataclasses import replace

import numpy as np
import pytest
from programs import program

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, Plogp, replay
from contend.programs.replay.carriage import Carriage
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import ANY_SOURCE, OpKind
from contend.schedules.pointtopoint import PLogP
from contend.simulate.topologies.paths import Link, Paths
from contend.simulate.topologies.topology import LINUX_TCP

SEGMENT, WIRE = 1448, 1538  # bytes of a full frame: data, and all that occupies a link
RATE = 1e6  # bytes of data per second
FRAME = SEGMENT / RATE  # seconds


def hosts(queue_time, minimum_timeout=0.2):
    return {"minimum_timeout": minimum_timeout, "queue_time": queue_time}


def messages(sizes):
    """One to rank 0 from each of the others."""
    receives = "; ".join(f"recv {rank} {size}" for rank, size in sizes.items())
    return program(receives, *(f"send 0 {size}" for size in sizes.values()))


def over(trace, delay=0.0, buffer=np.inf, latency=0.0, **tcp):
    """On one switch whose ports out have a buffer, and a delay on the way to it.

    Hosts queue two segments of a connection, unless `tcp` has a `queue_time`.
    """
    names = [str(rank) for rank in range(trace.ranks)]
    links = [
        Link(name + way, RATE, delay if way == "+" else 0.0, buffer=buffer)
        for name in names
        for way in "+-"
    ]
    network = Paths(
        names, links, lambda src, dst: [2 * src, 2 * dst + 1], hosts(**{"queue_time": 0.0} | tcp)
    )
    carriage = Carriage(trace.ranks, np.arange(trace.ranks), RATE, network)
    return replay(trace, Line(latency, RATE), "tcp", carriage=carriage, baseline="tcp")


@pytest.mark.parametrize("size", [0, 1, 100, SEGMENT, SEGMENT + 1, 10 * SEGMENT])
def test_a_message_alone_takes_what_was_measured(size):
    net = Line(0.1, RATE)
    assert replay(messages({1: size}), net, "tcp").seconds == pytest.approx(0.1 + size / RATE)


@pytest.mark.parametrize("size", [101, SEGMENT, 10 * SEGMENT])
def test_request_and_answer_are_messages(size):
    net = Line(0.1, RATE, eager=100, handshake=0.2)
    assert replay(messages({1: size}), net, "tcp").seconds == pytest.approx(0.3 + size / RATE)


def test_an_answer_waits_behind_what_its_sender_has_written():
    size = 100 * SEGMENT
    net = Line(1e-3, RATE, eager=size)
    asking = program(f"recv 1 {size}; recv 1 {size + 1}", f"send 0 {size}; send 0 {size + 1}")
    both = program(
        f"isend 1 {size} 1; recv 1 {size + 1}; wait 1",
        f"isend 0 {size + 1} 1; recv 0 {size}; wait 1",
    )
    once = size / RATE
    assert replay(asking, net, "tcp", baseline="tcp").seconds == pytest.approx(2 * once, rel=0.1)
    # The request goes at once, its answer behind the data of the other way.
    assert replay(both, net, "tcp", baseline="tcp").seconds == pytest.approx(2 * once, rel=0.1)
    eager = Line(1e-3, RATE)
    assert replay(both, eager, "tcp", baseline="tcp").seconds == pytest.approx(once, rel=0.1)


def test_a_library_that_asks_does_so_without_being_told():
    """Measured times hold request and answer, so that a message alone takes what it took."""
    size = np.array([0.0, 1e4, 1e5, 2e5])
    gap = {"value": tuple(size / RATE + 1e-5), "unit": "s"}
    net = Plogp(PLogP.model_validate({
        "latency": {"value": 1e-3, "unit": "s"},
        "latency_growth": {"value": (0.0, 2e-3, 4.02e-3, 4.02e-3), "unit": "s"},
        "size": {"value": tuple(size), "unit": "B"},
        "gap": gap,
        "method": "kielmann",
    }))  # fmt: skip
    for library, takes in {"openmpi-4.1.4": 0.10503 - 1.01e-3, "mpich-5.0.2": 0.0}.items():

        def ends(*words, library=library):
            return replay(program(*words), net, "tcp", baseline="tcp", library=library).rank_end

        sends = "send 0 0; compute 1; send 0 100000"  # ranks are connected at the first one
        start = ends("recv 1 0", "send 0 0; compute 1")[1]
        assert ends("recv 1 0; recv 1 100000", sends)[0] - start == pytest.approx(0.10503)
        late = ends("recv 1 0; compute 2; recv 1 100000", sends)[0]
        assert late == pytest.approx(ends("recv 1 0; compute 2", "send 0 0")[0] + takes)


@pytest.mark.parametrize("senders", [1, 3, 8])
def test_frames_occupy_the_port_of_their_receiver_one_after_the_other(senders):
    trace = messages({rank: 10 * SEGMENT for rank in range(1, senders + 1)})
    assert over(trace).seconds == pytest.approx((10 * senders + 1) * FRAME)


@pytest.mark.parametrize(("queue_time", "first"), [(0.0, 19), (0.01, 11), (1.0, 11)])
def test_a_host_queues_what_a_connection_paces(queue_time, first):
    """Of two messages at once the first fills the queue as far as it may; else they take turns."""
    size = 10 * SEGMENT
    trace = program(f"isend 1 {size}; isend 2 {size}", f"recv 0 {size}", f"recv 0 {size}")
    ends = over(trace, queue_time=queue_time).rank_end / FRAME
    assert ends[1:] == pytest.approx([first, 21], abs=0.01)


@pytest.mark.parametrize(("segments", "trips"), [(10, 0), (30, 1), (70, 2), (150, 3)])
def test_the_window_doubles_with_each_round_trip(segments, trips):
    delay = 1000 * FRAME
    found = over(messages({1: segments * SEGMENT}), delay).seconds
    least = (1 + 2 * trips) * delay
    assert least < found < least + (2 * segments + 2) * FRAME


def test_what_does_not_fit_is_sent_again():
    """Three frames fit before the port: of eight that come at once some are dropped."""
    trace = messages({rank: 20 * SEGMENT for rank in range(1, 9)})
    whole, dropped = over(trace), over(trace, buffer=3 * (SEGMENT + 66.0))
    assert dropped.seconds > 1.02 * whole.seconds
    assert dropped.messages == whole.messages == 8
    assert dropped.unreceived == 0


def test_more_buffer_never_leaves_a_message_undone():
    rng = np.random.default_rng(5)
    for _ in range(20):
        sizes = {rank: int(rng.integers(1, 60_000)) for rank in range(1, 7)}
        buffer = float(rng.uniform(2000, 40_000))
        found = over(messages(sizes), float(rng.uniform(0, 0.02)), buffer)
        wire = sum(np.ceil(size / SEGMENT) * (WIRE - SEGMENT) + size for size in sizes.values())
        assert found.seconds >= wire / RATE * SEGMENT / WIRE * (1 - 1e-9)
        assert found.unreceived == 0


def random_traffic(seed, queue_time):
    """Messages of up to 120 kB between random ranks over two switches, most of whose links drop."""
    rng = np.random.default_rng(seed)
    ranks = int(rng.integers(3, 8))
    builder = TraceBuilder(ranks=ranks)
    for _ in range(int(rng.integers(3, 9))):
        for rank in range(ranks):
            builder.rank(rank).compute(float(rng.exponential(0.02)))
        count = int(rng.integers(1, 3 * ranks))
        pairs = [rng.choice(ranks, 2, replace=False).tolist() for _ in range(count)]
        sizes = [int(rng.integers(1, 120_000)) for _ in pairs]
        for (src, dst), size in zip(pairs, sizes, strict=True):
            builder.rank(src).add(OpKind.SEND, "send", peer=dst, bytes=size)
        for (src, dst), size in zip(pairs, sizes, strict=True):
            builder.rank(dst).add(OpKind.RECEIVE, "recv", peer=src, bytes=size)
    buffer = float(rng.choice([np.inf, 6_000, 20_000, 60_000]))
    delay = float(rng.choice([0.0, 0.003, 0.02]))
    rates = rng.uniform(0.7, 1.3, 2 * ranks) * RATE
    names = [str(rank) for rank in range(ranks)]
    links = [
        Link(name + way, float(rates[2 * rank + place]), 0.0, buffer=buffer)
        for rank, name in enumerate(names)
        for place, way in enumerate("+-")
    ]
    links.append(Link("trunk", 1.5 * RATE, delay, buffer=buffer))

    def route(src, dst):
        passes = (src < ranks // 2) != (dst < ranks // 2)
        return [2 * src, *([2 * ranks] if passes else []), 2 * dst + 1]

    carriage = Carriage(
        ranks,
        np.arange(ranks),
        RATE,
        Paths(names, links, route, LINUX_TCP | {"queue_time": queue_time}),
    )
    return replay(builder.trace(), Line(1e-4, RATE), "tcp", carriage=carriage, baseline="tcp")


QUEUE = LINUX_TCP["queue_time"]
# Seconds of the run, and of all ranks, where no connection is plain (`Connection::is_plain`), so
# that every segment, acknowledgement and start of a timer is looked at when it comes.
FRAME_BY_FRAME = {
    (0, QUEUE): (2.9682886728405875, 18.687347138821853),
    (1, QUEUE): (1.2232361680110093, 5.411739074139704),
    (2, QUEUE): (1.0974858786357609, 6.38381963004359),
    (3, QUEUE): (0.7659616308592944, 3.6504721101605995),
    (4, QUEUE): (1.8876585490042357, 9.20730110880364),
    (5, QUEUE): (2.7681747046623824, 14.84427104693603),
    (6, QUEUE): (1.7768326111228567, 8.762639521404681),
    (7, QUEUE): (2.8610938536437893, 18.26204653828779),
    (8, QUEUE): (0.8054990374662646, 4.360238726896571),
    (9, QUEUE): (2.7520168924507677, 12.366875402558877),
    (10, QUEUE): (2.883118037585067, 15.971148301365414),
    (11, QUEUE): (0.7111092369323045, 1.8636514423168014),
    (12, QUEUE): (1.5772180421199826, 8.610817449194705),
    (13, QUEUE): (2.1765617872684033, 14.097455558060712),
    (14, QUEUE): (1.8610085419983398, 5.432030621012071),
    (15, QUEUE): (2.4054588545523843, 15.374970981277652),
    # where several things happen at one instant
    (242, 0.0): (1.362510792961721, 7.02088166832878),
    (347, 0.0): (2.95675692894364, 16.048810589531865),
    (363, 0.0): (2.0341953730718547, 5.897972313650089),
    (487, 0.0): (2.2717743931333163, 8.315687260408309),
    (1392, 0.0): (1.9623201095734488, 6.282943981909829),
}


@pytest.mark.parametrize(("case", "seconds"), FRAME_BY_FRAME.items())
def test_what_nobody_has_to_look_at_changes_no_time(case, seconds):
    found = random_traffic(*case)
    assert (found.seconds, found.rank_end.sum()) == pytest.approx(seconds, rel=1e-9)


@pytest.mark.parametrize("shortest", [0.2, 2.0])
def test_a_lone_last_segment_is_sent_again_by_the_time_out(shortest):
    """Its receiver may put the answer off, so that no probe is sent before."""
    size = 9 * SEGMENT
    trace = program(f"recv 1 {size}; recv 2 {size}; recv 3 {size}", *[f"send 0 {size}"] * 3)
    lost = [
        over(trace, 0.001, one * (SEGMENT + 66.0), minimum_timeout=shortest).seconds
        for one in range(3, 30)
    ]
    assert shortest < max(lost) - min(lost) < shortest + 0.15


def test_answers_go_along_with_data_or_take_a_frame_of_their_own():
    """Of 90 B on the wire, one for two segments, where data go on to somebody else."""
    size = 200 * SEGMENT
    once = over(program(f"send 1 {size}", f"recv 0 {size}")).seconds
    swapped = [f"isend {peer} {size} 1; recv {peer} {size}; wait 1" for peer in (1, 0)]
    assert over(program(*swapped)).seconds == pytest.approx(once)
    on = over(
        program(f"send 1 {size}", f"isend 2 {size} 1; recv 0 {size}; wait 1", f"recv 1 {size}")
    )
    assert on.seconds == pytest.approx(once + 100 * 90 / WIRE * FRAME, abs=2 * FRAME)


def test_links_are_not_looked_at():
    with pytest.raises(InvalidInputError, match="by TCP"):
        replay(messages({1: 100}), Line(0.1, RATE), "tcp", has_traffic=True)


def served(slow, is_asked):
    """Rank 0 answers each of two ranks; rank 1, which was first when this was recorded, is slow."""
    answers = "recv 1 100; compute 10; recv 2 100; compute 10"
    trace = program(answers, f"compute {slow}; send 0 100", "compute 1; send 0 100")
    flags = np.where(trace.kind == OpKind.RECEIVE, ANY_SOURCE, 0).astype(np.int8)
    return replace(trace, asked=flags) if is_asked else trace


@pytest.mark.parametrize(("is_asked", "seconds"), [(False, 25.0), (True, 21.0)])
def test_a_receive_from_any_source_takes_what_comes_first(is_asked, seconds):
    net = Line(0.0, 1e12)
    assert replay(served(5, is_asked), net, "alone").seconds == pytest.approx(seconds)


def test_where_the_program_depends_on_whom_it_met_it_meets_the_same():
    """Rank 2 sends when rank 0 has heard of rank 1, and then again to any: else nobody goes on."""
    trace = program("recv 1 8; recv 2 8", "compute 5; send 0 8", "send 0 8")
    asked = np.zeros(len(trace), dtype=np.int8)
    asked[np.flatnonzero(trace.kind == OpKind.RECEIVE)[0]] = ANY_SOURCE
    found = replay(replace(trace, asked=asked), Line(0.0, 1e12), "alone")
    assert found.seconds == pytest.approx(5.0)


def first(text, *others, connected=(), latency=0.1):
    """A program of Open MPI, whose links take 1 s either way, by TCP."""
    trace = program(text, *others)
    trace = replace(trace, connected=np.array(connected, dtype=np.int64))
    return over(replace(trace, library="Open MPI v4.1.4"), 1.0, latency=latency)


# Of an empty message: a latency and a delay either way, but for its frames.
ROUND_TRIP = 2 * (0.1 + 1.0)
FRAMES = 1e-3


def test_the_first_message_between_two_ranks_waits_for_two_round_trips():
    found = first("send 1 1; send 1 1", "recv 0 1; recv 0 1")
    later = first("send 1 1; send 1 1", "recv 0 1; recv 0 1", connected=[1])
    assert found.seconds - later.seconds == pytest.approx(2 * ROUND_TRIP, rel=FRAMES)


def test_the_answer_to_a_first_message_is_no_first_one():
    program = "send 1 1; recv 1 1", "recv 0 1; send 0 1"
    alone = first(*program, connected=[1])
    assert first(*program).seconds - alone.seconds == pytest.approx(2 * ROUND_TRIP, rel=FRAMES)


def test_both_first_messages_that_meet_connect_once():
    program = "send 1 1; recv 1 1", "compute 1; send 0 1; recv 0 1"
    alone = first(*program, connected=[1])
    assert first(*program).seconds - alone.seconds == pytest.approx(2 * ROUND_TRIP - 1, rel=FRAMES)


def test_a_send_that_blocks_waits_for_its_connection_and_another_one_does_not():
    blocking = first("send 1 1; send 2 1", "recv 0 1", "recv 0 1")
    beside = first("isend 1 1 request=0; isend 2 1 request=1; wait 0 1", "recv 0 1", "recv 0 1")
    assert blocking.seconds - beside.seconds == pytest.approx(2 * ROUND_TRIP, rel=FRAMES)


def test_libraries_of_which_nothing_is_known_connect_in_no_time():
    trace = program("send 1 1", "recv 0 1")
    mpich = over(replace(trace, library="MPICH Version: 4.0.2"), 1.0, latency=0.1)
    assert mpich.seconds == pytest.approx(over(trace, 1.0, latency=0.1).seconds)
    assert mpich.seconds < 2.0


def test_what_first_messages_take_is_told():
    trace = replace(program("send 1 1", "recv 0 1"), library="Open MPI v4.1.4")
    assert replay(trace, Line(0.1, 1e9), "tcp").first == pytest.approx(0.4, rel=FRAMES)
    assert replay(trace, Line(0.1, 1e9), "maxmin").first == 0.0


def test_a_rank_is_done_with_what_its_socket_has_taken():
    """It goes on when it has received, though its own data are under way over a slow link."""
    size = 40 * SEGMENT
    trace = TraceBuilder(2)
    for rank in range(2):
        trace.rank(rank).add(OpKind.ALLTOALL, "alltoall", bytes=size)
    links = [Link(name, RATE / 10 if name == "0+" else RATE) for name in ("0+", "0-", "1+", "1-")]
    network = Paths(["0", "1"], links, lambda src, dst: [2 * src, 2 * dst + 1], hosts(0.0))
    carriage = Carriage(2, np.arange(2), RATE, network)
    for limit in (np.inf, 1000):
        net = Line(1e-3, RATE, 1e-6, eager=limit)
        first, last = replay(
            trace.trace(), net, "tcp", carriage=carriage, baseline="tcp",
            algorithms={"alltoall": "pairwise"},
        ).rank_end  # fmt: skip
        assert last == pytest.approx(10 * size / RATE, rel=0.2)
        # By rendezvous data stay with the program.
        assert (first < 2 * size / RATE) == (limit > size)
        assert first > (1 if limit > size else 9) * size / RATE
