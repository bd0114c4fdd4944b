"""Points of one launch as they come, with where and with what they were taken."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contend import __version__
from contend.base.errors import ContendError, InvalidInputError, LaunchError
from contend.measure.build import Program
from contend.measure.command import command_line, is_local, placement_of, settings
from contend.measure.emulation import as_emulated
from contend.measure.lab.environment import REAL_CLOCK
from contend.measure.lab.session import RunningLab
from contend.measure.launch import run
from contend.measure.runner import Runner
from contend.samples import Provenance

_AS_RECORDED = ("mpi_library", "mpi_standard", "nodes", "kernel", "cores_available", "clocks")
SOURCE = f"contend {__version__}"
Accept = Callable[[dict[str, Any], Provenance], None]


def points_of(
    runner: Runner,
    program: Program,
    n: int,
    sizes: Sequence[int],
    accept: Accept,
    name: str,
    in_order: Sequence[str] = (),
) -> Generator[tuple[dict[str, Any], Provenance], None, None]:
    """Lines of kind "point" of a launch, in the time of the network that a lab stands for.

    `accept` is called with the launch's first line before anything is measured, and may raise.

    Raise ContendError as `run` does, and when the launcher did not do as asked; `name` says which
    launch it was, and of its points `in_order` the one under way.
    """
    mpi, options, lab = runner.mpi, runner.options, runner.lab
    command = command_line(mpi, program, n, sizes, options)
    variables = settings(mpi, n, options)
    if lab:
        command, variables = [*lab.command(), *command], lab.variables | REAL_CLOCK
    provenance, under_way = Provenance(source=SOURCE), list(in_order)
    try:
        dilation = lab.lab.time_dilation if lab else 1.0
        limits = (options.start_timeout(mpi), options.point_timeout(dilation))
        is_here = lab is not None or is_local(mpi, options)
        for data in run(command, variables, *limits, is_here=is_here):
            if data["kind"] == "launch":
                require_as_asked(data, n, placement_of(program, options))
                provenance = _provenance(data, command, variables, lab)
                accept(data, provenance)
            elif data["kind"] == "point":
                del under_way[:1]
                yield as_emulated(data, lab) if lab else data, provenance
    except ContendError as error:
        if lab:
            lab.require_alive()  # else its end is the reason
        where = "".join([name, *(f", at {point}" for point in under_way[:1])])
        error.args = (f"{where}: {error.message}",)
        error.message = error.args[0]
        raise


def require_as_asked(data: Mapping[str, Any], n: int, per_node: int | None) -> None:
    """Raise an error unless the launcher started as many ranks, placed as asked."""
    if data["n"] != n:
        raise LaunchError(
            f"the launcher started {data['n']} processes as one program, {n} were asked for",
            "use the launcher of this MPI library; under Slurm try --mpiexec 'srun --mpi=pmix'",
        )
    placed = data["processes_per_node"]
    if per_node and placed != min(per_node, n):
        raise LaunchError(
            f"the launcher placed {placed} processes on a node, {per_node} were asked for",
            "reserve enough nodes, or give the launcher's own placement with --mpiexec",
        )


def require_same_origin(path: Path, before: Iterable[Provenance], new: Provenance) -> None:
    """Raise an error unless all that a file holds is of the same network and MPI library."""
    for old in before:
        if (old.lab, old.time_dilation) != (new.lab, new.time_dilation):
            raise InvalidInputError(
                f"{path} was measured on {old.lab or 'this machine'}, this launch "
                f"is on {new.lab or 'this machine'}, or with another time dilation",
                "name another samples file for another network",
            )
        if old.mpi_library == new.mpi_library:
            continue
        raise InvalidInputError(
            f"{path} was measured with {old.mpi_library or old.source}, "
            f"this launch uses {new.mpi_library}",
            "name another samples file for another MPI library",
        )


def _provenance(
    data: dict[str, Any],
    command: Sequence[str],
    variables: Mapping[str, str],
    lab: RunningLab | None,
) -> Provenance:
    return Provenance(
        source=SOURCE, date=datetime.now(UTC).isoformat(timespec="seconds"),
        hosts=tuple(data["hosts"]), cpu=data["cpu"] or None,
        is_oversubscribed=data["oversubscribed"], clock_resolution=data["clock_resolution_s"],
        start_note=data["start_note"] or None,
        congestion_control=data["congestion_control"] or None, command=tuple(command),
        environment=tuple(f"{name}={value}" for name, value in variables.items() if name != "PATH"),
        lab=lab.lab.name if lab else None, time_dilation=lab.lab.time_dilation if lab else None,
        **{name: data[name] for name in _AS_RECORDED},
    )  # fmt: skip
