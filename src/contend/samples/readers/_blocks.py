"""Bytes per rank where a benchmark prints those of the whole vector.

Source: osu_reduce_scatter.c; Intel MPI Benchmarks user guide, Reduce_scatter: both split the size
that they print over the ranks.
It reads no format; readers share it.
"""

from contend.samples.readers._text import Line

SPLIT = "reduce_scatter"  # the experiment that is split


def block(row: Line, size: int, experiment: str, n: int) -> int | None:
    """What `m` is of a row that prints `size`; None, with a warning, where blocks would differ."""
    if experiment != SPLIT:
        return size
    if size % n:
        row.skip(f"{size} bytes have no {n} equal blocks", "larger sizes have")
        return None
    return size // n
