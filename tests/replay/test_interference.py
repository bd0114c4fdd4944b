"""What jobs lose to each other on one network, against what can be told by hand."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.interference import SIZE, background_of, interference, jobs_of
from contend.programs.replay.replay import replay
from contend.programs.replay.setting import Setting
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace

BANDWIDTH = 1e6
TIMES = Line(latency=0.0, bandwidth=BANDWIDTH)


def sender(size: int, library: str = "", compute: float = 0.0) -> Trace:
    builder = TraceBuilder(2)
    builder.library = library
    builder.rank(0).compute(compute)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=size)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=size)
    return builder.trace()


def lost(traces: list[Trace], host: list[int], background: float = 0.0, **given: object):
    hosts = np.array(host)
    setting = Setting(
        traces[0], TIMES, carriage=Carriage(int(hosts.max()) + 1, hosts, BANDWIDTH), **given
    )
    jobs = jobs_of(["a", "b", "c"][: len(traces)], traces, hosts)
    return interference(setting, jobs, background)


def test_two_jobs_from_one_host_take_turns_until_the_shorter_is_done() -> None:
    found = lost([sender(100_000), sender(300_000)], [0, 1, 0, 2])
    assert found.jobs["alone"].tolist() == pytest.approx([0.1, 0.3])
    assert found.jobs["together"].tolist() == pytest.approx([0.2, 0.4])
    assert found.jobs["share"].tolist() == pytest.approx([1.0, 1 / 3])
    assert found.to.loc["a", "b"] == pytest.approx(0.1)
    assert np.isnan(found.to.loc["a", "a"])


def test_jobs_on_hosts_of_their_own_lose_nothing() -> None:
    found = lost([sender(100_000), sender(300_000)], [0, 1, 2, 3])
    assert found.jobs["lost"].tolist() == pytest.approx([0.0, 0.0])


def test_who_of_three_disturbs_whom() -> None:
    """The third shares a host with the second alone, which ends before the first shares again."""
    found = lost([sender(100_000), sender(100_000), sender(100_000)], [0, 1, 0, 2, 3, 4])
    assert found.to.loc["a", "b"] == pytest.approx(0.1)
    assert found.to.loc["a", "c"] == pytest.approx(0.0, abs=1e-12)
    assert found.to.loc["c"].drop("c").tolist() == pytest.approx([0.0, 0.0], abs=1e-12)


def test_computation_is_balanced_within_a_job() -> None:
    found = lost([sender(0, compute=2.0), sender(0)], [0, 1, 2, 3], is_balanced=True)
    assert found.jobs["alone"].tolist() == pytest.approx([1.0, 0.0])
    assert found.jobs["together"].tolist() == pytest.approx([1.0, 0.0])


def test_a_message_beside_other_traffic_gets_what_that_leaves() -> None:
    """Of one long message: the ports of two hosts are each busy for a fifth of the time."""
    found = lost([sender(20_000_000)], [0, 1], background=0.2)
    (row,) = found.jobs.to_dict("records")
    assert row["alone"] == pytest.approx(20.0)
    assert 20.0 / 0.8 * 0.9 < row["low"] <= row["together"] <= row["high"] < 20.0 / 0.8 * 1.2
    assert found.to.loc["a", "background"] == pytest.approx(row["lost"])


def test_the_background_keeps_ports_busy_for_the_share_that_was_asked_for() -> None:
    carriage = Carriage(8, np.arange(8), BANDWIDTH)
    job = background_of(carriage, 0.3, 100.0, seed=1)
    is_send = job.trace.kind == OpKind.SEND
    every = np.bincount(job.trace.rank[is_send], minlength=8) * SIZE / BANDWIDTH / 100.0
    assert every.mean() == pytest.approx(0.3, rel=0.1)
    to = np.bincount(job.trace.peer[is_send], minlength=8) * SIZE / BANDWIDTH / 100.0
    assert to.mean() == pytest.approx(0.3, rel=0.1)
    assert (job.trace.peer[is_send] != job.trace.rank[is_send]).all()
    assert replay(job.trace, TIMES).unreceived == 0


@pytest.mark.parametrize("share", [-0.1, 1.0, np.nan, 1.5])
def test_a_background_is_a_share(share: float) -> None:
    with pytest.raises(InvalidInputError, match="a background of"):
        lost([sender(8)], [0, 1], background=share)


def test_a_background_of_too_many_messages_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="messages among 2 hosts"):
        background_of(Carriage(2, np.arange(2), 1e12), 0.9, 1e6, seed=0)


def test_jobs_of_two_libraries_need_one_to_be_named() -> None:
    traces = [sender(8, "Open MPI v4.1.4"), sender(8, "MPICH Version: 5.0.2")]
    with pytest.raises(InvalidInputError, match="b ran by MPICH"):
        lost(traces, [0, 1, 2, 3])
    assert len(lost(traces, [0, 1, 2, 3], library="mpich-5.0.2").jobs) == 2


def test_jobs_of_one_name_are_told_apart_and_hosts_counted() -> None:
    traces = [sender(8), sender(8)]
    assert [one.name for one in jobs_of(["a", "a"], traces, np.arange(4))] == ["a (1)", "a (2)"]
    with pytest.raises(InvalidInputError, match="3 hosts for 4 ranks"):
        jobs_of(["a", "b"], traces, np.arange(3))
