"""Launches that time all settings of an operation beside each other, in random order.

One launch has the settings that one program can time: those that need no variable of their own at
its start. They take turns at each size, in an order that is drawn for each launch, and the default
is one of them. Sizes at which other settings are of use are launches of their own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from contend.measure.build import Program
from contend.measure.forced.controls import Controls
from contend.measure.forced.offered import Setting
from contend.measure.plan import Launch
from contend.samples.table import BARRIER


@dataclass(frozen=True)
class Offer:
    """The settings of one operation, and how each reaches the library."""

    operation: str
    experiment: str  # the program of its default
    settings: tuple[Setting, ...]
    controls: Mapping[str, Controls]  # by name of a setting
    alongside: Mapping[str, str] = field(default_factory=dict)  # variables of all launches

    def groups(self) -> list[tuple[dict[str, str], list[Setting]]]:
        """Settings that one launch can time, and the variables of that launch."""
        found: defaultdict[tuple[tuple[str, str], ...], list[Setting]] = defaultdict(list)
        for setting in self.settings:
            found[tuple(sorted(self.controls[setting.name].fixed.items()))].append(setting)
        return [
            ({**self.alongside, **dict(fixed), **self._harmless(settings)}, settings)
            for fixed, settings in found.items()
        ]

    def _harmless(self, settings: Sequence[Setting]) -> dict[str, str]:
        return {
            name: text
            for setting in settings
            for name, text in self.controls[setting.name].harmless.items()
        }


def plan_forced(
    offers: Sequence[Offer],
    program: Path,
    counts: Sequence[int],
    sizes: Sequence[int],
    launches: int,
    seed: int,
) -> list[Launch]:
    """All launches, those of a number together and shuffled by `seed`."""
    order = np.random.default_rng(seed)
    found = [
        Launch(
            _program(offer, program, variables, [settings[i] for i in _shuffled(order, settings)]),
            n, number, tuple(some[i] for i in _shuffled(order, some)),
        )
        for number in range(launches)
        for offer in offers
        for n in counts
        for variables, group in offer.groups()
        for settings, some in _parts(group, n, [0] if offer.operation == BARRIER else sizes)
    ]  # fmt: skip
    shuffled = [found[index] for index in _shuffled(order, found)]
    return sorted(shuffled, key=lambda launch: launch.number)


def _shuffled(order: np.random.Generator, items: Sequence[object]) -> list[int]:
    return [int(index) for index in order.permutation(len(items))]


def _parts(
    group: Sequence[Setting], n: int, sizes: Sequence[int]
) -> Iterator[tuple[list[Setting], list[int]]]:
    """Sizes at which the same settings of a group serve n processes, and these settings."""
    found: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for m in sizes:
        found[tuple(one.name for one in group if one.serves(n, m))].append(m)
    for names, some in found.items():
        if names:
            yield [one for one in group if one.name in names], some


def _program(
    offer: Offer, path: Path, variables: Mapping[str, str], settings: Sequence[Setting]
) -> Program:
    words = [f"{name}={text}" for name, text in sorted(variables.items())]
    return Program(
        "forced",
        path,
        experiment=offer.operation,
        algorithms=tuple(setting.name for setting in settings),
        processes_min=2,
        processes_max=None,  # settings for two are no single message
        before=("env", *words) if words else (),
    )


def without(launch: Launch, settings: set[str]) -> Launch:
    """The launch less some settings, without a size where none is left."""
    left = tuple(one for one in launch.program.algorithms if one not in settings)
    program = replace(launch.program, algorithms=left)
    return replace(launch, program=program, sizes=launch.sizes if left else ())
