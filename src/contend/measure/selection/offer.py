"""Settings of the library for one operation, and launches that time them beside each other.

The settings are its default, and each of its algorithms with options. Of these, segments and
fan-outs are varied: how many children or chains a rank has, or how many branches an exchange, an
option "fanout" or "k" of the library.

One launch has the settings that one program can time: those that need no variable of their own at
its start. They take turns at each size, in an order that is drawn for each launch, and the default
is one of them. Sizes at which other settings are of use are launches of their own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

import numpy as np

from contend.base.errors import InvalidInputError
from contend.measure.build import Program
from contend.measure.plan import Launch
from contend.measure.selection.controls import Controls
from contend.samples.setting import NATIVE, OF_LIBRARY, setting_of
from contend.samples.table import BARRIER
from contend.schedules.libraries import Library, LibraryAlgorithm, Version, version_text

WORD = 4  # bytes of what is reduced; other operations move bytes
OF_WORDS = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
SEGMENT, FANOUTS = "segment", {"fanout": 1, "k": 2}  # options, and the least that says something
IN_BLOCKS = ("reduce_scatter", "reduce_scatter_block")  # m is a block of what is reduced


@dataclass(frozen=True)
class Setting:
    """One way to use the library: a name for samples, and the variables that bring it about."""

    name: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    algorithm: LibraryAlgorithm | None = None
    options: Mapping[str, int] = field(default_factory=dict, hash=False)

    def serves(self, n: int, m: int) -> bool:
        """Whether the library runs it with these, and as anything but another setting.

        A segment that holds the whole message cuts nothing, and no rank has more than n-1 children.
        """
        if self.algorithm is None:
            return True
        segment = self.options.get(SEGMENT)
        is_whole = segment is not None and m > 0 and segment >= m
        is_wider = any(
            self.options.get(name, 0) >= n + least - 1 for name, least in FANOUTS.items()
        )
        is_another = is_whole or is_wider
        return self.algorithm.serves(n) and not is_another and not self._has_too_few(n, m)

    def _has_too_few(self, n: int, m: int) -> bool:
        """Whether the call ends with an error, or runs another, for want of elements."""
        algorithm = self.algorithm
        if algorithm is None or algorithm.few_elements is None:
            return False
        bytes_each = WORD if algorithm.operation in OF_WORDS and m % WORD == 0 else 1
        return m * (n if algorithm.operation in IN_BLOCKS else 1) < n * bytes_each


def settings_of(
    library: Library,
    version: Version,
    operation: str,
    segments: Sequence[int] = (),
    fanouts: Sequence[int] = (),
) -> list[Setting]:
    """The default, and each algorithm as it is and with the segments and fan-outs that it takes.

    Segments are in bytes; of both, each with each.

    Raise InvalidInputError where nothing is known of algorithms of the operation.
    """
    offered = library.algorithms(operation, version)
    if not offered:
        raise InvalidInputError(
            f"{library.title} {version_text(version)} has no algorithms of {operation} to choose "
            "from, as far as contend knows",
            f"it has them of {', '.join(library.operations(version))}; its default alone is "
            "measured by 'contend measure --collective'",
        )
    return [Setting(NATIVE), *(
        Setting(
            setting_of(f"{library.name}{OF_LIBRARY}{entry.name}", options),
            library.forcing(entry, options, version),
            entry,
            options,
        )
        for entry in offered
        for options in _options(entry, segments, fanouts)
    )]  # fmt: skip


def _options(
    algorithm: LibraryAlgorithm, segments: Sequence[int], fanouts: Sequence[int]
) -> Iterator[dict[str, int]]:
    """None at first, then each segment and fan-out that the algorithm takes; not its default."""
    widths = {
        name: [
            fanout
            for fanout in fanouts
            if fanout >= least and fanout != algorithm.defaults.get(name)
        ]
        for name, least in FANOUTS.items()
    }
    varied = {SEGMENT: list(segments), **widths}
    names = [name for name in varied if name in algorithm.options]
    for values in product(*([None, *varied[name]] for name in names)):
        yield {name: value for name, value in zip(names, values, strict=True) if value is not None}


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
        groups: defaultdict[tuple[tuple[str, str], ...], list[Setting]] = defaultdict(list)
        for setting in self.settings:
            groups[tuple(sorted(self.controls[setting.name].fixed.items()))].append(setting)
        return [
            ({**self.alongside, **dict(fixed), **self._harmless(settings)}, settings)
            for fixed, settings in groups.items()
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
    unshuffled = [
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
    shuffled = [unshuffled[index] for index in _shuffled(order, unshuffled)]
    return sorted(shuffled, key=lambda launch: launch.number)


def _shuffled(order: np.random.Generator, items: Sequence[object]) -> list[int]:
    return [int(index) for index in order.permutation(len(items))]


def _parts(
    group: Sequence[Setting], n: int, sizes: Sequence[int]
) -> Iterator[tuple[list[Setting], list[int]]]:
    """Sizes at which the same settings of a group serve n processes, and these settings."""
    sizes_of: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for m in sizes:
        sizes_of[tuple(setting.name for setting in group if setting.serves(n, m))].append(m)
    for names, some in sizes_of.items():
        if names:
            yield [setting for setting in group if setting.name in names], some


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
    algorithms = tuple(
        algorithm for algorithm in launch.program.algorithms if algorithm not in settings
    )
    program = replace(launch.program, algorithms=algorithms)
    return replace(launch, program=program, sizes=launch.sizes if algorithms else ())
