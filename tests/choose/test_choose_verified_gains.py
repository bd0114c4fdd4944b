"""Where a program was slower by a rule, the default stays, and everything else is as it was."""

import pytest

from contend.base.errors import FileFormatError, InvalidInputError
from contend.tune.choose.decide import decide
from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains, VerifiedProgram
from support import libraries

FASTER = {"openmpi:chain": libraries.times(0.5)}


def calls(**changed):
    given = {"operation": "bcast", "n": 8, "processes_per_node": 1, "m": 1024, "m_last": 4096}
    given |= {"algorithm": "chain", "gain": 0.61, "gain_low": 0.54, "gain_high": 0.67, "pairs": 10}
    return VerifiedCalls(**(given | {"is_slower": True} | changed))


def program(**changed):
    given = {"n": 8, "processes_per_node": 1, "gain": 0.96, "gain_low": 0.94, "gain_high": 0.98}
    given |= {"pairs": 10, "is_slower": True, "departures": {"bcast": ("chain",)}}
    return VerifiedProgram(**(given | changed))


def gains(*of, **changed):
    return VerifiedGains(
        **({"library": "openmpi", "library_version": "5.0.11"} | changed),
        calls=[one for one in of if isinstance(one, VerifiedCalls)],
        programs=[one for one in of if isinstance(one, VerifiedProgram)],
    )


@pytest.fixture(scope="module")
def of_bcast():
    return libraries.measured(FASTER)


def taken(network, *verified):
    """Whether something takes the place of the default, by n and m."""
    found = decide(network, verified=verified)
    return {
        (n, m): not found.rule(network.operations[0].operation, n, m).is_default
        for n in (4, 8, 16)
        for m in libraries.SIZES
    }


def test_the_default_stays_at_the_sizes_and_processes_of_slower_calls(of_bcast):
    assert all(taken(of_bcast).values())
    found = taken(of_bcast, gains(calls()))
    assert {place for place, is_taken in found.items() if not is_taken} == {(8, 1024), (8, 4096)}


@pytest.mark.parametrize(("m_last", "sizes"), [(2047, {1024}), (2048, {1024, 4096})])
def test_the_largest_size_of_slower_calls_is_one_of_them(of_bcast, m_last, sizes):
    found = taken(of_bcast, gains(calls(m_last=m_last)))
    assert {m for (_, m), is_taken in found.items() if not is_taken} == sizes


def test_the_reason_is_said(of_bcast):
    rule = decide(of_bcast, verified=[gains(calls())]).rule("bcast", 8, 4096)
    assert rule.why == (
        "a program was slower by chain: 0.61 (0.54 to 0.67) on 8 processes, 1 KiB to 4 KiB"
    )


def test_calls_between_what_was_measured_reach_the_nearest(of_bcast):
    found = taken(of_bcast, gains(calls(n=7, m=3000, m_last=3000)))
    assert {place for place, is_taken in found.items() if not is_taken} == {(8, 4096)}


OTHERS = {"is_slower": False}, {"processes_per_node": 2}, {"n": 1000}


@pytest.mark.parametrize(
    "other",
    [
        *(calls(**changed) for changed in OTHERS),
        *(program(**changed) for changed in OTHERS),
        calls(operation="reduce"), calls(n=3), calls(m=2**20, m_last=2**20),
        program(departures={"reduce": ("chain",)}),
    ],
)  # fmt: skip
def test_what_others_are_slower_by_changes_nothing(of_bcast, other):
    assert all(taken(of_bcast, gains(other)).values())


def test_a_placement_that_is_not_known_is_any(of_bcast):
    assert not all(taken(of_bcast, gains(calls(processes_per_node=None))).values())


def test_where_one_algorithm_serves_all_sizes_the_default_stays_at_all():
    network = libraries.measured(FASTER, "gather")
    assert all(taken(network).values())
    found = taken(network, gains(calls(operation="gather")))
    assert {n for (n, _), is_taken in found.items() if not is_taken} == {8}
    assert sum(not is_taken for is_taken in found.values()) == len(libraries.SIZES)
    rule = decide(network, verified=[gains(calls(operation="gather"))]).rule("gather", 8, 16)
    assert rule.why.startswith("a program was slower by chain")


def test_where_all_calls_together_are_slower_the_default_stays_at_that_n(of_bcast):
    found = taken(of_bcast, gains(program()))
    assert {n for (n, _), is_taken in found.items() if not is_taken} == {8}
    assert sum(not is_taken for is_taken in found.values()) == len(libraries.SIZES)
    rule = decide(of_bcast, verified=[gains(program())]).rule("bcast", 8, 16)
    assert rule.why == (
        "all calls of a program together were slower by rules: 0.96 (0.94 to 0.98) on 8 processes"
    )


def test_what_was_slower_with_other_departures_is_kept(tmp_path):
    path = tmp_path / "verified.json"
    gains(program()).added_to(path).save(path)
    without = program(departures={"reduce": ("chain",)}, gain=1.1, is_slower=False)
    gains(without).added_to(path).save(path)
    gains(program(gain=0.95), calls()).added_to(path).save(path)
    found = VerifiedGains.load(path)
    assert [(list(one.departures), one.gain) for one in found.programs] == [
        (["bcast"], 0.95),
        (["reduce"], 1.1),
    ]


def test_gains_of_several_files_count_together(of_bcast):
    other = gains(calls(n=16))
    assert sum(not one for one in taken(of_bcast, gains(calls()), other).values()) == 4


@pytest.mark.parametrize("changed", [{"library": "mpich"}, {"library_version": "5.0.10"}])
def test_gains_by_another_library_are_refused(of_bcast, changed):
    with pytest.raises(InvalidInputError, match=r"not by openmpi 5\.0\.11"):
        decide(of_bcast, verified=[gains(calls(), **changed)])


def test_a_file_keeps_what_was_verified_before(tmp_path):
    path = tmp_path / "verified.json"
    gains(calls(), calls(n=4, is_slower=False)).added_to(path).save(path)
    again = gains(calls(gain=1.2, is_slower=False), calls(n=16)).added_to(path)
    again.save(path)
    found = VerifiedGains.load(path)
    assert found == again
    assert [(one.n, one.gain) for one in found.calls] == [(8, 1.2), (4, 0.61), (16, 0.61)]
    with pytest.raises(InvalidInputError, match=r"verified\.json has verified gains by openmpi"):
        gains(calls(), library="mpich").added_to(path)


def test_a_file_that_is_something_else_is_named(tmp_path):
    path = tmp_path / "verified.json"
    path.write_text('{"gains": []}\n')
    with pytest.raises(FileFormatError, match=r"not 'contend\.verified' version 1"):
        VerifiedGains.load(path)
    with pytest.raises(ValueError, match="m_last = 1 is below m = 1024"):
        calls(m_last=1)
    for one in (calls, program):
        with pytest.raises(ValueError, match="is_slower needs gain_low and gain_high"):
            one(gain_low=None)
