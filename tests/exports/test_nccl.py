"""CSV of NCCL's and RCCL's tuners: what is written is what was decided, and faults are found.

`looked_up` is another writing of what the tuners do at a call: the first row that holds.
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selection import decisions, rule, tiling

from contend.base.errors import FileFormatError, InvalidInputError
from contend.schedules.libraries.nccl import COLLECTIVES
from contend.tune.choose.rules import Rule
from contend.tune.exports import FORMATS, Request, format_named
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.formats.intel import UNITS as INTEL
from contend.tune.exports.formats.nccl import LEAVE_IT, UNITS
from contend.tune.exports.nccl.rows import NCCL, RCCL, Dialect, Row, pieces, rows

FORMAT, TWIN = FORMATS.get("nccl"), FORMATS.get("rccl")
VERSION = (2, 27)
ALL = 2**64 - 1
PLAIN = "allreduce,0,65536,tree,ll128,4,2,16"
LINES = tomllib.loads(Path(__file__).with_name("tuner_lines.toml").read_text())
MENDED = "# *nChannels = 0\n"
OPERATIONS = ("allreduce", "allgather", "reduce_scatter", "bcast", "reduce")
BOTH = pytest.mark.parametrize("name", ["nccl", "rccl"])


def made(*rules: Rule, name: str = "nccl", ppn: int | None = None) -> Request:
    return Request(decisions(*rules, library=name, version="2.27"), VERSION, ppn)


def read(text: str, dialect: Dialect) -> list[list[object]]:
    return [
        [
            row.operation, row.least, row.last, row.algorithm, row.protocol, row.channels,
            row.nodes, row.ranks, row.pipe_ops, row.buffers,
        ]
        for row in rows(text, dialect)
    ]  # fmt: skip


def data_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
@pytest.mark.parametrize("end", ["\n", "", "\n\n# more\n"])
def test_a_line_is_read_as_the_tuners_read_it(line: dict[str, Any], end: str) -> None:
    assert read(line["text"] + end, NCCL) == line["nccl"]
    assert read(line["text"] + end, RCCL) == line.get("rccl", line["nccl"])


def looked_up(text: str, operation: str, n: int, size: int, nodes: int) -> Row | None:
    """The row that a tuner takes for a call, where NCCL can run everything."""
    for row in rows(text):
        held = row.operation == operation and row.least <= size <= row.last
        if held and row.ranks in (-1, n) and row.nodes in (-1, nodes):
            return row
    return None


@BOTH
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_call_gets_what_was_decided(operation: str, name: str) -> None:
    rng, form = random.Random(operation + name), FORMATS.get(name)
    names = ["default", *(one.name for one in form.library.algorithms(operation, VERSION))]
    scale = operation in ("allgather", "reduce_scatter")
    for _ in range(10):
        tiled = tiling(rng, operation, names, range(2, 24), range(2, 900))
        own = [one.model_copy(update={"n_to": one.n_to or one.n + 1}) for one in tiled]
        request = made(*own, name=name)
        text = form.write(request).text
        assert {one.code for one in form.lint(text, VERSION)} <= {"plugin"}
        written = form.read(text, VERSION)
        edges = [e + d for one in own for e in (one.m, one.m_to or 0) for d in (-1, 0, 1)]
        for m in (*(max(edge, 0) for edge in edges), *rng.sample(range(1000), 20)):
            n = rng.randint(2, 28)
            wanted = request.decisions.rule(operation, n, m)
            expected = "default" if wanted is None else wanted.algorithm
            taken = rule_for(written, operation, n, m)
            assert (taken.algorithm if taken else "default") == expected
            row = looked_up(text, operation, n, m * n if scale else m, 1)
            assert (row.name if row else "default") == expected


def test_a_line_has_nodes_ranks_sizes_and_channels() -> None:
    export = FORMAT.write(
        made(
            rule("allreduce", 8, 33, 0, 4096, "tree_ll128", 8, channels=4),
            rule("allreduce", 8, 33, 4096, None, "ring_simple", 8),
            rule("allgather", 4, 5, 1024, 2048, "pat_simple", 1),
            rule("reduce_scatter", 16, 17, 0, None, "nvls_simple"),
        )
    )
    assert data_of(export.text) == [
        *(line for n in (8, 16, 24, 32) for line in (
            f"allreduce,0,4095,tree,ll128,4,{n // 8},{n}",
            f"allreduce,4096,{ALL},ring,simple,0,{n // 8},{n}",
        )),
        "allgather,4096,8191,pat,simple,0,4,4",
        f"reducescatter,0,{ALL},nvls,simple,0,-1,16",
    ]  # fmt: skip
    assert any("channels" in note for note in export.notes)
    assert export.text.startswith("# Rules for NCCL 2.27, by contend ")
    assert FORMAT.version_in(export.text) == "2.27"


def test_the_number_of_channels_is_left_to_the_library_as_each_tuner_wants_it() -> None:
    decided = rule("bcast", 4, 5, 0, None, "ring_ll")
    assert data_of(FORMAT.write(made(decided)).text) == [f"broadcast,0,{ALL},ring,ll,0,-1,4"]
    assert data_of(TWIN.write(made(decided, name="rccl")).text) == [
        f"broadcast,0,{ALL},ring,ll,-1,-1,4"
    ]


def test_where_nothing_is_better_the_file_says_so_and_nothing_is_loaded(tmp_path) -> None:
    export = FORMAT.write(made(rule("allreduce", 8, 9, 0, None, "default")))
    assert f"# {LEAVE_IT}\n" in export.text
    assert data_of(export.text) == []
    path = tmp_path / "rules.csv"
    path.write_text(export.text)
    assert FORMAT.settings(str(path), VERSION) == {}
    assert FORMAT.recognises(export.text)
    assert FORMAT.lint(export.text, VERSION) == []
    assert FORMAT.read(export.text, VERSION) == ()
    path.write_text(PLAIN + "\n")
    assert FORMAT.settings(str(path), VERSION) == {
        "NCCL_TUNER_PLUGIN": "libnccl-tuner-example.so", "NCCL_TUNER_CONFIG_FILE": str(path),
    }  # fmt: skip
    assert TWIN.settings(str(path), VERSION) == {"NCCL_TUNER_CONFIG_FILE": str(path)}


def test_what_was_decided_for_a_placement_stands_before_what_is_for_any() -> None:
    text = FORMAT.write(
        made(
            rule("reduce", 4, 9, 0, 512, "ring_ll", 4),
            rule("reduce", 4, 9, 512, None, "default", 4),
            rule("reduce", 2, 9, 0, None, "ring_simple"),
        )
    ).text
    assert looked_up(text, "reduce", 8, 100, 2).name == "ring_ll"  # type: ignore[union-attr]
    assert looked_up(text, "reduce", 8, 600, 2) is None
    assert looked_up(text, "reduce", 6, 600, 3).name == "ring_simple"  # type: ignore[union-attr]


def test_rules_without_an_end_are_written_for_what_can_be_said() -> None:
    export = FORMAT.write(made(rule("reduce", 8, None, 0, None, "ring_ll")))
    assert data_of(export.text) == [f"reduce,0,{ALL},ring,ll,0,-1,8"]
    assert any("8 ranks at most" in note for note in export.notes)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([rule("bcast", 2, 9, 0, None, "tree_ll")], "no bcast algorithm"),
        ([rule("bcast", 2, 9, 0, None, "ring")], "no bcast algorithm"),
        ([rule("alltoall", 2, 9, 0, None, "ring_ll")], "asks no tuner about alltoall"),
        ([rule("bcast", 2, 9, 0, None, "ring_ll", segment=8)], "has no option 'segment'"),
        ([rule("bcast", 2, 30_000, 0, None, "ring_ll")], "29998 lines"),
    ],
)
def test_what_cannot_be_said_is_refused(rules: list[Rule], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        FORMAT.write(made(*rules))


def test_no_comment_is_cut_into_a_rule() -> None:
    """What stands behind 255 bytes of a comment is read as a line of its own."""
    name = f"a network {'é' * 90} " + f"{PLAIN},-1,-1, " * 12
    request = made(rule("bcast", 4, 5, 0, None, "ring_ll"))
    told = request.decisions.model_copy(update={"network": name})
    text = FORMAT.write(Request(told, VERSION)).text
    assert all(len(line.encode()) < 255 for line in text.splitlines())
    assert len(rows(text)) == 1
    assert PLAIN in text


def test_a_file_that_is_there_keeps_lines_and_comments_of_other_collectives() -> None:
    old = (
        "# Rules for NCCL 2.27, by contend 0\n\n# small ones\nbroadcast,0,100, ring ,ll,08,2,16\r\n"
        "# those of all-reduce\nallreduce,0,10,tree,ll,1,2,16\nreduce,0,1,ring,ll,4,-1,8 # as is\n"
        "# a torn line\nallgather,0,100,ring\n"
    )
    request = made(rule("allreduce", 8, 9, 0, None, "tree_ll"))
    export = FORMAT.write(replace(request, old=old))
    assert export.text.endswith(
        f"\n\nallreduce,0,{ALL},tree,ll,0,-1,8\n# small ones\nbroadcast,0,100,ring,ll,08,2,16\n"
        "reduce,0,1,ring,ll,4,-1,8 # as is\n"
    )
    assert any("line 9" in note for note in export.notes)
    kept = [one for one in read(old, NCCL) if one[0] != "allreduce"]
    assert [one for one in read(export.text, NCCL) if one[0] != "allreduce"] == kept
    again = FORMAT.write(replace(request, old=export.text))
    assert again.text.partition("\n\n")[2] == export.text.partition("\n\n")[2]


def test_a_file_without_a_rule_is_not_merged_into() -> None:
    request = made(rule("allreduce", 8, 9, 0, None, "tree_ll"))
    for old in ("a,b\n", "allreduce,0,10\n"):
        with pytest.raises(FileFormatError, match="cannot be merged into"):
            FORMAT.write(replace(request, old=old))
        with pytest.raises(FileFormatError, match="reads no rule"):
            FORMAT.read(old, VERSION)
    assert FORMAT.write(replace(request, old="# a\n")).text


def test_channels_that_jump_there_and_back_are_a_warning() -> None:
    def of(*channels: int) -> list[tuple[str, int | None]]:
        text = "".join(
            f"broadcast,{size * 100},{size * 100 + 99},ring,ll,{count},2,16\n"
            for size, count in enumerate(channels)
        )
        found = FORMAT.lint(MENDED + text, VERSION)
        return [(one.code, one.line) for one in found if one.code != "plugin"]

    assert of(56, 1, 56, 1) == [("jump", 3), ("jump", 4)]
    assert of(1, 16, 56, 64, 56) == []
    assert of(8, 1, 1, 8) == []
    assert of(8, 1, 8) == [("jump", 3)]
    assert of(7, 1, 7) == []
    assert of(1, 8, 0) == []  # NCCL's own number is none to compare with


def test_the_plugin_is_told_of_until_the_file_says_that_it_is_mended() -> None:
    (found,) = [one for one in FORMAT.lint(PLAIN, (2, 27)) if one.code == "plugin"]
    assert (found.level, found.line) == ("warning", None)
    assert "crashes" in found.message
    assert "collCostTable" in found.remedy
    (found,) = [one for one in FORMAT.lint(PLAIN, (2, 30)) if one.code == "plugin"]
    assert "crashes" not in found.message
    assert "nChannels = 0" in found.remedy
    (found,) = [one for one in FORMAT.lint(MENDED + PLAIN, (2, 30)) if one.code == "plugin"]
    assert found.level == "note"
    assert TWIN.lint(PLAIN, (2, 30)) == []


def test_a_file_is_recognised_by_what_it_holds() -> None:
    for text in (
        PLAIN,
        f"# a\n\n{PLAIN}\n",
        "AllReduce,0,4K,Tree",
        "bcast,0,1,ring,ll",
        PLAIN.replace("tree", "Tree"),
    ):
        assert [one.name for one in FORMATS.all() if one.recognises(text)] == ["nccl"]
    for text in (f"# tuned for gfx950\n{PLAIN}", f"{PLAIN},-1,-1,cpx,8\n"):
        assert [one.name for one in FORMATS.all() if one.recognises(text)] == ["rccl"]
    csv = "experiment,algorithm,n,m,s\nallreduce,native,8,64,1e-6\n"
    for text in (csv, "", "1\n2\n3\n", "a,b,c,d\n", "export A=1,2,3,4,5,6,7,8\n", "{}\n"):
        assert not any(one.recognises(text) for one in (FORMAT, TWIN)), text
    assert format_named("nccl-2.28")[0] is FORMAT
    assert format_named("rccl-2.30.4")[0] is TWIN
    with pytest.raises(InvalidInputError, match=r"is not for RCCL 2\.27; it is read from 2\.30 on"):
        TWIN.version("2.27")  # whose plugin reads as NCCL's


def test_sizes_are_told_apart_of_every_collective() -> None:
    assert set(UNITS) == set(COLLECTIVES) == set(FORMAT.library.operations(VERSION))
    assert {one for one, unit in UNITS.items() if unit == "total"} == {
        "allgather", "reduce_scatter",
    }  # fmt: skip
    assert FORMAT.library.one_for_all_sizes == frozenset()
    assert INTEL["allgather"] == "m"  # which Intel MPI counts otherwise


def test_of_random_files_each_line_is_a_rule_or_is_told_of() -> None:
    rng = random.Random(11)
    texts = [line["text"] for line in LINES.values()]
    signs = [*',,,\n#- \t\r0123456789akKxX"\0é\v\f+.;', "x" * 260, ",-1", "allreduce,"]
    for _ in range(5000):
        text = "\n".join(rng.choices(texts, k=rng.randint(1, 4)))
        for _ in range(rng.randint(0, 6)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(signs) + text[at + rng.randrange(4) :]
        form = rng.choice((FORMAT, TWIN))
        form.recognises(text)
        found = form.lint(text, VERSION)
        told = {one.line for one in found if one.level != "note"}
        ruled = {row.line for row in rows(text, form.dialect)}  # type: ignore[attr-defined]
        for piece in pieces(text):
            raw = piece.text.strip(b" \t\r\n\v\f")
            is_comment = raw.partition(b"\0")[0].strip()[:1] in (b"#", b"")
            if not piece.is_comment and not is_comment:
                assert piece.line in ruled | told, (text, found)


@BOTH
def test_one_rank_alone_gets_no_line(name: str) -> None:
    form = FORMATS.get(name)
    request = made(rule("allreduce", 1, 4, 0, None, "ring_ll"), name=name)
    text = form.write(request).text
    assert [line.split(",")[-1] for line in data_of(text)] == ["2", "3"]
    assert [one for one in form.lint(text, VERSION) if one.level == "error"] == []
