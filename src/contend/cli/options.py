"""Options that several commands share, so that each is written and explained once."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from contend.api import (
    InvalidInputError,
    format_seconds,
    parse_bytes,
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
SamplesFile = Annotated[Path, typer.Argument(help="Samples file (JSON Lines).")]
NetworkFile = Annotated[Path, typer.Argument(help="Network file.")]
GraphsFile = Annotated[Path, typer.Argument(help="Measured contention graphs (JSON Lines).")]
Mpicc = Annotated[
    str | None,
    typer.Option(help="MPI compiler wrapper; default $MPICC, mpicc on PATH, the PyPI one."),
]
MpiccOfProgram = Annotated[
    str | None,
    typer.Option("--mpicc", help="Compiler wrapper of its MPI, where that cannot be told."),
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
TraceFormat = Annotated[
    str | None, typer.Option("--format", help="Of the trace, where it does not say itself.")
]
Topology = Annotated[
    str,
    typer.Option(
        metavar="switch|k-ary:32@random|FILE",
        autocompletion=completion.topologies,
        help="Links between the hosts: a word (fat-tree, k-ary, pgft, torus, dragonfly), perhaps "
        "with a routing (@d-mod-k, @ecmp, @random:SEED, @adaptive, @minimal, @valiant); JSON or a "
        "SimGrid platform.",
    ),
]
Mpiexec = Annotated[
    str | None,
    typer.Option(
        help="Launcher with its options, e.g. 'srun -p debug'; default $MPIEXEC, or the mpiexec "
        "beside the wrapper. '-n N' is added."
    ),
]
Counts = Annotated[
    str | None, typer.Option("-n", "--processes", help="Numbers of processes, e.g. 2,4,8-10.")
]
Sizes = Annotated[
    str | None, typer.Option("-m", "--sizes", help="Message sizes, e.g. 64,1KiB,64KiB,1MiB.")
]
Launches = Annotated[
    int | None,
    typer.Option(min=1, help="Launches over which each point is repeated; default 3, on a lab 2."),
]


def duration(least: float) -> Callable[[object], float]:
    """Reader of a time such as 500ms or 2min; a number without a unit is seconds."""

    def seconds(text: object) -> float:
        if (found := parse_seconds(str(text))) < least:
            raise InvalidInputError(f"a time of {text}", f"give {format_seconds(least)} or more")
        return found

    return seconds


MaxSeconds = Annotated[
    float | None,
    typer.Option(
        parser=duration(0.001),
        metavar="TIME",
        help="Most time for one point of one launch; default 500ms, of links 2s, of a study 250ms.",
    ),
]
MaxMinutes = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        help="Most minutes to measure; what is not done then is left to the same command.",
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
        help="Where to run: here, with this machine's MPI and launcher, or on an emulated network "
        "('contend list labs'). auto: here in a batch job or with --mpiexec, $MPIEXEC or --ppn, "
        "else lab:lossless where this machine allows one.",
    ),
]


PerNode = Annotated[
    int | None, typer.Option("--ppn", "--processes-per-node", min=1, help="Processes per node.")
]
RuleFormat = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="LIBRARY",
        autocompletion=completion.rule_formats,
        help="Format, with a version or without: openmpi-5.0.7, mpich; default the library that "
        "was measured, of rules as they look.",
    ),
]
RunTimeout = Annotated[
    float, typer.Option(parser=duration(1.0), metavar="TIME", help="After which a run hangs.")
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
Timeout = Annotated[
    float | None,
    typer.Option(
        parser=duration(1.0),
        metavar="TIME",
        help="Time of the network without a new point after which a launch hangs; default 60s.",
    ),
]
Refine = Annotated[
    int, typer.Option(min=0, help="Sizes added to pLogP where interpolation is worst.")
]
Seed = Annotated[int, typer.Option(help="Seed of the order in which points are measured.")]
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

Groups = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="RANKS/RANKS/...",
        help="Which ranks are close to each other, for algorithms that look at it: the ranks of "
        "each group, groups separated by a slash. 0-2/3-7: three ranks and five; 0,2/1,3: two "
        "groups that take turns.",
    ),
]


@dataclass(frozen=True)
class Variant:
    """The options of an algorithm, and the groups of ranks that it looks at."""

    options: list[str] | None = option(
        "Options of an algorithm that has them: segment=16KiB; degree=4 of its tree, or its radix; "
        "window=2 messages of a rank under way; leaders=2 ranks that speak for their group.",
        "--with",
        metavar="NAME=VALUE,...",
    )
    groups: Groups = None

    @property
    def given(self) -> dict[str, int]:
        """Return the options of a call that were given."""
        pairs = named_pairs(self.options, "--with", ("segment", "degree", "window", "leaders"))
        return {
            name: parse_bytes(value) if name == "segment" else whole(f"--with {name}", value)
            for name, value in pairs.items()
        }


@dataclass(frozen=True)
class Repeat:
    """How often a point is measured, by what is given as name=value; None for the default."""

    precision: float = 0.05
    min_repetitions: int | None = None
    max_repetitions: int | None = None
    warmup: int | None = None
    start: str = "auto"

    @classmethod
    def of(cls, texts: list[str] | None) -> "Repeat":
        """Return what the texts of --repeat say; an error for what says nothing."""
        pairs = named_pairs(texts, "--repeat", ("precision", "min", "max", "warmup", "start"))
        if (start := pairs.get("start", cls.start)) not in STARTS:
            raise InvalidInputError(f"--repeat start={start}", f"name one of {', '.join(STARTS)}")
        counts = {
            field: whole(f"--repeat {name}", pairs[name], least)
            for name, field, least in _REPEATED
            if name in pairs
        }  # fmt: skip
        return cls(parse_share(pairs.get("precision", "5%")), **counts, start=start)


_REPEATED = (
    ("min", "min_repetitions", 1), ("max", "max_repetitions", 1), ("warmup", "warmup", 0),
)  # fmt: skip
STARTS = ("auto", "window", "barrier")
Repeated = Annotated[
    list[str] | None,
    typer.Option(
        "--repeat",
        metavar="NAME=VALUE,...",
        help="How a point is repeated: min=20,max=500 repetitions (min on a lab 5), until the "
        "median is known to precision=5%; after warmup=3 others (on a lab 1); start=window (ranks "
        "start at an instant of a common clock), barrier, or auto (window unless clocks cannot be "
        "synchronised).",
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
        "share the links there; auto: what foretells best what was measured of the operation, with "
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


def parse_share(text: str) -> float:
    """Fraction meant by "5%" or "0.05".

    >>> parse_share("5%"), parse_share("0.1")
    (0.05, 0.1)
    """
    if not 0 < (share := _share(text)) < 1:
        raise InvalidInputError(f"precision {text!r}", "give a share such as 5% or 0.05")
    return share


def parse_limit(text: str) -> float:
    """Share meant by "10%" or "0.1" of --fail-on; 0 for any change.

    >>> parse_limit("10%"), parse_limit("0")
    (0.1, 0.0)
    """
    if not 0 <= (share := _share(text)) < 10:
        raise InvalidInputError(f"--fail-on {text!r}", "give a share such as 10% or 0.1")
    return share


def _share(text: str) -> float:
    """Part of one; below 0 for what is none."""
    try:
        return float(text.rstrip("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        return -1.0


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
    what, how = "number of children", "--fanouts 2,8"
    found = _named(text, lambda given: parse_counts(given, what), what, how)
    if found and found[0] < 1:
        raise InvalidInputError(f"{found[0]} is no {what}", f"give 1 or more, as {how}")
    return found


def _named(
    text: str | None, parse: Callable[[str], list[int]], what: str, how: str
) -> list[int] | None:
    if not text:
        return None
    if not (found := parse(text)):
        raise InvalidInputError(f"{text!r} holds no {what}", f"give {how}")
    return found


def whole(word: str, text: str, least: int = 1) -> int:
    """Return a whole number of at least so much."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise InvalidInputError(f"{word}={text}", f"give a whole number from {least} on")
    return number


def named_pairs(
    texts: list[str] | None, option: str, among: tuple[str, ...] = ()
) -> dict[str, str]:
    """Names and values as given with an option that may be repeated.

    Where names are `among` others, several may stand in one text, separated by commas.

    >>> named_pairs(["m=bytes"], "--map")
    {'m': 'bytes'}
    """
    pairs, parts = {}, texts or []
    if among:
        parts = [part for text in parts for part in text.split(",")]
    for text in parts:
        left, separator, right = text.partition("=")
        if not separator or not left:
            raise InvalidInputError(f"{option} {text!r}", f"write it as {option} name=value")
        if among and left.strip() not in among:
            raise InvalidInputError(f"{option} {text!r}", f"name one of {', '.join(among)}")
        pairs[left.strip()] = right.strip()
    return pairs
