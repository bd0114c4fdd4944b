"""How variables that force an algorithm reach a library: while it runs, or at its start.

Idea: most of them are control variables of MPI_T, which a program writes while it runs, so that one
launch times many algorithms. What can be written, and which number an environment variable stands
for, says the library itself: a process that looks is started with the variable. What cannot be
written is given to a launch of its own.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from contend.base.errors import LaunchError

MCA = "OMPI_MCA_"  # before the name of a control variable of Open MPI
WRITABLE, FIXED, UNKNOWN = "writable", "fixed", "unknown"
LOOK_SECONDS = 60.0
# Variables that change nothing by themselves, so that the default may be timed beside them. Open
# MPI obeys settings only with dynamic rules; without any it goes by its fixed ones.
HARMLESS = ("OMPI_MCA_coll_tuned_use_dynamic_rules",)
# Under it a call that an algorithm cannot serve fails, where else another runs in its place. The
# first call tells; later ones, and those by which ranks start together, are not to fail.
AT_FIRST = ("MPIR_CVAR_COLLECTIVE_FALLBACK",)


@dataclass(frozen=True)
class Controls:
    """What forces a setting: numbers to write, and variables of the launch.

    `fixed` change the default too, `harmless` do not.
    """

    written: Mapping[str, int]
    fixed: Mapping[str, str]
    harmless: Mapping[str, str]
    variables: Mapping[str, str]  # all of them, as they were asked for


class InstalledLibrary:
    """The MPI library as the program `forced` at a path finds it."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._seen: dict[tuple[str, str], tuple[str, int]] = {}

    @cached_property
    def version(self) -> str:
        return self._ask(["--library"], {})

    def controls(self, variables: Mapping[str, str]) -> Controls:
        """The variables apart by how they reach the library.

        Raise LaunchError where the library does not know a value or a parameter.
        """
        written, fixed, harmless = {}, {}, {}
        for name, text in variables.items():
            state, value = self._look(name, text)
            if state == UNKNOWN and name.startswith(MCA) and not _is_of_component(name):
                raise LaunchError(
                    f"the MPI library has no parameter {control_name(name)}",
                    "the algorithm is left out",
                )
            if state == WRITABLE:
                written[("first:" if name in AT_FIRST else "") + control_name(name)] = value
            elif name in HARMLESS or (state == UNKNOWN and name.startswith(MCA)):
                harmless[name] = text
            else:
                fixed[name] = text
        return Controls(written, fixed, harmless, variables)

    def _look(self, name: str, text: str) -> tuple[str, int]:
        if (name, text) not in self._seen:
            output = self._ask(["--look", control_name(name)], {name: text})
            _, state, value = output.split("\n")[0].split("\t")
            self._seen[name, text] = state, int(value)
        return self._seen[name, text]

    def _ask(self, words: Sequence[str], variables: Mapping[str, str]) -> str:
        try:
            done = subprocess.run(
                [self._program, *words], capture_output=True, text=True, errors="replace",
                timeout=LOOK_SECONDS, check=False, env={**os.environ, **variables},
            )  # fmt: skip
            if done.returncode == 0:
                return done.stdout
            output = done.stderr.strip() or done.stdout.strip() or "it says nothing"
            output = output.splitlines()[0]
        except subprocess.TimeoutExpired:
            output = f"it says nothing for {LOOK_SECONDS:g} s"
        given = " ".join(f"{name}={value}" for name, value in variables.items())
        raise LaunchError(
            f"the MPI library does not start with {given or 'no variable set'}: {output}",
            "the algorithm is left out",
        )


def _is_of_component(name: str) -> bool:
    """Whether it says if a component takes part, which may be disabled without being there."""
    return name.endswith(("_enable", "_priority"))


def control_name(variable: str) -> str:
    """The control variable that an environment variable sets.

    >>> control_name("OMPI_MCA_coll_tuned_bcast_algorithm")
    'coll_tuned_bcast_algorithm'
    """
    return variable.removeprefix(MCA)
