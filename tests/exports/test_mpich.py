"""Selection trees of MPICH: what each call reaches, by another writing of the library's search."""

import json
import random
from pathlib import Path

import pytest
from selection import Call, decisions, own_tree, reached, rule, tiling

from contend.base.errors import FileFormatError, InvalidInputError
from contend.tune.choose.rules import Rule
from contend.tune.exports import Request
from contend.tune.exports.csel.library_trees import shipped
from contend.tune.exports.csel.narrow import Known, narrowed
from contend.tune.exports.filerule import rule_for
from support.formats import target_named

FORMAT = target_named("mpich-5.0.2")
ALGORITHMS = {
    "bcast": ("binomial", "scatter_ring_allgather", "scatter_recursive_doubling_allgather",
              "tree_knomial_2", "pipelined_tree_kary"),
    "alltoall": ("brucks", "k_brucks", "pairwise", "scattered"),
    "allgather": ("ring", "brucks", "recursive_doubling", "k_brucks"),
    "reduce": ("binomial", "reduce_scatter_gather", "smp"),
    "allreduce": ("ring", "recursive_doubling", "reduce_scatter_allgather"),
    "reduce_scatter": ("pairwise", "recursive_halving", "noncommutative"),
}  # fmt: skip
POWERS_ONLY = ("scatter_recursive_doubling_allgather", "noncommutative")


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A file with a library's own tree."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own_tree()))
    return str(path)


def rules_of(rng: random.Random, operation: str) -> list[Rule]:
    return tiling(rng, operation, ("default", *ALGORITHMS[operation]))


def is_served(name: str, call: Call) -> bool:
    """Whether an algorithm is right for a call, after the library's list of restrictions."""
    is_for_powers = (call.operation, name) == ("allgather", "recursive_doubling")
    if (is_for_powers or name in POWERS_ONLY) and call.n & (call.n - 1):
        return False
    if name == "noncommutative":
        return call.regular
    if name in ("reduce_scatter_gather", "reduce_scatter_allgather"):
        return call.built_in and call.count >= 1 << (call.n.bit_length() - 1)
    if name == "smp":
        return call.commutative and call.ppn > 1
    if (call.operation, name) in (
        ("allreduce", "ring"), ("reduce_scatter", "pairwise"),
        ("reduce_scatter", "recursive_halving"),
    ):  # fmt: skip
        return call.commutative
    return not call.in_place


@pytest.mark.parametrize("operation", ALGORITHMS)
def test_a_call_runs_what_its_rule_says_and_else_what_the_library_would(
    operation: str, own: str
) -> None:
    rng = random.Random(operation)
    for _ in range(8):
        made = decisions(*rules_of(rng, operation))
        tree = json.loads(FORMAT.write(made, library_rules=own).text)
        for _ in range(200):
            call = Call(
                operation, rng.randint(1, 63), rng.choice([0, rng.randint(0, 3100), 10**6]),
                ppn=rng.choice([1, 4]), in_place=operation == "alltoall" and rng.random() < 0.1,
                commutative=rng.random() < 0.8, built_in=rng.random() < 0.8,
                regular=rng.random() < 0.8, count=rng.choice([1, 3, 10**6]),
            )  # fmt: skip
            holding = made.rule(operation, call.n, call.m)
            (leaf,) = reached(tree, call)
            if holding is None or holding.is_default or not is_served(holding.algorithm, call):
                assert reached(tree, call) == reached(own_tree(), call)
            else:
                wanted = FORMAT.form.library.algorithm(operation, holding.algorithm, FORMAT.version)
                assert leaf == f"algorithm=MPIR_{operation.capitalize()}_intra_{wanted.own_name}"


