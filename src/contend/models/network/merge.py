"""What becomes of a network file when parts are added to it: which replace which, which are kept.

A part is identified by what it is about, and replaced as a whole:

* Hockney's or pLogP's parameters of a level, by the level's name;
* an operation, by operation, algorithm and processes per node. Forms of pLogP parameters of one
  that is kept go where these parameters are replaced. The errors found by validation are those of
  one fit: they stay where the fit is the same, and go with a fit that is replaced. Points measured
  since then are added to those known;
* parameters from times of algorithms, by operation (of all operations together: one part);
* the sharing models, and the links of a level by its name, which bring doubts and origin of their
  own.

Doubts go with what they are about. One about a part that is replaced goes, any other stays unless
there is a new one of the same kind in the same place; one about the fit as a whole stays as long as
a part of that fit does. Every part keeps the origin of its samples.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from contend.models.network.level import messages_under
from contend.models.signature import FORMS
from contend.samples.origin import Origin, PartsOrigin
from contend.samples.setting import split_conditions

if TYPE_CHECKING:
    from contend.models.network import Level, Network, Operation
    from contend.samples.warnings import QualityWarning
    from contend.schedules.fitting.record import ScheduleFit

# Fields of an operation that its fit does not fill.
OF_VALIDATION = ("validation", "measured", "timeout_errors", "between_launches")
SHARING = "sharing"
_FITS_AS_A_WHOLE = "network"  # where a doubt says to be that is about no single part

Part = TypeVar("Part")


@dataclass(frozen=True)
class Merged:
    """The network as the file now holds it, and the titles of what happened to its parts."""

    network: "Network"
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What was added, replaced and kept, in a line; empty for a file of added parts alone."""
        titles = {"replaced": self.replaced, "added": self.added, "kept": self.kept}
        if not (self.replaced or self.kept):
            return ""
        return "; ".join(
            f"{change} {', '.join(parts)}" for change, parts in titles.items() if parts
        )

    def notes(self, path: object) -> list[str]:
        """Return the text as a note on the file, if there is any."""
        return [f"{path}: {self.text}"] if self.text else []


def titles(network: "Network") -> dict[str, object]:
    """The parts of a network by their titles, in the order of the file."""
    parts: dict[str, object] = {}
    for level in network.levels:
        for kind in ("hockney", "plogp"):
            if (value := getattr(level, kind)) is not None:
                parts[f"{kind} ({level.name})"] = value
    parts |= {operation.title: operation for operation in network.operations}
    for fit in network.schedules:
        title = _schedules_title(fit)
        parts[title] = (parts.get(title), fit)
    if network.sharing is not None:
        parts[SHARING] = network.sharing
    return parts | {links.title: links for links in network.links}


def merge(before: "Network", new: "Network") -> Merged:
    """The parts of `new` in place of those of `before` that are the same, and the rest of it."""
    old, fresh = titles(before), titles(new)
    fitted = {fit.operation for fit in new.schedules}
    kept_fits = [fit for fit in before.schedules if fit.operation not in fitted]
    levels = _levels(before.levels, new.levels)
    earlier = tuple(
        operation
        if _has_the_same_tables(operation, before.levels, levels)
        else _without_tables(operation)
        for operation in before.operations
    )
    network = before.model_copy(
        update={
            "levels": levels,
            "operations": _operations(earlier, new.operations),
            "schedules": (*kept_fits, *new.schedules),
            "sharing": new.sharing or before.sharing,
            "links": tuple({link.name: link for link in (*before.links, *new.links)}.values()),
            "warnings": _warnings(before, new),
            "sample_warnings": _sample_warnings(before, new),
            **_origins(before, new),
        }
    )
    return Merged(
        network,
        added=tuple(title for title in fresh if title not in old),
        replaced=tuple(title for title in fresh if title in old),
        kept=tuple(title for title in old if title not in fresh),
    )


def merge_validation(before: "Network", judged: "Network") -> Merged:
    """`before` with the errors that `judged` has of the same fits.

    `outdated` names the operations that were fitted anew since, whose errors are of an earlier fit.
    """
    by_title = {operation.title: operation for operation in judged.operations}
    operations, replaced, outdated = [], [], []
    for operation in before.operations:
        match = by_title.get(operation.title)
        if match is None or not match.validation:
            operations.append(operation)
        elif match.forms == operation.forms:
            replaced.append(operation.title)
            operations.append(_with_validation_of(match, operation))
        else:
            outdated.append(operation.title)
            operations.append(operation)
    doubts = (
        warning for warning in before.warnings if not (replaced and warning.kind == "not_validated")
    )
    network = before.model_copy(update={"operations": tuple(operations), "warnings": tuple(doubts)})
    return Merged(network, replaced=tuple(replaced), outdated=tuple(outdated))


def _levels(before: "tuple[Level, ...]", new: "tuple[Level, ...]") -> "tuple[Level, ...]":
    levels = {level.name: level for level in before}
    for level in new:
        given = {kind: value for kind in ("hockney", "plogp") if (value := getattr(level, kind))}
        levels[level.name] = levels.get(level.name, level).model_copy(update=given)
    return tuple(levels.values())


