"""Rules of coll/han: what is written is what the library reads, and serves calls as decided."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import tiling

from contend.base.errors import InvalidInputError
from contend.measure.command import LaunchOptions
from contend.measure.command import settings as launch_settings
from contend.measure.lab.session import start, why_impossible
from contend.measure.lab.specification import parse_lab
from contend.measure.mpi import MPI
from contend.schedules.libraries import Version, version_of
from contend.tune.exports import Request, format_named
from contend.tune.exports.filerule import FileRule, rule_for
from contend.tune.exports.openmpi.han_file import LEVELS, parse
from contend.tune.exports.openmpi.han_text import BEHIND, serving
from support.decisions import decided, rule
from support.formats import broken, target_named

HAN, FIVE = target_named("openmpi-han-5.0.11"), target_named("openmpi-5.0.11")
VERSION = HAN.version
GOOD = """1  # collectives
bcast
2  # levels
2
2  # communicator sizes
1
1
0 han
8
3
0 han  # as by default
1024 tuned
65536 han
0
1
1
1
0 tuned
"""
HOSTS = """description = "two hosts"
[[clusters]]
name = "a"
hosts = 2
rate = "1Gbit/s"
buffer = "1MiB"
latency = "20us"
"""
DUMPED = re.compile(
    r"dump_dynamic_rules \d+ collective \d+ \((\w+)\) topology level (\d) \(\w+\) configuration "
    r"size (\d+) mess?age size (\d+) -> collective component \d+ \((\w+)\)"
)
Row = tuple[str, int, int, int, str]


def rows(text: str, version: Version) -> list[Row] | None:
    """What contend reads, as the library dumps it; None for a file that it ignores."""
    parsed = parse(text, version)
    if parsed.stopped:
        return None
    return [
        (one.operation, level.key.value, each.key.value, rule.size.value, rule.rest[0].text)
        for one in parsed.collectives
        for level in one.parts
        for each in level.parts
        for rule in each.parts
    ]


@pytest.fixture
def dumped(openmpi: MPI, compiled: Callable[..., Path], tmp_path: Path):
    """What the library says that it read of a text; None where it could not."""
    program = compiled(openmpi.mpicc, "-std=c11", Path(__file__).parent / "calls.c")

    def of(text: str) -> list[Row] | None:
        path = tmp_path / "han"
        path.write_text(text)
        told = {
            **HAN.form.settings(str(path), version(openmpi)),
            **dict.fromkeys(("OMPI_MCA_coll_han_verbose", "OMPI_MCA_coll_base_verbose"), "5"),
            "OMPI_MCA_coll_han_dump_dynamic_rules": "1", "OMPI_MCA_coll_han_priority": "35",
        }  # fmt: skip
        done = subprocess.run(
            [*openmpi.launcher, "-n", "1", str(program), "bcast", "8"],
            env={**os.environ, **launch_settings(openmpi, 1, LaunchOptions()), **told},
            capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = [
            (name, int(level), int(n), int(size), component)
            for name, level, n, size, component in DUMPED.findall(done.stderr)
        ]
        is_refused = "could not fully read" in done.stderr
        assert is_refused or "coll:han:mca_coll_han_init_dynamic_rules read" in done.stderr
        return None if is_refused else found

    return of


def version(mpi: MPI) -> Version:
    return version_of(mpi.title.split()[-1])


def test_names_of_levels_and_algorithms_of_han_are_read_from_5_0_on() -> None:
    text = "1\nbcast\n1\nglobal_communicator\n1\n1\n2\n0 han @simple\n9 tuned\n"
    assert HAN.lint(text) == []
    assert [one.algorithm for one in HAN.read(text)] == ["han @simple", "tuned"]
    assert any(one.level == "error" for one in HAN.form.lint(text, (4, 1)))
    assert "unknown" in {one.code for one in HAN.lint(text.replace("simple", "ring"))}
    assert "priority" in {one.code for one in HAN.form.lint(GOOD, (4, 1))}


@pytest.mark.mpi
@pytest.mark.full
def test_the_library_ignores_what_lint_says_that_it_ignores(dumped, openmpi: MPI) -> None:
    assert dumped(GOOD) == rows(GOOD, version(openmpi))
    for name, one in broken()["openmpi-han-5.0.11"].items():
        assert dumped(one["text"]) == rows(one["text"], version(openmpi)), name


@pytest.mark.mpi
@pytest.mark.full
def test_a_file_changed_at_random_is_read_as_the_library_reads_it(dumped, openmpi: MPI) -> None:
    rng = random.Random(7)
    parts = [*"\n #012@[]", "han", "tuned", "99", "-3", "010", "0x10", "4k", "bcast", "3.5",
             "basic", "@simple", "+2", "global_communicator", "intra_node"]  # fmt: skip
    for _ in range(15):
        words = re.split(r"(\s+)", GOOD)
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(len(words))] = rng.choice(parts)
        text = "".join(words)
        HAN.form.lint(text, version(openmpi))
        assert dumped(text) == rows(text, version(openmpi)), text


@given(st.text(alphabet="0123456789 \n#@[]-+kx.hantued", max_size=200))
@settings(max_examples=200)
def test_no_text_makes_lint_fail(text: str) -> None:
    for number in ((4, 1), VERSION):
        HAN.form.lint(text, number)


def both(rng: random.Random) -> Iterator[tuple[str, object, str, str]]:
    """Decisions on an operation, and both files of them."""
    for operation in ("bcast", "allreduce", "reduce", "allgather", "gather", "scatter", "barrier"):
        names = [one.name for one in HAN.form.library.algorithms(operation, VERSION)
                 if one.ranks != "two" and one.options == ()]  # fmt: skip
        own = tiling(rng, operation, ("default", *names), range(2, 80), range(2, 5000))
        made = decided(*own)
        export = FIVE.write(made, all_commute=True)
        yield operation, made, export.text, export.beside.get(BEHIND, "1\nbarrier\n0\n")


@pytest.mark.parametrize("seed", range(6))
def test_tuned_serves_the_calls_that_its_own_rules_are_for_and_han_all_others(seed: int) -> None:
    rng = random.Random(seed)
    for operation, _, classic, han in both(rng):
        assert HAN.lint(han) in ([], HAN.lint("1\nbarrier\n0\n"))
        tuned, components = FIVE.read(classic), HAN.read(han)
        for _ in range(300):
            n, m = rng.randint(1, 100), rng.choice((0, 1, rng.randrange(6000)))
            ours = rule_for(tuned, operation, n, m)
            served = rule_for(components, operation, n, m)
            is_ours, is_served = (one is not None and not one.is_default for one in (ours, served))
            assert is_ours or not is_served, (operation, n, m)
            if operation != "allgather":  # which coll/tuned counts by the bytes of all ranks
                assert is_served == is_ours, (operation, n, m)


def test_an_allgather_is_left_to_tuned_where_its_rule_begins() -> None:
    made = decided(rule("allgather", "ring", n=4, n_to=9, m=512, m_to=4096))
    export = FIVE.write(made)
    rules = HAN.read(export.beside[BEHIND])
    for n in range(4, 9):
        for m, component in ((511, "default"), (512, "tuned"), (4095, "tuned"), (4096, "default")):
            found = rule_for(rules, "allgather", n, m)
            assert found is not None and found.algorithm == component


def test_a_total_that_no_block_ends_at_is_left_to_han_below_it() -> None:
    rules = (
        FileRule("allgather", 3, 5, 0, 1000, "default", is_per_communicator=True),
        FileRule("allgather", 3, 5, 1000, 2001, "ring", is_per_communicator=True),
    )
    assert serving(rules, VERSION) == {"allgather": {1: (), 3: ((334, 501),)}}


def test_both_files_come_with_their_variables_and_without_those_that_take_han_out(tmp_path) -> None:
    made = decided(rule("bcast", "chain"), rule("reduce", "default"))
    export = FIVE.write(made)
    path = tmp_path / "rules"
    path.write_text(export.text)
    off = "OMPI_MCA_coll_han_priority"
    assert off not in FIVE.form.needs(export.text, VERSION) | export.settings
    assert "coll_han_dynamic_rules_filename" not in str(FIVE.form.settings(str(path), VERSION))
    (tmp_path / f"rules{BEHIND}").write_text(export.beside[BEHIND])
    told = FIVE.form.settings(str(path), VERSION) | FIVE.form.needs(export.text, VERSION)
    assert told["OMPI_MCA_coll_han_dynamic_rules_filename"] == f"{path}{BEHIND}"
    assert told["OMPI_MCA_coll_han_use_dynamic_file_rules"] == "1"
    assert "reduce" not in {one.operation for one in HAN.read(export.beside[BEHIND])}


def test_rules_that_are_kept_are_served_by_tuned_too() -> None:
    old = FIVE.write(decided(rule("reduce", "linear", n=8))).text
    merged = FIVE.write(decided(rule("bcast", "chain")), old=old)
    rules = HAN.read(merged.beside[BEHIND])
    assert {one.operation for one in rules if not one.is_default} == {"bcast", "reduce"}


def test_a_file_of_han_keeps_collectives_that_nothing_was_decided_on() -> None:
    merged = HAN.write(decided(rule("reduce", "linear", n=8)), old=GOOD)
    before, after = HAN.read(GOOD), HAN.read(merged.text)
    assert {(one.n, one.size, one.algorithm) for one in after if one.operation == "bcast"} == {
        (one.n, one.size, one.algorithm) for one in before
    }
    kept = {one.operation: one for one in parse(merged.text, VERSION).collectives}["bcast"]
    assert [LEVELS[level.key.value] for level in kept.parts] == [LEVELS[2], LEVELS[0]]
    assert rule_for(after, "reduce", 8, 1).algorithm == "tuned"  # type: ignore[union-attr]


def test_a_version_that_has_no_han_gets_no_file_of_it_and_another_no_format() -> None:
    assert not target_named("openmpi-4").write(decided(rule("bcast", "chain"))).beside
    assert format_named("openmpi-han-5.0.11") == (HAN.form, "5.0.11")
    with pytest.raises(InvalidInputError):
        HAN.form.version("6.0")


RANKS = "mpiexec -n 4 --map-by ppr:2:node "
SENT = re.compile(r"^[IE]\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent", re.MULTILINE)


@pytest.mark.mpi
@pytest.mark.full
@pytest.mark.timeout(600)
def test_between_hosts_tuned_serves_departures_and_han_the_rest(
    openmpi: MPI, compiled: Callable[..., Path], tmp_path: Path
) -> None:
    """By who sends what to whom, on two emulated hosts of two ranks each."""
    if version(openmpi) < (5,):
        pytest.skip("coll/han of 4.1 is not in front")
    if reason := why_impossible():
        pytest.skip(f"no lab here: {reason}")
    program = compiled(openmpi.mpicc, "-std=c11", Path(__file__).parent / "calls.c")
    made = decided(
        rule("bcast", "pipeline", n=4, m=1024, m_to=65536, options={"segment": 8192}),
        rule("allgather", "ring", n=4, m=512),
    )
    export = FIVE.form.write(Request(made, version(openmpi)))
    path = tmp_path / "rules"
    path.write_text(export.text)
    alone = FIVE.form.settings(str(path), version(openmpi))
    Path(f"{path}{BEHIND}").write_text(export.beside[BEHIND])
    both = FIVE.form.settings(str(path), version(openmpi))
    # The lab names a layer below MPI that counts nothing.
    arms = {"none": {}, "both": both, "off": alone | {"OMPI_MCA_coll_han_priority": "0"}}
    calls = [("bcast", 100), ("bcast", 40_000), ("bcast", 100_000), ("allgather", 100),
             ("allgather", 600)]  # fmt: skip
    script = [
        f"{RANKS}--mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 "
        f"--mca pml_monitoring_filename {tmp_path}/{arm}-{of}-{m} "
        f"env {' '.join(f'{name}={value}' for name, value in told.items())} {program} {of} {m}"
        for arm, told in arms.items()
        for of, m in calls
    ]
    with start(parse_lab(HOSTS, "two", "two.toml")) as lab:
        done = subprocess.run(
            [*lab.command("head"), "sh", "-ec", "\n".join(("unset OMPI_MCA_pml", *script))],
            env={**os.environ, **lab.variables},
            capture_output=True, text=True, timeout=500, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]

    def sent(arm: str, of: str, m: int) -> list[str]:
        files = sorted(tmp_path.glob(f"{arm}-{of}-{m}.*.prof"))
        return [row for file in files for row in SENT.findall(file.read_text())]

    for of, m in calls:
        departs = made.rule(of, 4, m) is not None
        assert sent("both", of, m) and sent("none", of, m) != sent("off", of, m)
        assert sent("both", of, m) == sent("off" if departs else "none", of, m), (of, m)
