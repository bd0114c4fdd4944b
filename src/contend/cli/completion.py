"""What a shell proposes for words that name something: of the registries, read when TAB is hit.

What is proposed begins with what is there already; of a list such as bcast,allreduce, with its
last word.
"""

from collections.abc import Callable, Iterable
from importlib import import_module

import typer

from contend.base.registry import Registry


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _names_of(module: str, holder: str) -> Callable[[str], list[str]]:
    """Return what proposes the names that a registry, a mapping or a function of a module holds."""

    def propose(incomplete: str) -> list[str]:
        names = getattr(import_module(f"contend.{module}"), holder)
        if isinstance(names, Registry):
            names = names.names()
        return _beginning(incomplete, names() if callable(names) else names)

    return propose


collectives = _names_of("schedules", "COLLECTIVES")
forms = _names_of("models.signature", "FORMS")  # and baselines
lab_names = _names_of("measure.lab", "profiles")
rule_formats = _names_of("tune.exports", "FORMATS")
trace_formats = _names_of("programs.traces.writer", "WRITERS")
readers = _names_of("samples.reader", "READERS")  # of benchmarks' output


def measured_collectives(incomplete: str) -> list[str]:
    """Operations of the MPI library that can be timed: a list, separated by commas."""
    from contend.models.signature import OPERATIONS

    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    found = _beginning(last, [name for name in OPERATIONS if name not in taken])
    return [f"{before}{comma}{name}" for name in found]


def operations(incomplete: str) -> list[str]:
    """Operations that can be fitted and predicted."""
    from contend.models.signature import OPERATIONS
    from contend.schedules import COLLECTIVES

    return _beginning(incomplete, [*OPERATIONS, *COLLECTIVES])


def algorithms(ctx: typer.Context, incomplete: str) -> list[str]:
    """Algorithms of the collective operation that is named before, or of all."""
    from contend.schedules import COLLECTIVES
    from contend.schedules import algorithms as algorithms_of

    # Where an option still lacks its value, arguments before it have stayed in `args`.
    words = [*ctx.args, ctx.params.get("collective"), ctx.params.get("operation")]
    wanted = [word for word in words if word in COLLECTIVES][:1] or sorted(COLLECTIVES)
    return _beginning(incomplete, [name for one in wanted for name in algorithms_of(one).names()])


def places(incomplete: str) -> list[str]:
    """Where to run: here, or on a network that can be emulated."""
    from contend.measure.lab import profiles

    return _beginning(incomplete, ["auto", "here", *(f"lab:{name}" for name in profiles())])


def topologies(incomplete: str) -> list[str]:
    """Topologies that a word names."""
    from contend.simulate.topologies.kind import KINDS, NamedByWord

    kinds = [kind.syntax for kind in KINDS.all() if isinstance(kind, NamedByWord)]
    words = [word + colon for word, colon, _ in (syntax.partition(":") for syntax in kinds)]
    return _beginning(incomplete, words)
