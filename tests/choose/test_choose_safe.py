import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.samples.setting import own_name
from contend.tune.choose.decide import decide
from contend.tune.choose.rivals import contests
from contend.tune.choose.safe import floods, safe_grid
from support import libraries


def decided(laws, seed=1, n=(), m=(), **how):
    return decide(libraries.measured(laws, seed=seed, **how), [], n, m)


def test_what_is_twice_as_fast_everywhere_is_taken_everywhere():
    laws = {"openmpi:chain": libraries.times(0.5), "openmpi:binomial": libraries.times(1.2)}
    found = decided(laws)
    (rule,) = found.rules
    assert (rule.algorithm, rule.n, rule.n_to) == ("chain", 4, 17)
    assert (rule.m, rule.m_to) == (libraries.SIZES[0], libraries.SIZES[-1] + 1)
    assert rule.gain_low < 2.0 < rule.gain_high or rule.gain == pytest.approx(2.0, rel=0.1)
    assert rule.seconds == pytest.approx(rule.default_seconds / 2, rel=0.15)
    assert not rule.extrapolates
    assert (found.library, found.library_version) == ("openmpi", "5.0.11")


def test_of_twenty_algorithms_like_the_default_hardly_one_takes_its_place():
    laws = {f"openmpi:{k}": libraries.times(1.0) for k in range(20)}
    departures = cells = 0
    for seed in range(3):
        (contest,) = contests(libraries.measured(laws, seed=seed, launches=4))
        grid = safe_grid(contest, (4, 8, 16), libraries.SIZES)
        departures += (grid.best >= 0).sum()
        cells += grid.best.size
    assert departures <= 0.05 * cells


def test_a_gain_of_less_than_five_percent_is_left_to_the_library():
    (rule,) = decided({"openmpi:chain": libraries.times(1 / 1.03)}, launches=40).rules
    assert rule.is_default
    assert "nothing is 5 % better: openmpi:chain 1.0" in rule.why


def test_each_range_of_sizes_takes_what_is_faster_there():
    def crossing(n, m):
        return libraries.default(n, m) * (0.5 if m > 1000 else 2.0)

    found = decided({"openmpi:chain": crossing})
    assert [(rule.m, rule.algorithm) for rule in found.rules] == [
        (libraries.SIZES[0], "default"), (512, "chain")
    ]  # fmt: skip


def test_options_are_apart_and_told_again():
    laws = {
        "openmpi:chain,segment=1024": libraries.times(0.5),
        "openmpi:chain,segment=8192": libraries.times(0.8),
    }
    (rule,) = decided(laws).rules
    assert (rule.algorithm, rule.options) == ("chain", {"segment": 1024})


def test_beyond_the_n_measured_rules_say_so_and_doubt_more():
    found = decided({"openmpi:chain": libraries.times(0.5)}, n=(16, 64), m=(1024,))
    inside, beyond = found.rules
    assert (inside.extrapolates, beyond.extrapolates) == (False, True)
    assert 0.8 < beyond.gain_low < 1.0
    assert beyond.gain_high > inside.gain_high
    assert "unless the default is no longer what it was at n = 4, 8, 16" in beyond.why


def test_a_small_gain_seen_at_few_n_is_not_carried_far():
    (rule,) = decided({"openmpi:chain": libraries.times(0.9)}, n=(512,), m=(1024,)).rules
    assert rule.is_default


def test_sizes_at_which_an_algorithm_was_not_measured_are_left_to_the_library():
    found = decided({"openmpi:chain": libraries.times(0.5)}, m=(1, 1024, 2**24))
    assert [rule.algorithm for rule in found.rules] == ["default", "chain", "default"]
    assert "was measured at such sizes" in found.rules[0].why


