"""Schedules as programs to launch: compiled into a file beside the MPI programs, then as any other.

The file is in the cache folder, which every host that starts the programs sees.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from contend.measure.build import Program, built_folder
from contend.measure.mpi import MPI
from contend.schedules.algorithm import Algorithm
from contend.schedules.programfile import Executable, write_programs


def executable(
    algorithm: Algorithm, n: int, sizes: Mapping[int, object], root: int = 0, **options: int
) -> Executable:
    """An algorithm for `n` ranks; `sizes` says by which size a point is called, and its m."""
    return Executable(
        algorithm.defines,
        algorithm.name,
        {
            label: algorithm.build(n, m, root, **options)  # type: ignore[arg-type]
            for label, m in sizes.items()
        },
        root,
        {**options, **({"root": root} if root else {})},
    )


@contextmanager
def program_of(mpi: MPI, what: Executable) -> Iterator[Program]:
    """The executor with a compiled schedule, while the context lasts."""
    folder = built_folder(mpi)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="schedule-") as scratch:
        path = Path(scratch) / f"{what.collective.name}-{what.algorithm}"
        write_programs(path, what)
        yield Program(
            "execute",
            folder / "execute",
            experiment=what.collective.name,
            algorithms=(what.algorithm,),
            processes_min=what.ranks,
            processes_max=None,  # a schedule for two is no single message
            arguments=(str(path),),
        )
