"""What a shell proposes for words that name something: of the registries, read when TAB is hit.

What is proposed begins with what is there already; of a list such as bcast,allreduce, with its
last word.
"""

from collections.abc import Iterable

import typer


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


def collectives(incomplete: str) -> list[str]:
    """Collective operations that have schedules."""
    from contend.schedules import COLLECTIVES

    return _beginning(incomplete, COLLECTIVES)


def measured_collectives(incomplete: str) -> list[str]:
    """Operations of the MPI library that can be timed: a list, separated by commas."""
    from contend.signature import OPERATIONS

    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    found = _beginning(last, [name for name in OPERATIONS if name not in taken])
    return [f"{before}{comma}{name}" for name in found]


def operations(incomplete: str) -> list[str]:
    """Operations that can be fitted and predicted."""
    from contend.schedules import COLLECTIVES
    from contend.signature import OPERATIONS

    return _beginning(incomplete, [*OPERATIONS, *COLLECTIVES])


def algorithms(ctx: typer.Context, incomplete: str) -> list[str]:
    """Algorithms of the collective operation that is named before, or of all."""
    from contend.schedules import COLLECTIVES
    from contend.schedules import algorithms as algorithms_of

    # Where an option still lacks its value, arguments before it have stayed in `args`.
    words = [*ctx.args, ctx.params.get("collective"), ctx.params.get("operation")]
    wanted = [word for word in words if word in COLLECTIVES][:1] or sorted(COLLECTIVES)
    return _beginning(incomplete, [name for one in wanted for name in algorithms_of(one).names()])


def forms(incomplete: str) -> list[str]:
    """Signature forms and baselines."""
    from contend.signature import FORMS

    return _beginning(incomplete, FORMS.names())


def lab_names(incomplete: str) -> list[str]:
    """Networks that can be emulated by name."""
    from contend.lab import profiles

    return _beginning(incomplete, profiles())


def places(incomplete: str) -> list[str]:
    """Where to run: here, or on a network that can be emulated."""
    from contend.lab import profiles

    return _beginning(incomplete, ["auto", "here", *(f"lab:{name}" for name in profiles())])


def rule_formats(incomplete: str) -> list[str]:
    """Formats of rules for MPI libraries."""
    from contend.exports import FORMATS

    return _beginning(incomplete, FORMATS.names())


def topologies(incomplete: str) -> list[str]:
    """Topologies that a word names."""
    from contend.topologies.kind import KINDS, NamedByWord

    kinds = [kind.syntax for kind in KINDS.all() if isinstance(kind, NamedByWord)]
    words = [word + colon for word, colon, _ in (syntax.partition(":") for syntax in kinds)]
    return _beginning(incomplete, words)


def trace_formats(incomplete: str) -> list[str]:
    """Formats that traces are written in."""
    from contend.traces.writer import WRITERS

    return _beginning(incomplete, WRITERS.names())


def readers(incomplete: str) -> list[str]:
    """Formats of benchmarks' output."""
    from contend.samples.reader import READERS

    return _beginning(incomplete, READERS.names())
