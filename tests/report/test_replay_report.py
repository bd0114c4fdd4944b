"""The page of a replay: its numbers are those of replays, and its commands repeat them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from contend.programs.replay import Line
from contend.programs.replay.carriage import Carriage, place_ranks
from contend.programs.replay.setting import Setting, balanced, computation
from contend.programs.replay.whatif import CHANGES, paying, what_ifs
from contend.programs.replay.whatifs.placement import by_traffic
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace
from contend.report.replay import answer, page
from contend.report.sections.replay import Account, by_site, waits
from contend.simulate.topologies import topology_of

NET = Line(latency=1e-5, bandwidth=1e8)
MOST_BYTES = 1_500_000


def program(ranks: int = 4, steps: int = 3) -> Trace:
    """Ranks that compute, one of them longer, exchange with neighbours and all with all."""
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        own = builder.rank(rank)
        for _ in range(steps):
            own.compute(4e-3 if rank == 1 else 1e-3)
            own.add(OpKind.RECEIVE, "MPI_Irecv", peer=(rank - 1) % ranks, bytes=9000, request=0)
            own.add(OpKind.SEND, "MPI_Send", peer=(rank + 1) % ranks, bytes=9000)
            own.add(OpKind.WAIT, "MPI_Wait", list=[0])
            own.add(OpKind.ALLTOALL, "MPI_Alltoall", bytes=50_000)
    return builder.trace()


def setting(**given: object) -> Setting:
    return Setting(**{"trace": program(), "times": NET, "files": ("run",), **given})  # type: ignore[arg-type]


def test_the_answer_comes_first_and_is_that_of_the_replay() -> None:
    account = Account.of(setting())
    found = account.replay
    assert found.alone is not None
    text = answer(account)
    assert text.index("contention costs") < text.index("would take")
    lost = float(re.search(r"costs ([\d.]+) ms", text)[1])  # type: ignore[index]
    assert lost == pytest.approx(1e3 * (found.seconds - found.alone.seconds), rel=1e-2)
    written = page(account)
    assert written.index(text[:30]) < written.index("<nav>")


def test_without_contention_the_page_says_so() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=8)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=8)
    account = Account.of(setting(trace=builder.trace()))
    assert "costs it nothing" in answer(account)
    assert "costs it nothing" in page(account)


def test_every_what_if_is_a_replay_of_its_setting() -> None:
    given = setting()
    found = given.replay()
    measured = what_ifs(given, found)
    assert {one.name for one in CHANGES.all()} >= {"alone", "algorithms", "balance", "links"}
    assert [one.seconds for one in measured] == sorted(one.seconds for one in measured)
    for one in measured:
        again = one.candidate.setting.replay(is_compared=False).seconds
        assert one.seconds == again
        assert one.saved == pytest.approx(found.seconds - again)


def test_what_pays_can_be_had_and_saves_most() -> None:
    given = setting()
    measured = what_ifs(given, given.replay())
    best = paying(measured)
    assert len(best) == 3
    assert not any(one.candidate.is_bound for one in best)
    others = [one for one in measured if one not in best and not one.candidate.is_bound]
    assert min(one.saved for one in best) >= max(one.saved for one in others)
    bound = next(one for one in measured if one.candidate.is_bound)
    assert bound.seconds == pytest.approx(given.replay().alone.seconds)  # type: ignore[union-attr]


def test_the_critical_path_spares_replays_of_what_cannot_pay() -> None:
    builder = TraceBuilder(4)
    for rank in range(4):  # one that computes, so that no collective is on the path for long
        builder.rank(rank).compute(1.0 + rank)
        builder.rank(rank).add(OpKind.ALLREDUCE, "MPI_Allreduce", bytes=8)
        builder.rank(rank).add(OpKind.SEND, "MPI_Send", peer=(rank + 1) % 4, bytes=10**7)
        builder.rank(rank).add(OpKind.RECEIVE, "MPI_Recv", peer=(rank - 1) % 4, bytes=10**7)
    given = setting(trace=builder.trace(), model="alone")
    found = given.replay(has_derivatives=True)
    every = what_ifs(given, given.replay())
    some = what_ifs(given, found)
    assert [one.seconds for one in paying(some)] == [one.seconds for one in paying(every)]
    assert len(some) < len(every) - 2
    for one in some:
        assert one.saved <= one.candidate.most * (1 + 1e-9)
    replayed = {one.candidate.title for one in some}
    offered = [one for change in CHANGES.all() for one in change.candidates(given, found)]
    best = paying(some)
    least = best[-1].saved if len(best) == 3 else 1e-9 * found.seconds
    for one in offered:
        assert one.title in replayed or one.most <= least


def test_a_page_ranks_what_a_tenth_less_saves() -> None:
    account = Account.of(setting())
    path = account.replay.derivatives
    assert path is not None and path.is_steady
    written = page(account)
    ranked = written[written.index("What a tenth less would save") :]
    rows = re.findall(r"<tr>(.*?)</tr>", ranked[: ranked.index("</table>")], re.DOTALL)
    first = [re.findall(r">([\d.]+) (ms|µs|ns)<", row)[0] for row in rows if "<td" in row]
    saved = [float(value) * {"ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] for value, unit in first]
    assert saved[0] == pytest.approx(max(path.seconds.values()) / 10, rel=0.01)
    assert len(saved) > 4
    assert saved == sorted(saved, reverse=True)


def test_balancing_gives_all_ranks_the_mean_and_no_other_time() -> None:
    own = computation(program())
    found = computation(balanced(program()))
    assert found == pytest.approx([own.mean()] * own.size)


def test_twice_the_bandwidth_halves_what_bytes_take_and_nothing_else() -> None:
    builder = TraceBuilder(2)
    builder.rank(0).compute(1.0)
    builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=200_000_000)
    builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=200_000_000)
    given = setting(trace=builder.trace())
    assert given.replay().seconds == pytest.approx(1.0 + 2.0 + 1e-5)
    faster = given.changed({"--faster": "2"}, faster=2.0)
    assert faster.replay().seconds == pytest.approx(1.0 + 1.0 + 1e-5)
    tree = topology_of("fat-tree:2x2x2", NET.bandwidth)
    carriage = Carriage(tree.hosts, np.array([0, 3]), NET.bandwidth, tree)
    over_tree = given.changed({}, carriage=carriage)
    assert over_tree.replay().seconds == pytest.approx(1.0 + 2.0 + 1e-5)
    assert over_tree.changed({}, faster=2.0).replay().seconds == pytest.approx(2.0 + 1e-5)


def test_ranks_that_talk_are_put_on_one_host() -> None:
    builder = TraceBuilder(4)
    for src, dst in ((0, 2), (1, 3)):
        builder.rank(src).add(OpKind.SEND, "send", peer=dst, bytes=1_000_000)
        builder.rank(dst).add(OpKind.RECEIVE, "recv", peer=src, bytes=1_000_000)
    trace = builder.trace()
    assert by_traffic(trace, 2).tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])
    given = setting(
        trace=trace, carriage=Carriage(2, place_ranks(4, 2), NET.bandwidth), words={"--hosts": "2"}
    )
    found = given.replay()
    placed = [one for one in what_ifs(given, found) if "--map" in one.candidate.setting.command]
    assert min(one.seconds for one in placed) == pytest.approx(0.01 + 1e-5)  # no link is shared
    assert found.seconds == pytest.approx(0.02 + 1e-5)
    hosts = [tuple(one.candidate.setting.carriage.host) for one in placed]  # type: ignore[union-attr]
    assert len(set(hosts)) == len(hosts)


def test_links_waits_and_calls_add_up_to_what_was_replayed() -> None:
    account = Account.of(setting())
    found = account.replay
    pairs = waits(account)
    assert pairs["seconds"].sum() == pytest.approx(found.waited.sum())
    assert pairs[pairs["rank"] == 2].iloc[0]["awaited"] == 1  # its neighbour, who computes longest
    assert 1 not in pairs["rank"].head(3).tolist()
    sites = by_site(found)
    assert sites["lost"].sum() == pytest.approx(found.calls["lost"].sum())
    assert sites["seconds"].sum() == pytest.approx(found.calls["seconds"].sum())


def test_every_section_is_there_and_can_be_reached() -> None:
    written = page(Account.of(setting()))
    anchors = re.findall(r'<a href="#([\w-]+)">', written)
    assert anchors == ["what-ifs", "timeline", "links", "waits", "calls"]
    for anchor in anchors:
        assert f'<section id="{anchor}">' in written


def test_names_of_a_trace_cannot_become_markup() -> None:
    trace = program()
    hostile = Trace(**{**vars(trace), "calls": ("<b>x", "<i>y", "</title><u>", "z")})
    written = page(Account.of(setting(trace=hostile, files=("<s>",))))
    assert not re.search("<b>|<i>|<u>|<s>", written)


def test_the_page_of_many_ranks_stays_small() -> None:
    written = page(Account.of(setting(trace=program(ranks=200, steps=2))))
    assert len(written.encode()) < MOST_BYTES