@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter"])
def test_a_size_counted_over_all_ranks_is_exact_where_it_was_decided(
    operation: str, own: str
) -> None:
    name = ALGORITHMS[operation][0]
    made = decisions(*(
        one for n, n_to in ((96, 1000), (1000, None))
        for one in (rule(operation, n, n_to, 0, 100, name),
                    rule(operation, n, n_to, 100, None, "recursive_doubling"))
    ))  # fmt: skip
    tree = json.loads(FORMAT.write(made, library_rules=own).text)
    for n in (96, 1000):
        for m, right in ((99, True), (100, False)):
            assert (name in str(reached(tree, Call(operation, n, m)))) is right
    for n in (97, 500, 5000, 60000):  # elsewhere within a thirty-second
        assert name in str(reached(tree, Call(operation, n, 95)))
        assert name not in str(reached(tree, Call(operation, n, 101)))


def test_every_parameter_is_written_as_it_was_measured(own: str) -> None:
    made = decisions(rule("bcast", 2, None, 0, None, "pipelined_tree_kary", segment=4096, k=1))
    text = FORMAT.write(made, library_rules=own).text
    leaf = reached(json.loads(text), Call("bcast", 5, 9))
    assert list(leaf["algorithm=MPIR_Bcast_intra_pipelined_tree"]) == [
        "tree_type=kary", "k=1", "is_non_blocking=1", "chunk_size=4096", "recv_pre_posted=0",
    ]  # fmt: skip


def test_rules_of_one_placement_leave_others_to_the_library(own: str) -> None:
    made = decisions(
        rule("bcast", 2, None, 0, None, "tree_kary", ppn=1, k=3),
        rule("bcast", 2, None, 0, None, "tree_kary", ppn=4, k=5),
    )
    tree = json.loads(FORMAT.write(made, library_rules=own).text)
    for ppn, k in ((1, "k=3"), (4, "k=5")):
        assert k in str(reached(tree, Call("bcast", 16, 9, ppn=ppn)))
    for ppn in (2, 3, 5, 16):
        call = Call("bcast", 16, 9, ppn=ppn)
        assert reached(tree, call) == reached(own_tree(), call)


def test_where_ranks_may_count_differently_one_algorithm_stands_for_all_sizes(own: str) -> None:
    two = (rule("gather", 2, 9, 0, 8, "binomial"), rule("gather", 2, 9, 8, None, "default"))
    export = FORMAT.write(decisions(*two), library_rules=own)
    assert json.loads(export.text)["collective=gather"] == own_tree()["collective=gather"]
    assert any("gather" in note for note in export.notes)


def test_what_is_written_is_read_back_as_rules(own: str) -> None:
    made = decisions(
        rule("bcast", 4, 8, 0, 1024, "tree_knomial_1", k=4),
        rule("bcast", 4, 8, 1024, None, "default"),
        rule("allgather", 4, 6, 0, 512, "ring"),
        rule("allgather", 4, 6, 512, None, "brucks"),
    )
    rules = FORMAT.read(FORMAT.write(made, library_rules=own).text)
    first = rule_for(rules, "bcast", 5, 1023)
    assert first is not None and (first.algorithm, first.options) == ("tree_knomial_1", {"k": 4})
    for n, m, name in (
        (4, 511, "ring"), (5, 511, "ring"), (5, 512, "brucks"), (16, 1, "recursive_doubling"),
    ):  # fmt: skip
        found = rule_for(rules, "allgather", n, m)
        assert found is not None and found.algorithm == name
    default = rule_for(rules, "bcast", 16, 12288)
    assert default is not None and default.algorithm == "scatter_recursive_doubling_allgather"


def test_a_file_that_is_there_keeps_what_was_not_decided(own: str) -> None:
    earlier = decisions(
        rule("bcast", 2, 9, 0, None, "tree_kary", k=7), rule("reduce", 2, 9, 0, None, "binomial")
    )
    old = FORMAT.write(earlier, library_rules=own)
    later = decisions(rule("bcast", 4, 6, 0, None, "default"))
    tree = json.loads(FORMAT.write(later, library_rules=own, old=old.text).text)
    before = json.loads(old.text)
    assert tree["collective=reduce"] == before["collective=reduce"]
    for n in range(1, 20):
        call = Call("bcast", n, 10)
        kept = own_tree() if 4 <= n < 6 else before
        assert reached(tree, call) == reached(kept, call)


