"""Decisions as blocks of numbers of processes, each with lines of sizes: what Open MPI's rules are.

A block holds for n and more processes, up to the next block; a line of it for its size and more
bytes, up to the next line. What nothing was decided on is left to the library.

Where the library counts bytes of a block times the number of processes P, a range of n gets blocks
of its own every `GROWTH`, and sizes m n, n being the first number of the block: exact there, and
within `GROWTH` for the others of it. Where decisions end they reach a little further for those.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from contend.choose.rules import DEFAULT, Rule
from contend.exports.openmpi.collectives import BY_ROOT, ONE_FOR_ALL_SIZES, PER_COMMUNICATOR

GROWTH = 2**0.25  # of the number of processes, from a block to the next
BEYOND = 16  # how far beyond its begin a range without end gets blocks of its own


@dataclass(frozen=True)
class Line:
    """What is taken from `size` bytes on, as the library counts them."""

    size: int
    algorithm: str = DEFAULT
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    rule: Rule | None = field(default=None, compare=False)  # that it says; None: nothing decided


@dataclass(frozen=True)
class Block:
    """Lines for `n` and more processes."""

    n: int
    lines: tuple[Line, ...]


def blocks_of(operation: str, rules: Sequence[Rule]) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """The blocks of the rules of an operation, from one process on, and what was left out of them.

    >>> rule = Rule(operation="bcast", n=4, m=1024, algorithm="chain", why="")
    >>> [(block.n, [line.size for line in block.lines]) for block in blocks_of("bcast", [rule])[0]]
    [(1, [0]), (4, [0, 1024])]
    """
    blocks: list[Block] = []
    notes: list[str] = []
    for n, end in _ranges(rules):
        lines = tuple(_lines([one for one in rules if one.n <= n < (one.n_to or n + 1)]))
        if operation in ONE_FOR_ALL_SIZES:
            lines, note = _one_for_all_sizes(operation, n, lines)
            notes += [note] if note else []
        if operation in PER_COMMUNICATOR and len(lines) > 1:
            blocks += _scaled(lines, _firsts(n, end), end)
        else:
            blocks.append(Block(n, lines))
    return tuple(_without_repeats(blocks)), tuple(notes)


def _ranges(rules: Sequence[Rule]) -> Iterator[tuple[int, int | None]]:
    """Ranges of n within which the same rules hold, from 1 on, the last one without an end."""
    ends = {rule.n_to for rule in rules if rule.n_to is not None}
    cuts = sorted({1} | {rule.n for rule in rules} | ends)
    yield from zip(cuts, [*cuts[1:], None], strict=True)


def _lines(rules: Sequence[Rule]) -> Iterator[Line]:
    """Lines from 0 on, in contend's m; ranges that nothing was decided on are left alone."""
    reached = 0
    for rule in sorted(rules, key=lambda one: one.m):
        if rule.m > reached:
            yield Line(reached)
        yield Line(rule.m, rule.algorithm, dict(rule.options), rule)
        if rule.m_to is None:
            return
        reached = rule.m_to
    yield Line(reached)


def _one_for_all_sizes(
    operation: str, n: int, lines: tuple[Line, ...]
) -> tuple[tuple[Line, ...], str]:
    """One line for all sizes, and a word where that is less than what was decided.

    It takes the algorithm that was decided on for every size, and leaves the library alone where
    there is none, since of others it is not known whether they lose somewhere.
    """
    decided = [line for line in lines if line.rule]
    first = next(iter(decided), Line(0))
    if all(line.algorithm == first.algorithm and line.options == first.options for line in decided):
        beyond = first.algorithm != DEFAULT and len(decided) < len(lines)
        note = (
            f"{operation} from {n} processes on: {first.algorithm} serves all sizes, and not all "
        )
        return (replace(first, size=0),), f"{note}were decided on" if beyond else ""
    names = ", ".join(dict.fromkeys(line.algorithm for line in decided))
    reason = (
        "ranks of one call would take different ones and hang"
        if operation in BY_ROOT
        else "Open MPI looks it up without a size"
    )
    return (Line(0),), (
        f"{operation} from {n} processes on: left to the library, since one algorithm has to serve "
        f"all sizes ({reason}) and {names} were decided on"
    )


def _scaled(lines: Sequence[Line], firsts: Sequence[int], end: int | None) -> Iterator[Block]:
    """A block for each of `firsts`, in bytes of a whole communicator.

    What was decided on ends where it does for the last number of processes of the block.
    """
    lasts = [*(first - 1 for first in firsts[1:]), end - 1 if end else firsts[-1]]
    for first, last in zip(firsts, lasts, strict=True):
        sizes = [line.size * (first if line.rule else last) for line in lines]
        kept = [
            replace(line, size=size)
            for line, size, following in zip(lines, sizes, [*sizes[1:], None], strict=True)
            if following is None or size < following
        ]
        yield Block(first, tuple(kept))


def _firsts(n: int, end: int | None) -> list[int]:
    """Where blocks of a range of n begin."""
    last = end if end is not None else BEYOND * n + 1
    firsts = [n]
    while (following := max(firsts[-1] + 1, math.floor(firsts[-1] * GROWTH))) < last:
        firsts.append(following)
    return firsts


def _without_repeats(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks and lines that differ from what stands before them."""
    before: list[tuple[object, ...]] = []
    for block in blocks:
        lines = [
            line
            for index, line in enumerate(block.lines)
            if index == 0 or _says(line) != _says(block.lines[index - 1])
        ]
        said = [(line.size, *_says(line)) for line in lines]
        if said != before:
            before = said
            yield Block(block.n, tuple(lines))


def _says(line: Line) -> tuple[object, ...]:
    """What a line says but for its size, and whether that was decided."""
    return line.algorithm, sorted(line.options.items()), line.rule is None
