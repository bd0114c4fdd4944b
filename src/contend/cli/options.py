"""Options that several commands share, so that each is written and explained once."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from contend.api import (
    InvalidInputError,
    format_seconds,
    parse_bytes_list,
    parse_counts,
    parse_seconds,
)
from contend.cli import completion


def option(help: str, *names: str, default: Any = None, **settings: Any) -> Any:
    """Return an option: the default of a parameter of a command, or of a field of a bundle.

    Without names it is named as the parameter; with ``...`` as its default it has to be given.
    """
    return typer.Option(default, *names, help=help, **settings)


def argument(help: str, *, default: Any = ..., **settings: Any) -> Any:
    """Return an argument in the same way; it has to be given where no default is."""
    return typer.Argument(default, help=help, **settings)


Speed = Annotated[
    str | None,
    typer.Option(help="Operations per second, for traces that count them, e.g. 2.5e9."),
]
TraceFormat = Annotated[
    str | None, typer.Option("--format", help="Of the trace, where it does not say itself.")
]
SamplesFile = Annotated[Path, typer.Argument(help="Samples file (JSON Lines).")]
NetworkFile = Annotated[Path, typer.Argument(help="Network file.")]
MpiccOfProgram = Annotated[
    str | None,
    typer.Option(
        "--mpicc",
        help="Compiler wrapper of its MPI, where the program does not show which it uses.",
    ),
]
Bandwidth = Annotated[
    str | None, typer.Option(help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s.")
]
SharingModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        autocompletion=completion.sharing_models,
        help="How messages share it; default maxmin, or the network's closest.",
    ),
]
SharingNetwork = Annotated[
    Path | None, typer.Option("--network", help="Network file with sharing models.")
]
TraceFile = Annotated[
    Path, typer.Argument(help="Folder of 'contend record', or a trace of another tool.")
]
Topology = Annotated[
    str,
    typer.Option(
        metavar="switch|k-ary:32@random|FILE",
        autocompletion=completion.topologies,
        help="fat-tree, k-ary, pgft, torus, dragonfly; @d-mod-k, @ecmp, @random:SEED, @adaptive, "
        "@minimal, @valiant; JSON, SimGrid's XML.",
    ),
]
Mpiexec = Annotated[
    str | None,
    typer.Option(
        help="Launcher, e.g. 'srun -p debug', before '-n N'; default $MPIEXEC, or the mpiexec "
        "beside mpicc."
    ),
]
Counts = Annotated[
    str | None, typer.Option("-n", "--processes", help="Numbers of processes, e.g. 2,4,8-10.")
]
Sizes = Annotated[
    str | None, typer.Option("-m", "--sizes", help="Message sizes, e.g. 64,1KiB,64KiB,1MiB.")
]
Assumed = Annotated[
    list[str] | None,
    typer.Option(
        "--assume",
        metavar="NAME=VALUE,...",
        help="What was not measured: alpha=1.3us, the start-up of a message, and beta=12.5GB/s (or "
        "0.08ns/B, 8e-11), its time per byte.",
    ),
]
Launches = Annotated[
    int | None,
    typer.Option(min=1, help="Launches of each point; default 3, on a lab 2."),
]


def duration(least: float) -> Callable[[object], float]:
    """Reader of a time such as 500ms or 2min; a number without a unit is seconds."""

    def seconds(text: object) -> float:
        if (time := parse_seconds(str(text))) < least:
            raise InvalidInputError(f"a time of {text}", f"give {format_seconds(least)} or more")
        return time

    return seconds


MaxMinutes = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        help="Most minutes; the same command measures the rest.",
    ),
]
Samples = Annotated[
    Path, typer.Option("-o", "--output", help="File of samples; continued if it exists.")
]

On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="auto|here|lab:NAME|FILE.toml",
        autocompletion=completion.places,
        help="here, with this machine's MPI, or an emulated network ('contend list labs'). auto: "
        "here in a batch job or with --mpiexec, $MPIEXEC or --ppn, else lab:lossless where this "
        "machine allows one.",
    ),
]


PerNode = Annotated[
    int | None, typer.Option("--ppn", "--processes-per-node", min=1, help="Processes per node.")
]
RuleFormat = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="LIBRARY",
        autocompletion=completion.rule_formats,
        help="Format, with a version or without: openmpi-5.0.7, mpich; default the library that "
        "was measured, of rules as they look.",
    ),
]
DecidedPerNode = Annotated[
    int | None,
    typer.Option("--ppn", min=1, help="Decisions of this many processes per node."),
]
OwnRules = Annotated[
    Path | None,
    typer.Option(
        "--default",
        metavar="FILE",
        help="Library of the MPI that shall obey, or its own rules; MPICH alone needs it.",
    ),
]
AllCommute = Annotated[
    bool,
    typer.Option(
        "--all-commute",
        help="All reduction operations of the programs commute (MPI_Op_create with commute = 1): "
        "take algorithms too that reorder operands.",
    ),
]
Refine = Annotated[int, typer.Option(min=0, help="Sizes that pLogP adds itself.")]
IncludeFlagged = Annotated[
    bool,
    typer.Option(
        "--include-flagged",
        help="Also use samples in which an emulated network could not keep up.",
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        autocompletion=completion.forms,
        help="Signature form or baseline; default the one that validation found best on points "
        "that none has seen, or else growth.",
    ),
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        help="Algorithm, where the file holds several.", autocompletion=completion.algorithms
    ),
]


class PortsAre(StrEnum):
    """What messages meet on their way."""

    auto = "auto"
    single = "single"
    shared = "shared"
    fitted = "fitted"
    levels = "levels"


Ports = Annotated[
    PortsAre,
    typer.Option(
        "--ports",
        help="How messages pass a rank's port. single: one at a time, by closed forms; shared: "
        "several that are under way at once share it, by the contention engine; fitted: by the "
        "sharing model of 'contend fit'; levels: messages between nodes (--ppn) or --groups "
        "share the links there; auto: what predicts best what was measured of the operation, with "
        "its errors in the intervals.",
    ),
]
Collective = Annotated[
    str,
    typer.Argument(
        help="Collective operation, one of 'contend list algorithms'.",
        autocompletion=completion.collectives,
    ),
]


def named_counts(text: str | None) -> list[int] | None:
    """Numbers of processes as given with -n; None where it was not given.

    >>> named_counts("4,8"), named_counts(None)
    ([4, 8], None)
    """
    return _named(text, parse_counts, "number of processes", "-n, e.g. -n 4,8")


def named_sizes(text: str | None) -> list[int] | None:
    """Bytes as given with -m; None where it was not given."""
    return _named(text, parse_bytes_list, "message size", "-m, e.g. -m 64,64KiB")


def named_operations(text: str) -> tuple[str, ...]:
    """Names of operations separated by commas.

    >>> named_operations("bcast, allreduce")
    ('bcast', 'allreduce')
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise InvalidInputError(f"{text!r} names no operation", "give --collective bcast,alltoall")
    return names


def named_fanouts(text: str | None) -> list[int] | None:
    """Numbers of children as given with --fanouts; None where it was not given."""
    kind, how = "number of children", "--fanouts 2,8"
    numbers = _named(text, lambda given: parse_counts(given, kind), kind, how)
    if numbers and numbers[0] < 1:
        raise InvalidInputError(f"{numbers[0]} is no {kind}", f"give 1 or more, as {how}")
    return numbers


def _named(
    text: str | None, parse: Callable[[str], list[int]], kind: str, how: str
) -> list[int] | None:
    if not text:
        return None
    if not (numbers := parse(text)):
        raise InvalidInputError(f"{text!r} holds no {kind}", f"give {how}")
    return numbers
