"""Variables of Intel MPI: what is written is what was decided, and faults are found."""

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from selection import decisions, rule, tiling

from contend.base.errors import InvalidInputError
from contend.tune.choose.rules import Rule
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.presets import MOST, UNITS, PresetPoison
from contend.tune.exports.shell import values
from support.formats import target_named

FORMAT = target_named("intel-2021.18")
OPERATIONS = ("alltoall", "bcast", "allgatherv", "reduce_scatter", "barrier")


def names_of(operation: str) -> tuple[str, ...]:
    return FORMAT.form.library.always_right(operation, FORMAT.version)[:4]


def by_sizes(rng: random.Random, operation: str) -> list[Rule]:
    """The same on 2 to 59 processes, for all sizes."""
    ends = sorted(rng.sample(range(1, 900), 3))
    names = [rng.choice(names_of(operation)) for _ in range(4)]
    return [
        rule(operation, 2, 60, m, m_to, name)
        for m, m_to, name in zip([0, *ends], [*ends, None], names, strict=True)
    ]


def by_processes(rng: random.Random, operation: str) -> list[Rule]:
    """The same for all sizes, on ranges of processes without one between."""
    ends = [2, *sorted(rng.sample(range(3, 60), 3)), 60]
    return [
        rule(operation, n, n_to, 0, None, rng.choice(names_of(operation)))
        for n, n_to in pairwise(ends)
    ]


@pytest.mark.parametrize("rules_of", [by_sizes, by_processes])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_is_read_back_is_what_was_decided(
    operation: str, rules_of: Callable[[random.Random, str], list[Rule]]
) -> None:
    if rules_of is by_sizes and (operation == "barrier" or UNITS[operation] == "total"):
        pytest.skip("sizes of all processes are others on each number of them")
    rng = random.Random(operation)
    for _ in range(20):
        made = decisions(*rules_of(rng, operation), library="intel", version="2021.18")
        text = FORMAT.write(made).text
        assert FORMAT.lint(text) == []
        rules = FORMAT.read(text)
        for _ in range(150):
            n, m = rng.randint(2, 59), 0 if operation == "barrier" else rng.randint(0, 1000)
            wanted, found = made.rule(operation, n, m), rule_for(rules, operation, n, m)
            assert wanted and found and found.algorithm == wanted.algorithm


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_of_which_a_call_is_left_to_the_library_gets_no_variable(
    operation: str,
) -> None:
    """Whatever is written is what was decided, for every call that was decided on."""
    rng, sizes = random.Random(operation), range(0) if operation == "barrier" else range(1, 900)
    for _ in range(40):
        tiles = tiling(rng, operation, ("default", *names_of(operation)), range(2, 60), sizes)
        made = decisions(*tiles, library="intel", version="2021.18")
        export = FORMAT.write(made)
        rules = FORMAT.read(export.text)
        if any(each.is_default for each in made.rules):
            assert rules == ()
            departs = any(not each.is_default for each in made.rules)
            assert any("left to" in note for note in export.notes) or not departs
        for each in made.rules if rules else ():
            found = rule_for(rules, operation, each.n, each.m)
            assert found and found.algorithm == each.algorithm


def test_a_size_that_was_not_decided_on_is_left_to_the_library_with_all_others() -> None:
    made = decisions(rule("alltoall", 2, 9, 0, 257, "bruck"))
    export = FORMAT.write(made)
    assert values(export.text) == {}
    assert [note for note in export.notes if "some stay with the default" in note]


def test_a_documented_preset_is_written_by_its_number() -> None:
    made = decisions(
        rule("alltoall", 2, 9, 0, 257, "bruck"), rule("alltoall", 2, 9, 257, None, "pairwise")
    )
    export = FORMAT.write(made)
    assert values(export.text) == {"I_MPI_ADJUST_ALLTOALL": f"1:0-256;3:257-{MOST}"}
    assert [note for note in export.notes if "2 to 8 processes, and taken on every" in note]


def test_an_operation_without_sizes_is_read_as_its_last_condition() -> None:
    text = 'export I_MPI_ADJUST_ALLTOALLV="1:0-99;2:100-199"\n'
    (found,) = FORMAT.read(text)
    assert (found.algorithm, found.size, found.size_to) == ("preset_2", 0, None)


@pytest.mark.parametrize(
    ("operation", "value", "names", "m", "poisoned"),
    [
        ("alltoall", "1:0-99;3:100-200", ["bruck"], 50, f"1:0-49;99:50-50;1:51-99;3:100-{MOST}"),
        ("alltoall", "1:0-99;3:100-200", ["bruck"], 0, f"99:0-0;1:1-99;3:100-{MOST}"),
        ("alltoall", "1:0-0;3:1-9", ["bruck"], 0, f"99:0-0;3:1-{MOST}"),
        ("alltoall", "1:0-99;3:100-200", ["bruck"], 99, f"1:0-98;99:99-99;3:100-{MOST}"),
        ("alltoall", "1:0-99;3:100-200", ["bruck"], 100, f"1:0-99;3:100-{MOST}"),
        ("alltoall", "1:0-9@2-4;3:0-9@8", ["pairwise"], 5, f"1:0-{MOST}@1-4;99:0-{MOST}@5-{MOST}"),
        ("alltoallv", "1:0-9;2:10-99", ["preset_2"], 5, f"99:0-{MOST}"),
        ("reduce_scatter", "1:0-99", ["preset_1"], 10, f"1:0-31;99:32-32;1:33-{MOST}"),
    ],
)  # fmt: skip
def test_poison_stands_for_calls_of_a_size_where_sizes_count(
    operation: str, value: str, names: list[str], m: int, poisoned: str
) -> None:
    name = f"I_MPI_ADJUST_{operation.upper()}"
    text = f'export {name}="{value}"\nexport I_MPI_ADJUST_SCAN=1\n'
    made = PresetPoison().poisoned(text, operation, names, 4, m)
    assert values(made) == {name: poisoned, "I_MPI_ADJUST_SCAN": "1"}


