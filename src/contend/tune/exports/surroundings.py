"""What is set around a program, strongest first: its command line, the environment, files.

A file of rules is loaded by environment variables, and other settings beside it may win over them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from contend.schedules.libraries import Version
from contend.tune.exports.filerule import FileRule


class Place(IntEnum):
    """Where a setting stands; of two places the first wins.

    Run with Open MPI 4.1.4 and 5.0.11, `override` with 5.0.11 alone, with MPICH 5.0.2 and with
    Intel MPI 2021.18.
    """

    override = 0  # openmpi-mca-params-override.conf of Open MPI
    program = 1  # `env NAME=VALUE` before the program
    passed = 2  # -x of Open MPI, -env of Hydra
    options = 3  # --mca of Open MPI, -genv of Hydra
    environment = 4
    files = 5  # of parameters


@dataclass(frozen=True)
class Surrounding:
    """A variable and its value; parameters of Open MPI are the variables that set them.

    `where` says in words where it stands, and `undo` how to take it away there.
    """

    name: str
    value: str
    place: Place
    where: str
    undo: str


@dataclass(frozen=True)
class Circumstances:
    """The rules of a file, the variables that load it, and what is set around a program.

    `rules` None: those of any file.
    """

    rules: Sequence[FileRule] | None
    loading: Mapping[str, str]
    version: Version
    around: Sequence[Surrounding]


def in_effect(around: Sequence[Surrounding]) -> dict[str, Surrounding]:
    """Return the effective setting of each variable: the strongest place, the first of equal ones.

    Options of a command line that are given twice stand in the order in which they win.
    """
    held: dict[str, Surrounding] = {}
    for setting in sorted(around, key=lambda each: each.place):
        held.setdefault(setting.name, setting)
    return held


def of_environment(environment: Mapping[str, str]) -> Iterator[Surrounding]:
    for name, value in environment.items():
        yield Surrounding(
            name, value, Place.environment, "in the environment", f"unset {name} where it runs"
        )
