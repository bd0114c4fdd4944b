"""Commands and launches that measure a proposal."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import typer.main

from contend.base.errors import InvalidInputError
from contend.cli.app import make_app
from contend.measure.build import Program
from contend.measure.probes.campaign import launches_of, program_of
from contend.measure.probes.commands import commands
from contend.measure.probes.cost import Cost
from contend.measure.probes.file import plan_of, read_plan, write_plan
from contend.measure.probes.places import Places
from contend.measure.probes.proposal import Proposal, Step

POINTS = [(64, 128), (8, 1024), (64, 32)]
PROGRAM = Program("alltoall_native", Path("there"), "alltoall", ("native",), 2, None)


def proposal(**fields: object) -> Proposal:
    """Three points at two n, their widths of no meaning."""
    targets = Places.of(POINTS)
    found = Proposal(
        operation="alltoall",
        algorithm="native",
        processes_per_node=None,
        targets=targets,
        start=np.ones(3),
        steps=tuple(Step(n, m, 1e-3, 0.2, np.ones(3)) for n, m in POINTS),
        cost=Cost(repetitions=7, warmup=2, launches=2),
        least=0.3,
    )
    return replace(found, **fields)  # type: ignore[arg-type]


def words(found: Proposal) -> list[str]:
    return [" ".join(line) for line in commands(found, Path("s.jsonl"))]


def test_there_is_a_command_for_each_n_with_its_sizes() -> None:
    small, large = words(proposal())
    assert "measure -e alltoall_native -n 8 -m 1024 " in small
    assert "measure -e alltoall_native -n 64 -m 32,128 " in large
    assert "--launches 2 --repeat min=7,max=7,warmup=2 -o s.jsonl" in large


def test_the_librarys_own_choice_of_any_operation_is_measured() -> None:
    group = typer.main.get_command(make_app())
    for line in commands(proposal(operation="bcast"), Path("s.jsonl")):
        assert line[:4] == ["contend", "measure", "-e", "bcast"]
        group.commands[line[1]].make_context(line[1], line[2:])  # type: ignore[attr-defined]


def test_they_say_where_the_samples_were_taken() -> None:
    assert "--ppn 4" in words(proposal(processes_per_node=4))[0]
    on_lab = words(proposal(processes_per_node=1, lab="fast-ethernet,hosts=16"))[0]
    assert "--on lab:fast-ethernet,hosts=16" in on_lab
    assert "--ppn" not in on_lab  # a lab places one on each host unasked
    assert "--on FILE.toml" in words(proposal(lab="mine"))[0]


def test_an_algorithm_of_the_catalogue_is_run_as_a_schedule() -> None:
    group = typer.main.get_command(make_app())
    for line in commands(proposal(algorithm="bruck"), Path("s.jsonl")):
        assert line[:5] == ["contend", "measure", "collectives", "alltoall", "bruck"]
        group.commands[line[1]].make_context(line[1], line[2:])  # type: ignore[attr-defined]


@pytest.mark.parametrize("algorithm", ["BRUCK-LOG-MPI-0-1", "lg"])
def test_what_contend_does_not_run_has_no_command(algorithm: str) -> None:
    found = proposal(algorithm=algorithm)
    assert words(found) == []
    with pytest.raises(InvalidInputError, match="no experiment measures") as raised:
        program_of(plan_of(found), {})
    assert "import it" in raised.value.remedy


def test_all_sizes_of_an_n_share_a_launch_and_are_shuffled() -> None:
    plan = plan_of(proposal())
    found = launches_of(plan, PROGRAM)
    assert [(one.n, one.number) for one in found] == [(8, 0), (64, 0), (8, 1), (64, 1)]
    assert {point for one in found for point in one.points()} == {
        ("alltoall", "native", n, m, number) for n, m in POINTS for number in (0, 1)
    }
    assert launches_of(plan, PROGRAM) == found


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    plan = plan_of(proposal(processes_per_node=4))
    write_plan(plan, tmp_path / "plan.json")
    assert read_plan(tmp_path / "plan.json") == plan
    assert plan.seconds == pytest.approx(0.6)