def test_to_export_twice_changes_nothing(own: str) -> None:
    for operation in ALGORITHMS:
        made = decisions(*rules_of(random.Random(7), operation))
        once = FORMAT.write(made, library_rules=own).text
        assert FORMAT.write(made, library_rules=own, old=once).text == once


def test_an_old_file_that_the_library_would_not_take_is_refused(own: str) -> None:
    made = decisions(rule("bcast", 2, 9, 0, None, "binomial"))
    device = '{"collective=bcast": {"composition=MPIDI_Bcast_intra_composition_alpha": {}}}'
    for old, why in (('{"collective=bcast": {}}', "no tree for"), (device, "another of MPICH's")):
        with pytest.raises(FileFormatError, match=rf"cannot be merged into.*{why}.*lint"):
            FORMAT.write(made, library_rules=own, old=old)


def test_what_is_exported_has_no_finding_but_those_of_the_library_s_own_tree(own: str) -> None:
    known = {one.message for one in FORMAT.lint(Path(own).read_text())}
    for operation in ALGORITHMS:
        for seed in range(3):
            rules = rules_of(random.Random(seed), operation)
            text = FORMAT.write(decisions(*rules), library_rules=own).text
            assert {one.message for one in FORMAT.lint(text)} <= known


def test_an_operation_that_the_library_has_not_is_a_note(own: str) -> None:
    export = FORMAT.write(decisions(rule("shift", 2, 9, 0, None, "x")), library_rules=own)
    assert json.loads(export.text) == own_tree()
    assert any("shift" in note for note in export.notes)


def test_a_file_never_ends_with_a_page(tmp_path: Path) -> None:
    sizes = set()
    for longer in range(0, 4200, 331):
        tree = own_tree() | {"collective=bcast": {"comm_size=any": {
            "algorithm=MPIR_Bcast_intra_binomial": {"x" * longer: {}}}}}  # fmt: skip
        path = tmp_path / "own.json"
        text = json.dumps(tree, indent=1)
        path.write_text(text + " " * (-(len(text) + 1) % 4096))
        made = decisions(rule("reduce", 2, 9, 0, None, "default"))
        size = len(FORMAT.write(made, library_rules=str(path)).text)
        sizes.add(size % 4096)
    assert 0 not in sizes


def test_an_algorithm_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "libmpi.so.12"
    path.write_bytes(b'\x7fELF\0{"collective=bcast": {"algorithm=MPIR_Bcast_intra_binomial": {}}}')
    made = decisions(rule("bcast", 2, None, 0, None, "tree_kary"))
    request = Request(made, (4, 0, 2), library_rules=str(path))
    with pytest.raises(
        InvalidInputError, match=r"MPICH 4\.0\.2 has no bcast algorithm.*came with"
    ) as raised:
        FORMAT.form.write(request)
    assert "such as mpich-4." in raised.value.remedy


def test_rules_that_are_not_all_of_the_library_s_are_refused_in_their_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"collective=bcast": {"algorithm=MPIR_Bcast_intra_binomial": {}}}')
    made = decisions(rule("bcast", 2, None, 0, None, "binomial"))
    with pytest.raises(InvalidInputError, match=r"mine\.json holds not all .* reduce"):
        FORMAT.write(made, library_rules=str(path))


def test_trees_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "libmpich.so.12"
    barrier = {"collective=barrier": {"algorithm=MPIR_Barrier_intra_dissemination": {}}}
    path.write_text(json.dumps(own_tree() | barrier))
    made = decisions(rule("bcast", 2, None, 0, None, "binomial"))
    assert FORMAT.form.write(Request(made, (4, 0, 2), library_rules=str(path))).text
    with pytest.raises(InvalidInputError, match=r"libmpich.*is of another version.*dissemination"):
        FORMAT.write(made, library_rules=str(path))


