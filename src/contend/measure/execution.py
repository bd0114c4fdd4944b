"""Schedules as programs to launch: compiled into a file beside the MPI programs, then as any other.

The file is in the cache folder, which every host that starts the programs sees.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from zlib import crc32

import numpy as np

from contend.base.errors import InvalidInputError
from contend.measure.build import Program, built_folder
from contend.measure.calls import CallCampaign
from contend.measure.mpi import MPI
from contend.measure.plan import Launch, planned_point
from contend.measure.scratch import scratch
from contend.samples import Sample
from contend.schedules.algorithm import Algorithm
from contend.schedules.groups import Layout, groups_text
from contend.schedules.programfile import Executable, write_programs
from contend.schedules.vector import VectorAlgorithm

FEWEST = 2  # a sample has so many processes at least


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
        {**options, **({"root": root} if root else {}), **_groups(algorithm, n)},
    )


def _groups(algorithm: Algorithm, n: int) -> dict[str, int]:
    """What a sample says of groups: how many there are, how large, and a sum over who is in which.

    The sum (CRC-32 of the groups as text) tells groups of the same sizes apart: parameters are
    numbers, and the text of many ranks that take turns is longer than a program file has room for.
    """
    if algorithm.grouping is None:
        return {}
    groups = algorithm.grouping(n)
    size = Layout(groups).size
    return {
        "groups": size.size,
        "smallest_group": int(size.min()),
        "largest_group": int(size.max()),
        "groups_sum": crc32(groups_text(groups).encode()),
    }


def sizes_of(algorithm: Algorithm, n: int, sizes: Sequence[int]) -> dict[int, object]:
    """What each size means to the algorithm: itself, or a matrix full of it."""
    if isinstance(algorithm, VectorAlgorithm):
        return {m: np.full((n, n), m) for m in sizes}
    return {m: m for m in sizes}


@contextmanager
def program_of(mpi: MPI, executable: Executable) -> Iterator[Program]:
    """The executor with a compiled schedule, while the context lasts."""
    folder = built_folder(mpi)
    with scratch(folder.parent, "schedule-") as place:
        path = place / f"{executable.collective.name}-{executable.algorithm}"
        write_programs(path, executable)
        yield Program(
            "execute",
            folder / "execute",
            experiment=executable.collective.name,
            algorithms=(executable.algorithm,),
            processes_min=executable.ranks,
            processes_max=None,  # a schedule for two is no single message
            arguments=(str(path),),
        )


def run_schedules(
    campaign: CallCampaign, schedules: Sequence[Executable], launches: int
) -> list[Sample]:
    if fewest := [executable.ranks for executable in schedules if executable.ranks < FEWEST]:
        raise InvalidInputError(
            f"n = {fewest[0]}", f"a collective operation takes at least {FEWEST} processes"
        )
    for executable in schedules:
        _require_same_parameters(campaign.samples, executable)
    with ExitStack() as stack:
        mpi = campaign.runner.mpi
        programs = [stack.enter_context(program_of(mpi, executable)) for executable in schedules]
        planned = [
            Launch(program, executable.ranks, number, tuple(executable.schedules))
            for number in range(launches)
            for program, executable in zip(programs, schedules, strict=True)
        ]
        campaign.carry_out(planned)
    wanted = {point for launch in planned for point in launch.points()}
    return [
        sample
        for sample in campaign.samples
        if campaign.is_wanted(sample) and planned_point(sample) in wanted
    ]


def _require_same_parameters(samples: Sequence[Sample], executable: Executable) -> None:
    """Distinguish points by the algorithm's name, not by its options, groups or root."""
    wanted = dict(executable.parameters or {})
    for sample in samples:
        is_same = (sample.experiment, sample.algorithm, sample.n) == (
            executable.collective.name,
            executable.algorithm,
            executable.ranks,
        )
        if is_same and dict(sample.parameters or {}) != wanted:
            raise InvalidInputError(
                f"the samples there hold {sample.experiment} {sample.algorithm} with "
                f"{sample.parameters or 'no options'}, this run has {wanted or 'none'}",
                "name another samples file for other options, other groups or another root",
            )
