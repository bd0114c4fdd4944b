"""What MPICH asks of communicators stands above what it asks of calls, and is read as it stands."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from selection import CALLS, Call, Tree, decisions, end, own_tree, reached, rule, tiling

from contend.tune.choose.rules import Rule
from contend.tune.exports.csel.compose import Sources, composed
from contend.tune.exports.csel.facts import key_of
from contend.tune.exports.csel.flatten import flattened
from contend.tune.exports.csel.narrow import Known, narrowed
from contend.tune.exports.filerule import FileRule, rule_for
from support.formats import target_named

FORMAT = target_named("mpich-5.0.2")
SMP, BINOMIAL, RING, DOUBLING = (
    end(f"Bcast_intra_{name}")
    for name in ("smp", "binomial", "scatter_ring_allgather",
                 "scatter_recursive_doubling_allgather")
)  # fmt: skip


def as_mpich_has_it() -> Tree:
    """The broadcast of MPICH 4.0 to 5.0: what it asks, in its order."""

    def by_size(*known: tuple[str, Tree]) -> Tree:
        return {f"avg_msg_size{bound}": below for bound, below in known}

    def for_parents(*known: tuple[str, Tree]) -> Tree:
        return {
            "comm_hierarchy=parent": by_size(("<=0", SMP), *known),
            "comm_hierarchy=any": by_size(*known),
        }

    return {
        "comm_size<8": for_parents(("=any", BINOMIAL)),
        "comm_size=pow2": for_parents(
            ("<=12288", BINOMIAL), ("<=524288", DOUBLING), ("=any", RING)
        ),
        "comm_size=any": for_parents(("<=12288", BINOMIAL), ("=any", RING)),
    }


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.json"
    tree = own_tree()
    tree["collective=bcast"]["comm_type=intra"] = as_mpich_has_it()
    path.write_text(json.dumps(tree))
    return str(path)


def written(own: str, *rules) -> str:
    return FORMAT.write(decisions(*rules), library_rules=own).text


def below_calls(tree: Tree, is_below: bool = False):
    """Questions below one on the call."""
    for text, below in tree.items():
        key = key_of(text)
        if key.is_leaf:
            continue
        if is_below:
            yield key
        yield from below_calls(below, is_below or key.name in CALLS)


def below_hierarchies(tree: Tree, is_below: bool = False):
    """Questions on hierarchies below one that was answered with no to all of them."""
    for text, below in tree.items():
        key = key_of(text)
        if is_below and key.name == "comm_hierarchy":
            yield key
        yield from below_hierarchies(below, is_below or text == "comm_hierarchy=any")


def test_no_call_is_asked_for_the_hierarchy_of_its_communicator(own: str) -> None:
    text = written(
        own, rule("bcast", 2, 5, 0, 64, "default"), rule("bcast", 2, 5, 64, 4096, "tree_kary", k=3)
    )
    tree = json.loads(text)["collective=bcast"]["comm_type=intra"]
    assert not [key for key in below_calls(tree) if key.name == "comm_hierarchy"]
    for ppn in (1, 4):
        for m in (0, 64, 4095, 4096):
            call = Call("bcast", 4, m, ppn=ppn)
            if 64 <= m < 4096:
                assert "k=3" in str(reached(json.loads(text), call))
            else:
                assert reached(json.loads(text), call) == reached(
                    json.loads(Path(own).read_text()), call
                )


def test_nothing_is_asked_where_rules_leave_no_call_to_the_library(own: str) -> None:
    text = written(
        own,
        rule("bcast", 2, None, 0, 64, "tree_kary"),
        rule("bcast", 2, None, 64, None, "binomial"),
    )
    tree = json.loads(text)["collective=bcast"]["comm_type=intra"]
    from_two = tree["comm_size=any"]
    assert [*from_two] == ["avg_msg_size<=63", "avg_msg_size=any"]


def asked(tree: Tree, m: int) -> int:
    """Questions at a call of m bytes in a tree for one number of processes, of a parent."""
    for number, (text, below) in enumerate(tree.items(), 1):
        key = key_of(text)
        if key.is_leaf:
            return 0
        if text == "comm_hierarchy=parent":
            return asked(below, m)
        if key.is_any or (key.bound is not None and m <= key.bound):
            return number + asked(below, m)
    raise AssertionError(tree)


def test_sizes_that_run_what_they_ran_are_told_apart_as_they_were(own: str) -> None:
    text = written(
        own, rule("bcast", 2, 8, 0, 64, "default"), rule("bcast", 2, 8, 64, 512, "binomial"),
        rule("bcast", 2, 8, 512, 4096, "default"),
    )  # fmt: skip
    tree = json.loads(text)["collective=bcast"]["comm_type=intra"]["comm_size<=7"]
    assert tree == {
        "comm_hierarchy=parent": {"avg_msg_size<=0": SMP, "avg_msg_size=any": BINOMIAL},
        "comm_hierarchy=any": BINOMIAL,
    }


def test_an_operation_that_no_rule_departs_in_is_left_as_it_is(own: str) -> None:
    text = written(
        own, rule("reduce", 2, 8, 0, 64, "default"), rule("bcast", 2, 8, 0, 512, "tree_kary"),
        rule("reduce", 2, 8, 64, 512, "default", ppn=1),
    )  # fmt: skip
    mine = json.loads(Path(own).read_text())
    changed = {name for name, tree in json.loads(text).items() if tree != mine[name]}
    assert changed == {"collective=bcast"}


def test_a_departure_adds_no_more_questions_than_it_has_ends(own: str) -> None:
    rules = rule("bcast", 9, 12, 0, 64, "default"), rule("bcast", 9, 12, 64, 512, "tree_kary")
    tree = json.loads(written(own, *rules))["collective=bcast"]["comm_type=intra"]["comm_size<=11"]
    whole = as_mpich_has_it()["comm_size=any"]
    for m in (0, 63, 64, 512, 12288, 12289):
        assert asked(tree, m) <= asked(whole, m) + 2


def test_what_was_answered_is_not_asked_again(own: str) -> None:
    text = written(
        own, rule("bcast", 2, 9, 0, 64, "default", ppn=1),
        rule("bcast", 2, 9, 64, 4096, "tree_kary", ppn=1),
    )  # fmt: skip
    tree = json.loads(text)["collective=bcast"]["comm_type=intra"]
    assert not list(below_hierarchies(tree))


def test_calls_in_place_are_told_apart_below_communicators(own: str) -> None:
    tree = json.loads(written(own, rule("alltoall", 4, 6, 0, 64, "brucks")))
    tree = tree["collective=alltoall"]["comm_type=intra"]
    assert not [key for key in below_calls(tree) if key.name == "comm_size" and key.bound == 5]
    assert [*tree["comm_size<=5"]] == ["is_sendbuf_inplace=yes", "is_sendbuf_inplace=no"]


NAMES = "default", "binomial", "tree_kary"


def rules_of(rng: random.Random) -> list[Rule]:
    return tiling(rng, "bcast", NAMES, range(2, 40), range(1, 20000))


def some_calls(rng: random.Random) -> Iterator[Call]:
    for _ in range(300):
        size = rng.choice([0, rng.randint(0, 20500), 10**6])
        yield Call("bcast", rng.randint(2, 45), size, ppn=rng.choice([1, 4]))


@pytest.mark.parametrize("seed", range(30))
def test_a_rule_is_read_once_and_holds_for_the_calls_that_reach_it(own: str, seed: int) -> None:
    rng = random.Random(seed)
    text = written(own, *rules_of(rng))
    read = FORMAT.read(text)
    tree = json.loads(text)
    for call in some_calls(rng):
        placement = "one-per-node" if call.ppn == 1 else "single-node"
        found = rule_for(read, "bcast", call.n, call.m, placement)
        assert found is not None
        (leaf,) = reached(tree, call)
        assert leaf == f"algorithm=MPIR_Bcast_intra_{found.algorithm.removesuffix('_kary')}"
    departures = Counter((one.n, one.size) for one in read if one.algorithm == "tree_kary")
    assert set(departures.values()) <= {1}
    assert not [one for one in read if one.algorithm == "tree_kary" and one.when]


@pytest.mark.parametrize("seed", range(30))
def test_what_was_not_decided_anew_runs_what_the_old_file_said(own: str, seed: int) -> None:
    rng = random.Random(seed)
    old = FORMAT.write(decisions(*rules_of(rng)), library_rules=own).text
    after = decisions(*rules_of(rng))
    new = json.loads(FORMAT.write(after, library_rules=own, old=old).text)
    earlier, mine = json.loads(old), json.loads(Path(own).read_text())
    for call in some_calls(rng):
        decided = after.rule("bcast", call.n, call.m)
        if decided is None:
            assert reached(new, call) == reached(earlier, call)
        elif decided.is_default:
            assert reached(new, call) == reached(mine, call)
        else:
            (leaf,) = reached(new, call)
            name = decided.algorithm.removesuffix("_kary")
            assert leaf == f"algorithm=MPIR_Bcast_intra_{name}"


HIERARCHIES = ("parent", "node_roots", "node", "flat")


@pytest.mark.parametrize("is_one_bit", [False, True], ids=["4.3", "5.0"])
@pytest.mark.parametrize("seed", range(40))
def test_a_communicator_of_any_hierarchy_runs_what_it_ran(seed: int, is_one_bit: bool) -> None:
    """5.0 answers every other word by whether the communicator is no parent."""
    rng = random.Random(seed)

    def random_tree(depth: int) -> Tree:
        if not depth or rng.random() < 0.2:
            return leaf(rng.choice("ABCD"))
        words = rng.sample(HIERARCHIES, rng.randint(1, 3))
        bounds = sorted(rng.sample(range(100), 2))
        keys = rng.choice([[f"comm_hierarchy={word}" for word in words],
                           [f"avg_msg_size<={bound}" for bound in bounds]])  # fmt: skip
        last = "avg_msg_size=any" if keys[0].startswith("avg") else "comm_hierarchy=any"
        return {key: random_tree(depth - 1) for key in (*keys, last)}

    def runs(tree: Tree, hierarchy: str, m: int) -> str:
        for text, below in tree.items():
            key = key_of(text)
            if key.is_leaf:
                return text
            is_alike = (key.value == "parent") == (hierarchy == "parent")
            if key.is_any or (
                m <= key.bound
                if key.bound is not None
                else is_alike and (is_one_bit or key.value == hierarchy)
            ):
                return runs(below, hierarchy, m)
        raise AssertionError(tree)

    mine = random_tree(4)
    some = rule("bcast", 2, 9, 20, 60, "E"), rule("bcast", 2, 9, 60, 80, "default")
    sources = Sources(mine, mine, lambda one, _: leaf(one.algorithm))
    made = composed("bcast", some, sources)
    for hierarchy in HIERARCHIES:
        for m in range(101):
            wanted = "algorithm=MPIR_Bcast_intra_E" if 20 <= m < 60 else runs(mine, hierarchy, m)
            assert runs(made["comm_size<=8"], hierarchy, m) == wanted


def leaf(name: str) -> Tree:
    return {f"algorithm=MPIR_Bcast_intra_{name}": {}}


def read_of(tree: Tree) -> list[FileRule]:
    return list(flattened({"collective=bcast": tree}))


def test_rules_that_differ_by_hierarchy_keep_their_conditions() -> None:
    tree = {
        "comm_hierarchy=parent": {"avg_msg_size<=8": leaf("smp"), "avg_msg_size=any": leaf("ring")},
        "comm_hierarchy=any": {"avg_msg_size<=8": leaf("flat"), "avg_msg_size=any": leaf("ring")},
    }
    assert [(one.algorithm, one.size, one.when) for one in read_of(tree)] == [
        ("smp", 0, ("comm_hierarchy=parent",)),
        ("ring", 9, ()),
        ("flat", 0, ()),
    ]


def test_what_stands_behind_another_in_one_branch_only_is_not_joined() -> None:
    """Powers of two overlap the rest, so that its order counts."""
    rest = {"comm_size=any": leaf("ring")}
    tree = {
        "comm_hierarchy=parent": rest,
        "comm_hierarchy=any": {"comm_size=pow2": leaf("doubling"), **rest},
    }
    found = read_of(tree)
    assert [one.when for one in found if one.algorithm == "ring"] == [
        ("comm_hierarchy=parent",),
        (),
    ]
    for n, name in ((6, "ring"), (8, "doubling")):
        here = rule_for(found, "bcast", n, 1, "one-per-node")
        assert here is not None and here.algorithm == name


def test_a_level_without_an_end_has_rules_for_some_communicators() -> None:
    (one,) = read_of({"comm_hierarchy=parent": leaf("smp")})
    assert one.when == ("comm_hierarchy=parent",)


def test_a_no_is_remembered() -> None:
    few = Known().after(key_of("comm_size<=7"), 7, False)
    assert few.numbers == {"comm_size": (8, None)}
    parent = key_of("comm_hierarchy=parent")
    tree = {"comm_hierarchy=parent": leaf("smp"), "comm_hierarchy=any": leaf("flat")}
    assert narrowed(tree, Known().after(parent, None, False)) == leaf("flat")
    assert narrowed(tree, Known().after(parent, None, True)) == leaf("smp")
    other = key_of("comm_hierarchy=node")
    assert narrowed(tree, Known().after(other, None, True)) == leaf("flat")
    flat = {"comm_hierarchy=flat": leaf("smp"), "comm_hierarchy=any": leaf("ring")}
    assert narrowed(flat, Known().after(other, None, True)) == flat  # the same from 5.0 on
    assert narrowed(tree, Known().after(other, None, False)) == tree


@pytest.mark.parametrize(
    ("least", "most"), [(1, 1), (1, 2), (2, 2), (2, 3), (5, 7), (5, 8), (9, 15), (3, 3), (3, 4)]
)
def test_whether_powers_of_two_are_meant_is_known_of_a_range(least: int, most: int) -> None:
    powers = [n for n in range(least, most + 1) if n & (n - 1) == 0]
    every = len(powers) == most - least + 1
    answer = Known({"comm_size": (least, most)}).answer(key_of("comm_size=pow2"), None)
    assert answer is (True if every else None if powers else False)


def test_a_yes_is_remembered() -> None:
    tree = {"count<pow2": leaf("binomial"), "count=any": leaf("ring")}
    assert narrowed(tree, Known().after(key_of("count<pow2"), None, True)) == leaf("binomial")


@pytest.mark.parametrize("text", ["comm_avg_ppn<=3", "count<=8"])
def test_what_no_rule_counts_is_a_condition(text: str) -> None:
    found = read_of({text: leaf("smp"), "comm_size=any": leaf("ring")})
    assert [(one.algorithm, one.when) for one in found] == [("smp", (text,)), ("ring", ())]


def test_ranks_of_nodes_are_a_condition() -> None:
    found = read_of({"comm_size=node_comm_size": leaf("smp"), "comm_size=any": leaf("ring")})
    assert [(one.algorithm, one.when) for one in found] == [
        ("smp", ("comm_size=node_comm_size",)),
        ("ring", ()),
    ]
