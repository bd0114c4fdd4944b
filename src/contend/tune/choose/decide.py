"""Network to decisions: what to take in the place of the library's default, and where."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

import numpy as np

from contend import __version__
from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.models.network import Network
from contend.models.network.library import library_in
from contend.models.prediction.predict import predicted
from contend.schedules.collective import COLLECTIVES
from contend.schedules.libraries import LIBRARIES, Library, Version, version_text
from contend.tune.choose.rivals import Contest, contests, defaults
from contend.tune.choose.rules import Decisions, Rule
from contend.tune.choose.safe import Grid, safe_grid
from contend.tune.choose.tile import explained, has_one_for_all_sizes, rules, single, smoothed
from contend.tune.choose.verified_gains import VerifiedGains, held_back


def decide(
    network: Network,
    operations: Collection[str] = (),
    n: Sequence[int] = (),
    m: Sequence[int] = (),
    verified: Sequence[VerifiedGains] = (),
    *,
    all_commute: bool = False,
) -> Decisions:
    """Rules for all `n` and `m`, of `operations` or of every one whose default was measured.

    Without `n` or `m` the numbers of processes, or the sizes, that were measured. Where programs
    were slower by a rule, as `verified` tells, the default stays. Algorithms with which
    valid programs compute wrong numbers are left out; those that reorder operands are not where all
    operations of the programs commute.

    Raises
    ------
    InvalidInputError
        For an operation without a measured default, where there is none at all, and for gains by
        another library.
    """
    _require(network, {default.operation for default in defaults(network)}, operations)
    if n and min(n) < 2:
        raise InvalidInputError(f"n = {min(n)}", "an operation takes at least 2 processes")
    decided: list[Rule] = []
    measured = list(contests(network, operations))
    library, version = _library(network, measured)
    for gains in verified:
        gains.require(library.name if library else "", version_text(version))
    chosen = [contest.always_right(version, all_commute=all_commute) for contest in measured]
    for contest in chosen:
        is_single = has_one_for_all_sizes(library, contest.operation)
        grid = safe_grid(contest, *_ranges(contest, n, m), version)
        grid = held_back(grid, verified, at_all_sizes=is_single)
        times = default_seconds(network, grid)
        if is_single:
            decided += explained(grid, rules(grid, single(grid), times))
        else:
            decided += rules(grid, smoothed(grid), times)
    return Decisions(
        network=network.name,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        contend=__version__,
        library=library.name if library else "",
        library_version=version_text(version),
        rules=tuple(decided),
        all_commute=all_commute,
        left_out=tuple(
            dict.fromkeys(excluded for contest in chosen for excluded in contest.left_out)
        ),
    )


def default_seconds(network: Network, grid: Grid) -> Floats:
    """Predicted times of the default with its share of time-outs, (counts, sizes)."""
    counts, sizes = (each.ravel() for each in np.meshgrid(grid.n, grid.m, indexing="ij"))
    rows = predicted(network, grid.contest.default, counts, sizes)
    times = rows["mean"] if "mean" in rows else rows["seconds"]
    return np.reshape(np.asarray(times, float), (len(grid.n), len(grid.m)))


def _ranges(
    contest: Contest, n: Sequence[int], m: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is decided on: as given, else what was measured, without rivals of the default alone.

    Of production each n at which there is a choice stands between its neighbours, at which there
    is none.
    """
    measured = contest.default.measured
    counts = (
        tuple(sorted(set(n)))
        or contest.counts
        or tuple(sorted(set(measured.n if measured else ())))
    )
    if contest.default.is_of_production and contest.rivals:
        shared = {*counts} & {*contest.counts}
        around = {near for count in shared for near in (count - 1, count + 1) if near > 1}
        counts = tuple(sorted({*counts} | around))
    sizes = (
        tuple(sorted(set(m))) or contest.sizes or tuple(sorted(set(measured.m if measured else ())))
    )
    return counts, (0,) if contest.operation == "barrier" else sizes


def _library(network: Network, measured: Sequence[Contest]) -> tuple[Library | None, Version]:
    """The library that the algorithms are of by their names, else that of the samples."""
    library, version = library_in(network)
    names = {rival.library for contest in measured for rival in contest.rivals} & {
        *LIBRARIES.names()
    }
    if len(names) != 1 or (library and library.name in names):
        return library, version
    return LIBRARIES.get(names.pop()), ()


def _require(network: Network, measured: Collection[str], wanted: Collection[str]) -> None:
    missing = [name for name in wanted if name not in measured]
    if not missing and measured:
        return
    offer = f"it has those of {', '.join(sorted(measured))}" if measured else "it has none"
    message = (
        f"{network.name!r} has no measured default of {', '.join(missing) or 'any operation'}; "
        f"{offer}"
    )
    if unknown := [name for name in missing if name not in COLLECTIVES]:
        raise InvalidInputError(message, choose_from(unknown[0], measured or COLLECTIVES))
    remedy = to_measure(missing or ["bcast"])
    held = [each for each in network.operations if each.operation in missing or not missing]
    if names := ", ".join(dict.fromkeys(each.algorithm for each in held)):
        remedy = (
            f"where {names} are algorithms of an MPI library, import them as LIBRARY:ALGORITHM, "
            f"like openmpi:chain, and what it takes by default as native; or {remedy}"
        )
    raise InvalidInputError(message, remedy)


def to_measure(operations: Sequence[str]) -> str:
    """Return by which commands algorithms of a library get into a network file."""
    names = ",".join(operations)
    return (
        f"measure the library's algorithms, and fit them: 'contend measure library --collective "
        f"{names} -n 4,8 -o samples.jsonl', then for each operation 'contend fit samples.jsonl "
        f"--operation {operations[0]} -o network.json'"
    )


def require_rivals(network: Network) -> None:
    """Raise an error where no algorithm of the library was measured beside its default."""
    operations = list(dict.fromkeys(default.operation for default in defaults(network)))
    if operations and not any(contest.rivals for contest in contests(network)):
        raise InvalidInputError(
            f"{network.name!r} has times of the library's default alone "
            f"({', '.join(operations)}), and of no other algorithm to take",
            to_measure(operations),
        )
