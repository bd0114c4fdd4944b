"""Faults planted in selection trees of MPICH, each found with its line, and none where none is."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from selection import end, own_tree

from contend.errors import FileFormatError, MissingToolError
from contend.exports import Finding, format_named
from contend.exports.csel.shipped import installed, shipped

FORMAT = format_named("mpich")[0]
VERSION = (5, 0, 2)
Tree = dict[str, Any]
BINOMIAL = end("Bcast_intra_binomial")


def bcast(tree: Tree, within: Tree) -> None:
    tree["collective=bcast"]["comm_type=intra"] = within


def reduce_scatter(tree: Tree, within: Tree) -> None:
    tree["collective=reduce_scatter"]["comm_type=intra"] = within


# What is planted, and what stands in the line of the finding; None: nowhere in the file.
PLANTED: dict[str, tuple[str | None, Callable[[Tree], object]]] = {
    "missing-collective": (None,
        lambda t: t.pop("collective=iscan")),
    "collective": ('"collective=broadcast": {',
        lambda t: t.update({"collective=broadcast": BINOMIAL})),
    "top-level": ('"comm_size=any": {',
        lambda t: t.update({"comm_size=any": BINOMIAL})),
    "key": ('"comm_sise<8": {',
        lambda t: bcast(t, {"comm_sise<8": BINOMIAL, "comm_size=any": BINOMIAL})),
    "key (unit)": ('"avg_msg_size<=64KiB": {',
        lambda t: bcast(t, {"avg_msg_size<=64KiB": BINOMIAL,
                                      "avg_msg_size=any": BINOMIAL})),
    "key (too large)": ('"avg_msg_size<=4294967296": {',
        lambda t: bcast(t, {"avg_msg_size<=4294967296": BINOMIAL,
                                           "avg_msg_size=any": BINOMIAL})),
    "question": ('"avg_msg_size<=8": {',
        lambda t: t["collective=gather"].update(
        {"comm_type=intra": {"avg_msg_size<=8": end("Gather_intra_binomial"),
                             "avg_msg_size=any": end("Gather_intra_binomial")}})),
    "nothing": ('"comm_size<8": {},',
        lambda t: bcast(t, {"comm_size<8": {}, "comm_size=any": BINOMIAL})),
    "nothing (value)": ('"comm_size<8": 3,',
        lambda t: bcast(t, {"comm_size<8": 3, "comm_size=any": BINOMIAL})),
    "open-end": ('"comm_size<=16": {',
        lambda t: bcast(t, {"comm_size<8": BINOMIAL, "comm_size<=16": BINOMIAL})),
    "open-end (word)": ('"is_commutative=yes": {',
        lambda t: reduce_scatter(
        t, {"is_commutative=yes": end("Reduce_scatter_intra_pairwise")})),
    "open-end (groups)": ('"comm_type=intra": {',
        lambda t: t["collective=bcast"].pop("comm_type=inter")),
    "unreachable": ('"comm_size<8": {',
        lambda t: bcast(t, {"comm_size=any": BINOMIAL, "comm_size<8": BINOMIAL})),
    "shadowed": ('"avg_msg_size<512": {',
        lambda t: bcast(t, {"avg_msg_size<=4096": BINOMIAL, "avg_msg_size<512": BINOMIAL,
                                    "avg_msg_size=any": BINOMIAL})),
    "shadowed (equal)": ('"comm_size<8": {',
        lambda t: bcast(t, {"comm_size<=7": BINOMIAL, "comm_size<8": BINOMIAL,
                            "comm_size=any": BINOMIAL})),
    "mixed": ('"comm_type=intra": {',
        lambda t: bcast(t, {"comm_size<8": BINOMIAL, **BINOMIAL})),
    "algorithm": ('"algorithm=MPIR_Bcast_intra_binomail": {}',
        lambda t: bcast(t, end("Bcast_intra_binomail"))),
    "algorithm (other operation)": ('"algorithm=MPIR_Allgather_intra_ring": {}',
        lambda t: bcast(t, end("Allgather_intra_ring"))),
    "algorithm (nonblocking)": ('"algorithm=MPIR_Iscan_intra_smp": {}',
        lambda t: t.update({"collective=iscan": end("Iscan_intra_smp")})),
    "parameter-missing": ('"algorithm=MPIR_Bcast_intra_tree": {',
        lambda t: bcast(t, end("Bcast_intra_tree", tree_type="kary", k=2))),
    "parameter": ('"kval=2": {},',
        lambda t: bcast(t, end("Bcast_intra_tree", tree_type="kary", kval=2, k=2,
                                        is_non_blocking=1))),
    "value": ('"tree_type=binary": {},',
        lambda t: bcast(t, end("Bcast_intra_tree", tree_type="binary", k=2,
                                    is_non_blocking=1))),
    "value (number)": ('"k=two": {},',
        lambda t: bcast(t, end("Bcast_intra_tree", tree_type="kary", k="two",
                                             is_non_blocking=1))),
    "comm-type": ('"algorithm=MPIR_Bcast_intra_binomial": {}',
        lambda t: t.update({"collective=bcast": BINOMIAL})),
    "comm-type (groups)": ('"algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}',
        lambda t: bcast(t, end("Bcast_inter_remote_send_local_bcast"))),
    "not-served": ('"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}',
        lambda t: bcast(t, end("Bcast_intra_scatter_recursive_doubling_allgather"))),
    "not-served (order)": ('"algorithm=MPIR_Reduce_scatter_intra_pairwise": {}',
        lambda t: reduce_scatter(t, end("Reduce_scatter_intra_pairwise"))),
    "not-served (in place)": ('"algorithm=MPIR_Alltoall_intra_pairwise": {}',
        lambda t: t["collective=alltoall"].update(
        {"comm_type=intra": end("Alltoall_intra_pairwise")})),
    "less": ('"comm_size<8": {',
        lambda t: bcast(t, {"avg_msg_size<=8": {"comm_size<8": BINOMIAL,
                                                    "comm_size=any": BINOMIAL},
                                "avg_msg_size=any": BINOMIAL})),
    "disagree": ('"total_msg_size<=8": {',
        lambda t: t["collective=scatter"].update(
        {"comm_type=intra": {"total_msg_size<=8": end("Scatter_intra_binomial"),
                             "total_msg_size=any": end("Scatter_allcomm_nb")}})),
}  # fmt: skip


def healthy() -> Tree:
    """A tree without a finding."""
    tree = own_tree()
    tree["collective=allreduce"]["comm_type=intra"] = end("Allreduce_intra_recursive_doubling")
    tree["collective=scatter"] = {"comm_type=intra": end("Scatter_intra_binomial"),
                                  "comm_type=inter": end("Scatter_inter_linear")}  # fmt: skip
    return tree


def lint(tree: Tree, version: tuple[int, ...] = VERSION) -> list[Finding]:
    return FORMAT.lint(json.dumps(tree, indent=1) + "\n", version)


def test_a_healthy_tree_has_no_finding() -> None:
    assert lint(healthy()) == []


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found_in_its_line_with_a_remedy(fault: str) -> None:
    tree, (place, plant) = healthy(), PLANTED[fault]
    plant(tree)
    found, code = lint(tree), fault.partition(" (")[0]
    first = next(one for one in found if one.code == code)
    lines = json.dumps(tree, indent=1).splitlines()
    assert (None if first.line is None else lines[first.line - 1].strip()) == place
    assert all(one.remedy for one in found)
    assert {one.code for one in found} <= {code, "missing-collective", "open-end", "comm-type"}


def test_the_remedy_of_a_misspelt_algorithm_is_the_one_that_was_meant() -> None:
    tree = healthy()
    bcast(tree, {"comm_size<8": BINOMIAL, "comm_size=any": end("Bcast_intra_binomail")})
    (found,) = lint(tree)
    assert "MPIR_Bcast_intra_binomial" in found.remedy


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", '{"collective=bcast": }', "{'collective=bcast': {}}", "\x00", "{" * 5000,
     '{"collective=bcast":' * 3000 + "{}" + "}" * 3000, '{"a": ' + "9" * 5000 + "}"],
)  # fmt: skip
def test_what_is_no_tree_is_a_finding(text: str) -> None:
    assert [one for one in FORMAT.lint(text, VERSION) if one.level == "error"]


def test_a_depth_that_the_library_does_not_read_is_found() -> None:
    tree = healthy()
    deep = BINOMIAL
    for bound in range(40):
        deep = {f"comm_size<={bound + 10}": deep, "comm_size=any": BINOMIAL}
    bcast(tree, deep)
    assert "depth" in {one.code for one in lint(tree)}


def test_a_file_of_whole_pages_is_found() -> None:
    text = json.dumps(healthy())
    padded = text + " " * (-len(text) % 4096)
    assert [one.code for one in FORMAT.lint(padded, VERSION)] == ["page"]


def test_a_tree_of_the_device_is_checked_as_one() -> None:
    level: Tree = {
        "avg_msg_size<=99": {"composition=MPIDI_Bcast_intra_composition_alpha": {}},
        "avg_msg_size=any": {"composition=MPIDI_Bcast_intra_composition_gamma": {}},
    }
    tree: Tree = {"collective=bcast": {"comm_type=intra": level}}
    assert lint(tree) == []
    level["avg_msg_size=any"] = BINOMIAL
    assert "composition" in {one.code for one in lint(tree)}
    level["avg_msg_size=any"] = {"composition=MPIDI_Reduce_intra_composition_gamma": {}}
    assert "composition" in {one.code for one in lint(tree)}
    del level["avg_msg_size=any"]
    assert "open-end" in {one.code for one in lint(tree)}


def test_a_tree_for_shared_memory_is_told_apart() -> None:
    text = '{"collective=bcast":{"algorithm=MPIDI_POSIX_mpi_bcast_release_gather":{}}}'
    (found,) = FORMAT.lint(text, VERSION)
    assert "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE" in found.message


def test_an_algorithm_of_another_version_is_found_with_the_version() -> None:
    tree = healthy()
    found = lint(tree, (4, 0, 2))  # which has no k_dissemination
    assert [one.code for one in found] == ["other-version"]
    assert "it came with 4.1" in found[0].message
    unnamed = lint(tree, FORMAT.version(""))  # of which every version's names are right
    assert [(one.level, one.code) for one in unnamed] == [("note", "version")]


def test_keys_that_are_moved_at_random_never_end_in_an_exception() -> None:
    rng = random.Random(12)

    def shuffled(tree: Tree) -> Any:
        items = [(k, shuffled(v)) for k, v in tree.items()]
        rng.shuffle(items)
        keys = [k for k, _ in items]
        if rng.random() < 0.1:
            return rng.choice([3, None, "x", [1, {"a": 2}], {}])
        return {rng.choice(keys) if rng.random() < 0.1 else k: v for k, v in items}

    for _ in range(60):
        text = json.dumps(shuffled(healthy()), indent=1)
        FORMAT.lint(text, VERSION)
        with suppress(FileFormatError):
            FORMAT.read(text, VERSION)


def test_the_tree_of_an_installed_library_has_no_finding() -> None:
    try:
        own = shipped(installed())
    except MissingToolError as error:
        pytest.skip(str(error))
    version = (5, 0, 2) if any("k_dissemination" in name for name in own.names) else (4, 0, 2)
    assert lint(own.tree, version) == []
    assert lint(own.trees["composition"], version) == []
