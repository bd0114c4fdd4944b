"""Settings of the library for one operation: its default, and each of its algorithms with options.

Of the options segments and fan-outs are varied. A fan-out is how many children or chains a rank
has, or how many branches an exchange: an option "fanout" or "k" of the library.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from contend.errors import InvalidInputError
from contend.libraries import Library, LibraryAlgorithm, Version, version_text
from contend.samples.setting import NATIVE, OF_LIBRARY, setting_of

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
        one = self.algorithm
        if one is None or one.few_elements is None:
            return False
        bytes_each = WORD if one.operation in OF_WORDS and m % WORD == 0 else 1
        return m * (n if one.operation in IN_BLOCKS else 1) < n * bytes_each


def settings_of(
    library: Library,
    version: Version,
    operation: str,
    segments: Sequence[int] = (),
    fanouts: Sequence[int] = (),
) -> list[Setting]:
    """The default, and each algorithm as it is and with the segments and fan-outs that it takes.

    Segments are in bytes; of both, each with each.

    Raises
    ------
    InvalidInputError
        Where nothing is known of algorithms of the operation.
    """
    offered = library.algorithms(operation, version)
    if not offered:
        raise InvalidInputError(
            f"{library.title} {version_text(version)} has no algorithms of {operation} to choose "
            "from, as far as contend knows",
            f"it has them of {', '.join(library.operations(version))}; its default alone is "
            "measured without --library-algorithms",
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
        name: [one for one in fanouts if one >= least and one != algorithm.defaults.get(name)]
        for name, least in FANOUTS.items()
    }
    varied = {SEGMENT: list(segments), **widths}
    names = [name for name in varied if name in algorithm.options]
    for values in product(*([None, *varied[name]] for name in names)):
        yield {name: value for name, value in zip(names, values, strict=True) if value is not None}