def test_a_file_that_is_there_keeps_variables_that_nothing_was_decided_on() -> None:
    old = 'export I_MPI_ADJUST_BCAST="3:0-99"\nexport I_MPI_ADJUST_ALLTOALL="2"\n'
    made = decisions(rule("alltoall", 2, 9, 0, None, "default"))
    merged = FORMAT.write(made, old=old)
    assert values(merged.text) == {"I_MPI_ADJUST_BCAST": "3:0-99"}


def test_rules_of_several_placements_want_one_named() -> None:
    made = decisions(rule("bcast", 2, 9, 0, None, "preset_1", ppn=1),
                     rule("bcast", 2, 9, 0, None, "preset_2", ppn=4))  # fmt: skip
    with pytest.raises(InvalidInputError, match="--ppn"):
        FORMAT.write(made)
    text = FORMAT.write(made, processes_per_node=4).text
    assert values(text)["I_MPI_ADJUST_BCAST"].startswith("2:")


def test_what_is_right_has_no_finding() -> None:
    text = """# comments, and variables of others
export I_MPI_ADJUST_ALLTOALL="1:0-256;3:257-512,513-2147483647"
export I_MPI_ADJUST_REDUCE="1:0-2147483647@1-8;3:0-2147483647@9-2147483647"
export I_MPI_ADJUST_BCAST='4'
export I_MPI_ADJUST_IBCAST=1
export I_MPI_FABRICS=shm
"""
    assert FORMAT.lint(text) == []


@pytest.mark.mpi
@pytest.mark.parametrize("is_right", [True, False])
def test_the_library_at_hand_reads_what_is_written(is_right: bool) -> None:
    tools = [shutil.which(name) for name in ("IMB-MPI1", "impi_info", "mpiexec")]
    if None in tools:
        pytest.skip("no benchmarks of Intel MPI are on PATH")
    made = decisions(
        rule("alltoall", 2, 3, 0, 64, "bruck"), rule("alltoall", 2, 3, 64, None, "pairwise"),
        rule("barrier", 2, 9, 0, None, "preset_2"),
        rule("reduce_scatter", 2, 5, 0, None, "preset_1"),
    )  # fmt: skip
    variables = values(FORMAT.write(made).text)
    if not is_right:
        variables["I_MPI_ADJUST_ALLTOALL"] += ";bruck"
    command = [str(tools[2]), "-n", "2", str(tools[0]), "-msglog", "6:6", "-iter", "1", "alltoall"]
    done = subprocess.run(command, env=os.environ | variables | {"I_MPI_DEBUG": "5"}, text=True,
                          capture_output=True, timeout=120, check=False)  # fmt: skip
    if "Intel(R) MPI" not in done.stdout:
        pytest.skip("the mpiexec on PATH is another MPI's")
    assert ("Incorrect adjust value" in done.stdout) is not is_right
    shown = [f"{name}={value}" in done.stdout for name, value in variables.items()]
    assert all(shown) or not is_right


def test_the_number_of_presets_is_that_of_the_library_at_hand() -> None:
    if (tool := shutil.which("impi_info")) is None:
        pytest.skip("no impi_info is on PATH")
    for operation in ("alltoall", "bcast", "barrier", "reduce_scatter_block"):
        done = subprocess.run([tool, "-v", f"I_MPI_ADJUST_{operation.upper()}"], env=os.environ,
                              capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
        if done.returncode:
            pytest.skip(done.stderr)
        offered = FORMAT.form.library.algorithms(operation, FORMAT.version)
        most = max(one.number or 0 for one in offered)
        assert f"range: 0-{most}" in done.stdout


def test_nothing_of_a_name_or_an_old_file_is_run_by_the_shell(tmp_path: Path) -> None:
    made = decisions(rule("alltoall", 2, 9, 0, None, "bruck")).model_copy(
        update={"network": "a\ntouch bad #", "date": "`touch bad`"}
    )
    old = "export I_MPI_ADJUST_BCAST='$(touch bad)`touch bad`'\n"
    path = tmp_path / "rules.sh"
    path.write_text(FORMAT.write(made, old=old).text)
    done = subprocess.run(
        ["sh", "-c", f". {path}; echo $I_MPI_ADJUST_ALLTOALL"], cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == values(path.read_text())["I_MPI_ADJUST_ALLTOALL"]
    assert [one.name for one in tmp_path.iterdir()] == ["rules.sh"]


@pytest.mark.parametrize(
    "end", ["_COMPOSITION", "_NODE", "_NETWORK", "_LIST", "_NODE_KNOMIAL_RADIX", "_KARY_SEGSIZE"]
)
def test_variables_of_parts_of_algorithms_are_none_that_are_misspelt(end):
    assert FORMAT.form.lint(f"export I_MPI_ADJUST_BCAST{end}=2\n", FORMAT.form.first) == []