def _operations(
    before: "tuple[Operation, ...]", new: "tuple[Operation, ...]"
) -> "tuple[Operation, ...]":
    operations = {operation.title: operation for operation in before}
    for operation in new:
        old = operations.get(operation.title)
        is_same_fit = old is not None and old.forms == operation.forms
        if old is not None and is_same_fit and not operation.validation:
            operations[operation.title] = _judged_as(old, operation)
        else:
            operations[operation.title] = operation
    return tuple(operations.values())


def _has_the_same_tables(
    operation: "Operation", before: "tuple[Level, ...]", levels: "tuple[Level, ...]"
) -> bool:
    old, new = (messages_under(some, operation.conditions) for some in (before, levels))
    return old.plogp == new.plogp


def _without_tables(operation: "Operation") -> "Operation":
    """The operation without forms of pLogP parameters: these are of other tables from now on."""
    names = {
        name for name in operation.forms if name in FORMS.names() and FORMS.get(name).needs_plogp
    }
    return operation.model_copy(
        update={
            field: {
                name: value
                for name, value in getattr(operation, field).items()
                if name not in names
            }
            for field in ("forms", "validation")
        }
    )


def _judged_as(old: "Operation", operation: "Operation") -> "Operation":
    """With the errors of the same fit, and all points of both: further ones bend predictions."""
    points = operation.measured
    if points and old.measured:
        points = points.over(old.measured)
    judged = _with_validation_of(old, operation)
    return judged.model_copy(update={"measured": points or old.measured})


def _with_validation_of(judged: "Operation", operation: "Operation") -> "Operation":
    return operation.model_copy(update={field: getattr(judged, field) for field in OF_VALIDATION})


def _schedules_title(fit: "ScheduleFit") -> str:
    return f"schedules of {fit.operation or 'all operations'}"


def _warnings(before: "Network", new: "Network") -> "tuple[QualityWarning, ...]":
    names = {operation.title for operation in (*before.operations, *new.operations)}
    replaced = {operation.title for operation in new.operations}
    fitted = {f"{operation.operation}/{operation.algorithm}" for operation in new.operations}
    fits = {part for part in _with_common_origin(before) if not part.startswith("schedules")}
    is_fit_left = not fits <= titles(new).keys()

    def is_kept(warning: "QualityWarning") -> bool:
        about = _subject(warning.where, names)
        if about is not None:
            return about not in replaced
        if warning.where == _FITS_AS_A_WHOLE:
            return is_fit_left
        if "/" in warning.where:  # a series of the operation that was not fitted, or a form of it
            return warning.where.split(", ")[0] not in fitted
        return split_conditions(warning.where)[1] not in _conditions(new)

    kept = filter(is_kept, before.warnings)
    renewed = {(warning.kind, warning.where) for warning in new.warnings}
    return (
        *(warning for warning in kept if (warning.kind, warning.where) not in renewed),
        *new.warnings,
    )


def _conditions(network: "Network") -> set[str]:
    """What single messages were sent under whose parameters the network holds."""
    return {level.conditions for level in network.levels}


def _subject(where: str, names: Iterable[str]) -> str | None:
    """The operation that a doubt is about; None for single messages and the network as a whole."""
    matches = [name for name in names if where == name or where.startswith(f"{name}, ")]
    return max(matches, key=len, default=None)


def _sample_warnings(before: "Network", new: "Network") -> "tuple[QualityWarning, ...]":
    """Doubts about samples of a series give way to those about new samples of it."""
    series = {f"{operation.operation}/{operation.algorithm}" for operation in new.operations}
    series |= {name for fit in new.schedules for name in fit.algorithms}
    messages, conditions = ("pingpong/", "plogp/"), _conditions(new)
    renewed = {(warning.kind, _series(warning)) for warning in new.sample_warnings}
    kept = (
        warning
        for warning in before.sample_warnings
        if _series(warning) not in series
        and not (
            _series(warning).startswith(messages)
            and split_conditions(_series(warning))[1] in conditions
        )
        and (warning.kind, _series(warning)) not in renewed
    )
    return (*kept, *new.sample_warnings)


def _series(warning: "QualityWarning") -> str:
    return warning.where.split(" ")[0]


def _origins(before: "Network", new: "Network") -> dict[str, object]:
    """`origin` and `origins` of the whole: the first is of the parts that the second leaves out."""
    origin_of = _origin_by_title(before) | _origin_by_title(new)
    parts: dict[Origin, list[str]] = {}
    for title, origin in origin_of.items():
        parts.setdefault(origin, []).append(title)
    main = next(iter(parts), before.origin)
    if before.origin in parts:
        main = before.origin
    others = (
        PartsOrigin(parts=tuple(those), origin=origin)
        for origin, those in parts.items()
        if origin != main
    )
    return {"origin": main, "origins": tuple(others)}


def _origin_by_title(network: "Network") -> dict[str, Origin]:
    named = {title: origin.origin for origin in network.origins for title in origin.parts}
    return {title: named.get(title, network.origin) for title in _with_common_origin(network)}


def _with_common_origin(network: "Network") -> list[str]:
    """Titles of the parts that bring no origin of their own."""
    with_origin = {SHARING, *(links.title for links in network.links)}
    return [title for title in titles(network) if title not in with_origin]
