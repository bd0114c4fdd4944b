"""Faults planted in selection trees of MPICH, each found with its line, and none where none is."""

import json
import random
import tomllib
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from selection import end, own_tree

from contend.base.errors import FileFormatError, MissingToolError
from contend.tune.exports import Finding
from contend.tune.exports.csel.library_trees import installed, shipped
from support.formats import target_named

FORMAT = target_named("mpich-5.0.2")
VERSION = (5, 0, 2)
Tree = dict[str, Any]
BINOMIAL = end("Bcast_intra_binomial")
PLANTED = tomllib.loads(Path(__file__).with_name("planted.toml").read_text())


def bcast(tree: Tree, within: Tree) -> None:
    tree["collective=bcast"]["comm_type=intra"] = within


def healthy() -> Tree:
    """A tree without a finding."""
    tree = own_tree()
    tree["collective=allreduce"]["comm_type=intra"] = end("Allreduce_intra_recursive_doubling")
    tree["collective=scatter"] = {"comm_type=intra": end("Scatter_intra_binomial"),
                                  "comm_type=inter": end("Scatter_inter_linear")}  # fmt: skip
    return tree


def lint(tree: Tree, version: tuple[int, ...] = VERSION) -> list[Finding]:
    return FORMAT.form.lint(json.dumps(tree, indent=1) + "\n", version)


def test_a_healthy_tree_has_no_finding() -> None:
    assert lint(healthy()) == []


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found_in_its_line_with_a_remedy(fault: str) -> None:
    planted, tree = PLANTED[fault], healthy()
    *above, last = planted["path"]
    here = reduce(dict.__getitem__, above, tree)
    if "tree" in planted:
        here[last] = json.loads(planted["tree"])
    else:
        del here[last]
    found, code = lint(tree), fault.partition(" (")[0]
    first = next(one for one in found if one.code == code)
    lines = json.dumps(tree, indent=1).splitlines()
    assert (None if first.line is None else lines[first.line - 1].strip()) == planted.get("place")
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
    assert [one for one in FORMAT.lint(text) if one.level == "error"]


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
    assert [one.code for one in FORMAT.lint(padded)] == ["page"]


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
    (found,) = FORMAT.lint(text)
    assert "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE" in found.message


def test_an_algorithm_of_another_version_is_found_with_the_version() -> None:
    tree = healthy()
    found = lint(tree, (4, 0, 2))  # which has no k_dissemination
    assert [one.code for one in found] == ["other-version"]
    assert "it came with 4.1" in found[0].message
    unnamed = lint(tree, FORMAT.form.version(""))  # of which every version's names are right
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
        FORMAT.lint(text)
        with suppress(FileFormatError):
            FORMAT.read(text)


def test_the_tree_of_an_installed_library_has_no_finding() -> None:
    try:
        own = shipped(installed())
    except MissingToolError as error:
        pytest.skip(str(error))
    version = (5, 0, 2) if any("k_dissemination" in name for name in own.names) else (4, 0, 2)
    assert lint(own.tree, version) == []
    assert lint(own.trees["composition"], version) == []