def test_a_rule_ends_with_the_sizes_that_were_measured_however_coarse_the_grid():
    first, last = libraries.SIZES[0], libraries.SIZES[-1]
    found = decided(
        {"openmpi:chain": libraries.times(0.5)}, m=(first // 64, first, last, 1024 * last)
    )
    (rule,) = (rule for rule in found.rules if not rule.is_default)
    assert (rule.m, rule.m_to) == (first, last + 1)


def test_an_algorithm_that_the_library_does_not_run_on_an_n_is_not_taken_there():
    laws = {"openmpi:recursive_doubling": libraries.times(0.5)}
    found = decide(libraries.measured(laws, "allgather", 3), [], (8, 12, 16), (1024,))
    assert {rule.n: rule.algorithm for rule in found.rules}[10] == "default"
    assert found.rule("allgather", 8, 1024).algorithm == "recursive_doubling"


def test_every_call_that_was_decided_on_has_one_rule():
    def crossing(n, m):
        return libraries.default(n, m) * (0.5 if m * n > 20000 else 1.5)

    found = decided({"openmpi:chain": crossing, "openmpi:binomial": libraries.times(0.8)})
    for n in range(4, 17):
        for m in np.unique(np.geomspace(libraries.SIZES[0], libraries.SIZES[-1], 50).astype(int)):
            assert sum(rule.holds("bcast", n, int(m)) for rule in found.rules) == 1
    assert found.rule("bcast", 17, 64) is None


def test_without_a_measured_default_there_is_nothing_to_decide():
    rng = np.random.default_rng(1)
    network = libraries.network_of(libraries.launched({"openmpi:chain": libraries.default}, rng))
    with pytest.raises(InvalidInputError, match="has no measured default of any operation"):
        decide(network)
    with pytest.raises(InvalidInputError, match="no measured default of reduce"):
        decide(network, ["reduce"])
    with pytest.raises(InvalidInputError, match="did you mean 'bcast'"):
        decide(network, ["bcst"])


def test_algorithms_without_their_library_are_named_with_how_to_import_them():
    rng = np.random.default_rng(1)
    network = libraries.network_of(libraries.launched({"chain": libraries.default}, rng))
    with pytest.raises(InvalidInputError, match=r"where chain are algorithms .* openmpi:chain"):
        decide(network, ["bcast"])


def test_a_barrier_has_one_size():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:tree": libraries.times(0.5)}
    empty = [
        one.model_copy(update={"m": 0})
        for one in libraries.launched(laws, rng, operation="barrier")
        if one.m == libraries.SIZES[0]
    ]
    (rule,) = decide(libraries.network_of(empty, "barrier")).rules
    assert (rule.algorithm, rule.m, rule.m_to) == ("tree", 0, 1)
    assert rule.gain == pytest.approx(2.0, rel=0.1)


def test_each_placement_is_decided_by_what_was_measured_with_it():
    one, other = (
        libraries.measured({"openmpi:chain": libraries.times(factor)}) for factor in (0.5, 2.0)
    )
    on_four = [each.model_copy(update={"processes_per_node": 4}) for each in other.operations]
    both = one.model_copy(update={"operations": (*one.operations, *on_four)})
    found = decide(both)
    assert found.rule("bcast", 8, 1024, 1).algorithm == "chain"
    assert found.rule("bcast", 8, 1024, 4).is_default


def test_what_is_slower_at_the_nearest_n_is_not_taken_beyond_for_gains_at_other_sizes():
    """Around 1 KiB it loses at every n; what it gains at larger sizes grows with n."""

    def law(n, m):
        return libraries.default(n, m) * (1.5 if m < 2000 else 4 / n)

    found = decided({"openmpi:chain": law}, n=(64,), m=(256, 1024, 16384))
    assert found.rule("bcast", 64, 256).is_default
    assert found.rule("bcast", 64, 1024).is_default
    assert found.rule("bcast", 64, 16384).algorithm == "chain"


def test_what_was_measured_around_a_size_at_one_of_several_n_alone_is_not_taken_beyond():
    rng = np.random.default_rng(1)
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    every = libraries.launched(laws, rng)
    few = [one for one in every if one.algorithm == "native" or one.n == 16]
    for samples, taken in ((every, "chain"), (few, "default")):
        found = decide(libraries.network_of(samples), [], (16, 64), (1024,))
        assert found.rule("bcast", 16, 1024).algorithm == "chain"
        assert found.rule("bcast", 64, 1024).algorithm == taken


def test_what_sends_to_all_at_once_is_not_taken_beyond_the_n_measured():
    for name, taken in (("openmpi:linear", "default"), ("openmpi:pairwise", "pairwise")):
        network = libraries.measured({name: libraries.times(0.5)}, "alltoall")
        found = decide(network, [], (16, 64), (1024,))
        assert found.rule("alltoall", 16, 1024).algorithm == own_name(name)
        assert found.rule("alltoall", 64, 1024).algorithm == taken


@pytest.mark.parametrize(("gain", "taken"), [(2.0, "default"), (12.0, "chain")])
def test_a_default_that_may_be_one_of_several_is_kept_beyond_unless_much_is_lost(gain, taken):
    """Two algorithms that fall back to the same code as the default on few ranks."""
    twin = libraries.times(1.001)
    laws = {"openmpi:chain": libraries.times(1 / gain), "openmpi:a": twin, "openmpi:b": twin}
    found = decided(laws, n=(16, 64), m=(1024,), launches=40)
    assert found.rule("bcast", 16, 1024).algorithm == "chain"
    assert found.rule("bcast", 64, 1024).algorithm == taken
    alone = decided({k: laws[k] for k in ("openmpi:chain", "openmpi:a")}, n=(64,), m=(1024,))
    assert alone.rule("bcast", 64, 1024).algorithm == "chain"


@pytest.mark.parametrize(("fast", "slow"), [(6, 1), (1, 4)])
def test_what_is_slower_at_a_size_that_was_measured_is_not_taken_there(fast, slow):
    """A default that is faster at one point than anywhere around, or a rival that is slower."""
    odd = 16, libraries.SIZES[-3]

    def native(n, m):
        return libraries.default(n, m) / (fast if (n, m) == odd else 1)

    def chain(n, m):
        return 0.5 * libraries.default(n, m) * (slow if (n, m) == odd else 1)

    found = decided({"native": native, "openmpi:chain": chain})
    assert found.rule("bcast", *odd).is_default
    assert found.rule("bcast", 8, odd[1]).algorithm == "chain"
    assert found.rule("bcast", 16, libraries.SIZES[2]).algorithm == "chain"


def test_what_loses_at_the_same_total_size_is_not_taken_beyond():
    """From n m of 128 KiB on, whatever the n, the default takes what is four times as fast."""

    def native(n, m):
        return libraries.default(n, m) * (0.25 if n * m >= 2**17 else 1.0)

    laws = {"native": native, "openmpi:chain": libraries.times(0.5)}
    found = decided(laws, n=(16, 64), m=(1024, 4096))
    assert found.rule("bcast", 16, 4096).algorithm == "chain"
    assert found.rule("bcast", 64, 4096).is_default  # 256 KiB
    assert found.rule("bcast", 64, 1024).algorithm == "chain"  # 64 KiB


@pytest.mark.parametrize(("slow", "fast", "size"), [(1, 3, 4096), (1, 3, 262144), (3, 1, 262144)])
def test_an_odd_point_at_the_nearest_n_takes_no_rule_beyond(slow, fast, size):
    """Times of the default longer, or of the other shorter, at one point and nowhere else."""

    def native(n, m):
        return libraries.default(n, m) * (slow if (n, m) == (16, size) else 1)

    def chain(n, m):
        return 1.3 * libraries.default(n, m) / (fast if (n, m) == (16, size) else 1)

    found = decided({"native": native, "openmpi:chain": chain}, n=(32, 64), m=libraries.SIZES)
    assert all(found.rule("bcast", n, m).is_default for n in (32, 64) for m in libraries.SIZES)


@pytest.mark.parametrize("odd", ["native", "openmpi:chain"])
def test_a_point_that_is_odd_at_one_n_alone_changes_no_decision(odd):
    """Four times as long for the default, or a quarter for an algorithm that is slower."""

    def at(n, m):
        return 4.0 if (n, m) == (8, libraries.SIZES[2]) else 1.0

    def native(n, m):
        return libraries.default(n, m) * (at(n, m) if odd == "native" else 1.0)

    def chain(n, m):
        return 1.3 * libraries.default(n, m) / (at(n, m) if odd != "native" else 1.0)

    found = decided({"native": native, "openmpi:chain": chain})
    assert all(rule.is_default for rule in found.rules)


@pytest.mark.parametrize("setting", ["openmpi:linear", "direct", "rotated"])
def test_all_messages_of_an_exchange_that_wait_for_nothing_are_in_flight(setting: str) -> None:
    assert floods("alltoall", setting)


@pytest.mark.parametrize(
    ("operation", "setting"),
    [
        ("alltoall", "openmpi:pairwise"), ("alltoall", "openmpi:modified_bruck"),
        ("alltoall", "bruck"), ("allgather", "ring"), ("bcast", "openmpi:chain"),
        ("gather", "openmpi:linear"), ("alltoall", "native"), ("alltoall", "unheard_of"),
    ],
)  # fmt: skip
def test_messages_that_wait_for_others_are_not(operation: str, setting: str) -> None:
    """Into one root n-1 messages are in flight, not n (n-1)."""
    assert not floods(operation, setting)
