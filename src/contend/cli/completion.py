"""What a shell proposes for words that name something: of the registries, read when TAB is hit.

What is proposed begins with what is there already; of a list such as bcast,allreduce, with its
last word.
"""

from collections.abc import Callable, Iterable

import typer

from contend.api import names


def _beginning(incomplete: str, among: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(among) if name.startswith(incomplete)]


def _names_of(kind: str) -> Callable[[str], list[str]]:
    """Return what proposes the names of a kind."""
    return lambda incomplete: _beginning(incomplete, names(kind))


collectives = _names_of("collectives")
forms = _names_of("forms")  # and baselines
kinds = _names_of("kinds")
lab_names = _names_of("labs")
sharing_models = _names_of("models")
rule_formats = _names_of("libraries")
trace_formats = _names_of("traces")
readers = _names_of("readers")  # of benchmarks' output


def measured_collectives(incomplete: str) -> list[str]:
    """Operations of the MPI library that can be timed: a list, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    matches = _beginning(last, [name for name in names("operations") if name not in taken])
    return [f"{before}{comma}{name}" for name in matches]


def operations(incomplete: str) -> list[str]:
    """Operations that can be fitted and predicted."""
    return _beginning(incomplete, names("operations") + names("collectives"))


def algorithms(ctx: typer.Context, incomplete: str) -> list[str]:
    """Algorithms of the collective operation that is named before, or of all."""
    # Where an option still lacks its value, arguments before it have stayed in `args`.
    words = [*ctx.args, *(ctx.params.get(name) for name in ("collective", "operation", "subject"))]
    every = names("collectives")
    wanted = [word for word in words if word in every][:1] or sorted(every)
    return _beginning(incomplete, [name for of in wanted for name in names("algorithms", of)])


def places(incomplete: str) -> list[str]:
    """Where to run: here, or on a network that can be emulated."""
    return _beginning(incomplete, ["auto", "here", *(f"lab:{name}" for name in names("labs"))])


def topologies(incomplete: str) -> list[str]:
    """Topologies that a word names."""
    parts = (syntax.partition(":") for syntax in names("topologies"))
    return _beginning(incomplete, [word + colon for word, colon, _ in parts])
