"""What a library runs by itself over a range of sizes, and at which number of ranks that changes.

Sizes are looked at where a table begins another algorithm, numbers of ranks one by one up to
`FURTHER` and then where a table begins another row.
"""

from collections.abc import Iterator
from math import inf

from contend.schedules.libraries.algorithm import Version
from contend.schedules.libraries.default import LARGEST, Default, defaults_of, power_below
from contend.schedules.libraries.library import Library

FURTHER = 64  # ranks beyond the first that are looked at one by one
SHOWN = 3  # sizes in words
Span = list[tuple[int, str]]  # the least bytes, and what runs from there on


def default_over(
    library: Library, operation: str, n: int, m: int, m_to: int | None, version: Version,
    ppn: int | None = None,
) -> Span:  # fmt: skip
    """What n ranks run by themselves from m bytes on and below `m_to` (None: no end).

    >>> from contend.schedules.libraries import library_named
    >>> default_over(library_named("openmpi-5")[0], "alltoall", 8, 64, None, (5,))
    [(64, 'linear_sync'), (262144, 'linear')]
    """
    least, end = max(m, 1), m_to or inf
    sizes = sorted(size for size in _sizes(library, operation, n) if least < size < end)
    span: Span = []
    for size in (least, *sizes):
        name = _name(library.default(operation, n, size, version, ppn=ppn))
        if not span or span[-1][1] != name:
            span.append((size, name))
    return span


def _name(default: Default) -> str:
    return default.algorithm.name if default.algorithm else ""


def _sizes(library: Library, operation: str, n: int) -> set[int]:
    """Bytes at which another algorithm may begin; m, whatever a table counts."""
    table = defaults_of(library.name)
    heads = (head for head in table.heads if operation in head.operations) if table else ()
    sizes = set()
    for head in heads:
        for _, row in head.rows:
            words = (entry.split()[0] for entry in row.split(", "))
            starts = [int(word) for word in words if word.isdecimal()]
            sizes |= {-(-start // n) if head.counts_all else start for start in starts}
    few = {n, power_below(n)}  # elements
    return sizes | few | {LARGEST * elements for elements in few}


def _counts(library: Library, operation: str, n: int) -> Iterator[int]:
    """Numbers of ranks above n at which another algorithm may begin, ascending."""
    yield from range(n + 1, n + FURTHER + 1)
    table = defaults_of(library.name)
    heads = (head for head in table.heads if operation in head.operations) if table else ()
    yield from sorted({least for head in heads for least, _ in head.rows if least > n + FURTHER})


def default_words(
    library: Library, operation: str, n: int, m: int, m_to: int | None, version: Version,
    ppn: int | None = None,
) -> str:  # fmt: skip
    """What runs by itself, by size, and from which n on it is another; empty where not known.

    >>> from contend.schedules.libraries import library_named
    >>> default_words(library_named("openmpi-5")[0], "alltoall", 8, 64, 4096, (5,))
    'linear_sync; from n = 16 on modified_bruck, from m = 512 linear_sync'
    """
    span = default_over(library, operation, n, m, m_to, version, ppn)
    if not any(name for _, name in span):
        return ""
    names = [name for _, name in span]
    for further in _counts(library, operation, n):
        other = default_over(library, operation, further, m, m_to, version, ppn)
        if [name for _, name in other] != names:
            return f"{_words(span)}; from n = {further} on {_words(other)}"
    return _words(span)


def _words(span: Span) -> str:
    (_, first), *others = [(size, name or "not known") for size, name in span]
    shown = [first, *(f"from m = {size} {name}" for size, name in others[: SHOWN - 1])]
    more = len(span) - len(shown)
    return ", ".join(shown) + (f" and {more} more by size" if more else "")
