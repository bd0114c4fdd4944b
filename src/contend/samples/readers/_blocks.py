"""Bytes of a block where a benchmark prints those of the whole vector, or buffer.

The table of what a printed size means, by benchmark, version and operation, is in docs/samples.md.
It reads no format; readers share it.
"""

from contend.samples.readers._text import Line

BYTES = {  # of an element, by the name of its MPI datatype
    "MPI_BYTE": 1, "MPI_CHAR": 1, "MPI_SIGNED_CHAR": 1, "MPI_SHORT": 2, "MPI_FLOAT16": 2,
    "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_LONG": 8, "MPI_DOUBLE": 8,
}  # fmt: skip


def block(row: Line, size: int, n: int, element: int = 1) -> int:
    """The n-th part of `size` bytes; an error where blocks of whole elements would differ."""
    if size % (n * element):
        raise row.error(f"{size} bytes have no {n} equal blocks", "larger sizes have")
    return size // n