def test_trees_and_names_are_found_in_a_library(tmp_path: Path) -> None:
    path = tmp_path / "libmpi.so.12"
    text = json.dumps(own_tree()).encode()
    device = b'{"collective=bcast":{"composition=MPIDI_Bcast_intra_composition_gamma":{}}}'
    names = b"algorithm=MPIR_Bcast_intra_binomial\0"
    path.write_bytes(b"\x7fELF\0" + device + b"\0\0" + text + b"\0" + names + b"\xff" * 99)
    found = shipped(path)
    assert found.tree == own_tree()
    assert set(found.trees) == {"mpir", "composition"}
    made = decisions(rule("bcast", 2, None, 0, None, "scatter_ring_allgather"))
    with pytest.raises(InvalidInputError, match=r"MPICH at hand, .* has no bcast algorithm"):
        path.write_bytes(path.read_bytes().replace(b"scatter_ring", b"scatter_rong"))
        FORMAT.write(made, library_rules=str(path))


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"{}", b'{"collective=bcast": [', b"\0" * 99])
def test_a_file_without_a_tree_is_refused_with_a_remedy(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "libmpi.so"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="--default FILE"):
        shipped(path)


def test_the_part_of_a_tree_serves_the_calls_that_it_is_for() -> None:
    rng = random.Random(5)
    for operation in ALGORITHMS:
        whole = own_tree()
        for _ in range(60):
            least = rng.randint(1, 40)
            most = rng.choice([None, least, least + rng.randint(0, 9)])
            part = narrowed(whole[f"collective={operation}"], Known({"comm_size": (least, most)}))
            for n in range(least, (most or 60) + 1):
                call = Call(operation, n, rng.randint(0, 20000), rng.choice([1, 2]),
                            commutative=rng.random() < 0.5, count=rng.choice([1, 99]))  # fmt: skip
                assert reached({f"collective={operation}": part}, call) == reached(whole, call)


def test_the_device_s_tree_has_parts_only_where_no_rule_is_for(tmp_path: Path) -> None:
    parts = {"composition=MPIDI_Bcast_intra_composition_alpha": {}}
    whole = {"composition=MPIDI_Bcast_intra_composition_gamma": {}}
    device = {"collective=bcast": {"comm_type=intra": {
        "comm_hierarchy=parent": parts, "comm_hierarchy=any": whole}}}  # fmt: skip
    path = tmp_path / "libmpi.so.12"
    names = b"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather\0"
    path.write_bytes(
        b"\x7fELF\0" + json.dumps(device).encode() + b"\0" + json.dumps(own_tree()).encode()
        + b"\0" + names
    )  # fmt: skip
    made = decisions(
        rule("bcast", 4, 32, 0, 99, "default"),
        rule("bcast", 4, 32, 99, None, "scatter_recursive_doubling_allgather"),
    )
    export = FORMAT.write(made, library_rules=str(path))
    assert export.settings == {}
    tree = json.loads(export.beside[".device.json"])
    for n, m, here in ((8, 98, parts), (8, 99, whole), (9, 99, parts), (32, 99, parts)):
        assert reached(tree, Call("bcast", n, m, ppn=4)) == here
    path.with_name("rules.json.device.json").touch()
    assert len(FORMAT.form.settings(str(tmp_path / "rules.json"), FORMAT.version)) == 2


def test_settings_let_whole_communicators_be_served(own: str) -> None:
    made = decisions(
        rule("bcast", 2, None, 0, None, "binomial"), rule("reduce", 2, None, 0, None, "default"),
        rule("alltoall", 2, None, 0, None, "scattered", requests=8),
    )  # fmt: skip
    export = FORMAT.write(made, library_rules=own)
    assert export.settings == {
        "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE": "0",
        "MPIR_CVAR_ALLTOALL_THROTTLE": "8",
    }
    assert any(note.startswith("bcast:") for note in export.notes)
