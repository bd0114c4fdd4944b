"""Names of what there is: of the registries, and of what a word names."""

from importlib import import_module

from contend.base.near_names import operation_of
from contend.base.registry import Registry

# Where each kind is registered: a registry, a mapping, or a function that returns one.
KINDS = {
    "collectives": ("schedules", "COLLECTIVES"),
    "forms": ("models.signature", "FORMS"),
    "labs": ("measure.lab", "profiles"),
    "libraries": ("tune.exports", "FORMATS"),
    "models": ("simulate.flows.models", "names"),
    "operations": ("models.signature", "OPERATIONS"),
    "readers": ("samples.reader", "READERS"),
    "topologies": ("simulate.topologies.kind", "KINDS"),
    "traces": ("programs.traces.writer", "WRITERS"),
}


def names(kind: str, collective: str | None = None) -> list[str]:
    """Return the names of a kind of thing, as "labs"; of "algorithms" those of a collective.

    >>> names("labs")[:1], names("algorithms", "barrier")[:1]
    (['fast-ethernet'], ['dissemination'])
    """
    if kind == "kinds":
        return sorted({"algorithms", "groups", "schema", *KINDS})
    if kind == "algorithms":
        from contend.schedules import algorithms

        return algorithms(operation_of(collective or "")).names()
    module, holder = KINDS[kind]
    held = getattr(import_module(f"contend.{module}"), holder)
    if kind == "topologies":
        from contend.simulate.topologies.kind import NamedByWord

        return [each.syntax for each in held.all() if isinstance(each, NamedByWord)]
    if isinstance(held, Registry):
        return held.names()
    return list(held() if callable(held) else held)
