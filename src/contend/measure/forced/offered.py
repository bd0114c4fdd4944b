"""Settings of the library for one operation: its default, each of its algorithms, with segments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from contend.errors import InvalidInputError
from contend.libraries import Library, LibraryAlgorithm, Version, version_text
from contend.samples.setting import OF_LIBRARY, setting_of

NATIVE = "native"
WORD = 4  # bytes of what is reduced; other operations move bytes
OF_WORDS = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
IN_BLOCKS = ("reduce_scatter", "reduce_scatter_block")  # m is a block of what is reduced


@dataclass(frozen=True)
class Setting:
    """One way to use the library: a name for samples, and the variables that bring it about."""

    name: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    segment: int | None = None
    algorithm: LibraryAlgorithm | None = None

    def serves(self, n: int, m: int) -> bool:
        """Whether the library runs it with these, and as anything but another setting.

        A segment that holds the whole message cuts nothing.
        """
        if self.algorithm is None:
            return True
        is_whole = self.segment is not None and m > 0 and self.segment >= m
        return self.algorithm.serves(n) and not is_whole and not self._has_too_few(n, m)

    def _has_too_few(self, n: int, m: int) -> bool:
        """Whether the call ends with an error, or runs another, for want of elements."""
        one = self.algorithm
        if one is None or one.few_elements is None:
            return False
        bytes_each = WORD if one.operation in OF_WORDS and m % WORD == 0 else 1
        return m * (n if one.operation in IN_BLOCKS else 1) < n * bytes_each


def settings_of(
    library: Library, version: Version, operation: str, segments: Sequence[int]
) -> list[Setting]:
    """The default, and each algorithm as it is and with each of the segments, where it takes them.

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
        one for entry in offered for one in _with_segments(library, version, entry, segments)
    )]  # fmt: skip


def _with_segments(
    library: Library, version: Version, algorithm: LibraryAlgorithm, segments: Sequence[int]
) -> Iterator[Setting]:
    choices: list[dict[str, int]] = [{}]
    if "segment" in algorithm.options:
        choices += [{"segment": segment} for segment in segments]
    for options in choices:
        yield Setting(
            setting_of(f"{library.name}{OF_LIBRARY}{algorithm.name}", options),
            library.forcing(algorithm, options, version),
            options.get("segment"),
            algorithm,
        )
