"""The table of docs/results/choices.md is what the tables of the libraries hold.

python tests/libraries/test_default_documented.py     prints its rows
"""

from pathlib import Path

from contend.base.units import format_bytes
from contend.schedules.libraries import library_named
from contend.schedules.libraries.span import default_over

PAGE = Path(__file__).parents[2] / "docs" / "results" / "choices.md"
OPERATIONS = ("bcast", "reduce", "allreduce", "alltoall", "alltoallv", "allgather", "gather",
              "scatter", "reduce_scatter", "reduce_scatter_block", "barrier")  # fmt: skip
LIBRARIES = ("openmpi-5.0.11", "mpich-5.0.2")
COUNTS = (8, 32)


def cell(name: str, operation: str, n: int) -> str:
    """What runs by size."""
    library, version = library_named(name)
    spans = default_over(library, operation, n, 1, None, version)
    texts = [f"`{runs}`" if runs else "by elements" for _, runs in spans]
    ends = [format_bytes(least) if least % 1024 == 0 else f"{least} B" for least, _ in spans[1:]]
    return ", ".join(
        [texts[0], *(f"{end} {text}" for end, text in zip(ends, texts[1:], strict=True))]
    )


def rows() -> list[str]:
    """Lines of the table."""
    return [
        f"| {operation} | {n} | {' | '.join(cell(name, operation, n) for name in LIBRARIES)} |"
        for operation in OPERATIONS
        for n in COUNTS
    ]


def test_the_document_has_the_rows() -> None:
    text = PAGE.read_text()
    assert [row for row in rows() if row not in text] == []


if __name__ == "__main__":
    print("\n".join(rows()))
