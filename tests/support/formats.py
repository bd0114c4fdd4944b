"""Every format of rules, with decisions that it can hold, and files that are broken."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from contend.measure.mpi import installed
from contend.schedules.libraries import Version
from contend.tune.choose.rules import Decisions, Rule
from contend.tune.exports import (
    FORMATS,
    Export,
    FileRule,
    Finding,
    Format,
    Request,
    format_named,
)
from support.decisions import rule
from support.mpis import library_with_trees

OPERATIONS = (
    "bcast", "allreduce", "reduce", "alltoall", "allgather", "gather", "scatter", "barrier",
)  # fmt: skip
NAMES = FORMATS.names()
LEFT = (rule("bcast", "default"), rule("alltoall", "default", n=4, n_to=9, m=8, m_to=99))


@dataclass(frozen=True)
class Target:
    """A format, and the version of the library that is written for and reads."""

    form: Format
    version: Version

    def lint(self, text: str) -> list[Finding]:
        return self.form.lint(text, self.version)

    def read(self, text: str) -> tuple[FileRule, ...]:
        return self.form.read(text, self.version)

    def loading(self, path: Path) -> dict[str, str]:
        """The variables by which a file is taken."""
        needed = self.form.needs(path.read_text(), self.version)
        return self.form.settings(str(path), self.version) | needed

    def write(self, decisions: Decisions, **further: Any) -> Export:
        return self.form.write(Request(decisions, self.version, **further))


def target_named(name: str) -> Target:
    """The target of a name such as "openmpi-5.0.7"."""
    form, stated = format_named(name)
    return Target(form, form.version(stated))


def trees() -> str | None:
    """The library of an MPICH that is installed."""
    for mpi in installed():
        if mpi.family == "MPICH":
            return str(library_with_trees(mpi))
    return None


def format_of(name: str) -> tuple[Format, Version, str | None]:
    """A format, a version that reads it, and the library with its own rules, where it needs one."""
    own = trees() if name == "mpich" else None
    if name == "mpich" and own is None:
        pytest.skip("no MPICH is installed")
    form = FORMATS.get(name)
    newest = {"openmpi-han": (5, 0, 11), "openmpi-5": (5, 0, 11), "mpich": (5, 0, 2)}
    return form, newest.get(name, form.first), own


def departures(form: Format, version: Version) -> list[Rule]:
    """A rule of each operation for 4 to 8 processes, by size where sizes are told apart."""
    found = []
    for operation in OPERATIONS:
        right = form.library.always_right(operation, version)
        names = [
            one.name
            for one in form.library.algorithms(operation, version)
            if one.name in right and one.ranks == "any" and one.name != "smp"  # which is by node
        ]
        one_size = operation in (*form.library.one_for_all_sizes, "gather", "scatter", "barrier")
        one_size = one_size or form.name == "intel"  # whose variable takes all calls
        for name, m, m_to in zip(names[:2], (0, 1024), (1024, None), strict=False):
            ends = {} if one_size or len(names) < 2 else {"m": m, "m_to": m_to}
            found.append(rule(operation, name, n=4, n_to=9, **ends))
            if not ends:
                break
    return found


@cache
def broken() -> dict[str, dict[str, dict[str, Any]]]:
    """Files of rules by the format that reads them and name, most of them broken."""
    return tomllib.loads((Path(__file__).parents[1] / "exports" / "broken.toml").read_text())
