"""Every command that an explanation tells one to try is one that contend accepts."""

import shlex

import pytest

from contend.models.explanation.case import Case, cases
from contend.models.explanation.commands import choose, exchange, library_name, measure
from contend.models.explanation.finding import Try, suspected
from contend.models.explanation.message import Message
from contend.models.explanation.summary import gaps
from contend.schedules.pointtopoint import hockney
from support.commands import parse
from support.synthesis import alltoall, sample

LINE = hockney.given(1e-6, 1e-9)


def crowded(n: int, m: int) -> float:
    """A machine with a step, a poor region and a card that is full."""
    return n * (1e-5 + 3e-8 * m) * (3.0 if 512 <= m <= 2048 else 1.0)


def all_cases() -> list[Case]:
    """An exchange and a broadcast, with and without what is known beside."""
    of_exchange = alltoall((8, 16, 24), crowded, processes_per_node=4, statistic="mean")
    bcast = [sample(m, 8, (1e-5 + 1e-9 * m,), experiment="bcast") for m in (64, 1024, 4096)]
    return [
        case
        for message in (Message(), Message(LINE), Message(LINE, 1e-9))
        for case in cases([*of_exchange, *bcast], message)
    ]


def tries() -> list[Try]:
    """Those of all suspicions and gaps, and of the makers of commands."""
    found: list[Try] = []
    for case in all_cases():
        found += [each for one in suspected(case) for each in one.tries]
        found += [one.how for one in gaps(case)]
        found += [*choose(case, [64, 4096]), exchange(case)]
        found += [Try(measure(case, [64], (4, 8), per_node=2, alone=True), "")]
    return found


def commands() -> list[str]:
    """Single commands of contend."""
    each = [part.strip() for one in tries() for part in one.command.split("&&")]
    return sorted({part for part in each if part.startswith("contend ")})


@pytest.mark.parametrize(
    "said, name",
    [
        ("Open MPI v5.0.11, package: Open MPI", "openmpi-5"),
        ("OMPI 4.1.6", "openmpi-4"),
        ("MPICH Version:\t4.0.2", "mpich"),
        ("Intel(R) MPI Library 2021.18 for Linux* OS", "intel"),
        ("another", "LIBRARY"),
        (None, "LIBRARY"),
    ],
)
def test_a_file_of_rules_is_for_the_library_that_was_measured(said: str | None, name: str) -> None:
    own = sample(64, 8, (1e-5,), experiment="bcast")
    provenance = own.provenance.model_copy(update={"mpi_library": said})
    (case,) = cases([own.model_copy(update={"provenance": provenance})], Message())
    assert library_name(case) == name


@pytest.mark.parametrize("line", commands())
def test_every_command_to_try_is_accepted(line: str) -> None:
    words = shlex.split(line)[1:]
    parse([{"LIBRARY": "mpich", "N": "4", "SIZE": "64"}.get(word, word) for word in words])


def test_what_is_no_command_of_contend_is_an_option_of_explain() -> None:
    others = {one.command for one in tries() if not one.command.startswith("contend ")}
    assert {one.split()[0] for one in others} <= {"--ppn", "--assume"}
