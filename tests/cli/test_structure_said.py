"""The structure of figures of the OSU benchmarks, as the console says it."""

from pathlib import Path

import numpy as np
import pytest

HEAD = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
"""


def figures(n: int, rng: np.random.Generator) -> str:
    """Bruck's algorithm to 256 B, then n-1 messages; their bytes cost 1.6 times more at n = 64."""
    rows = []
    for m in (2**power for power in range(21)):
        price = 0.0002 * (1.6 if n == 64 else 1.0)
        time = np.log2(n) * (2 + m * n / 2 * 0.0002) if m <= 256 else (n - 1) * (1 + m * price)
        rows.append(f"{m:<12d}{time * np.exp(0.03 * rng.standard_normal()):>20.2f}\n")
    return HEAD + "".join(rows)


@pytest.fixture
def said(contend, tmp_path: Path) -> str:
    rng = np.random.default_rng(11)
    samples = tmp_path / "samples.jsonl"
    for n in (16, 64):
        (tmp_path / f"osu_alltoall_n{n}.txt").write_text(figures(n, rng))
        found = contend("import", tmp_path / f"osu_alltoall_n{n}.txt", "-n", n, "-o", samples)
        assert found.code == 0, found.err
    outcome = contend("fit", samples, "-o", tmp_path / "n.json", "--assume", "alpha=1us,beta=5GB/s")
    assert outcome.code == 0, outcome.err
    return " ".join(outcome.out.split())


def test_fit_says_the_structure_of_a_file_of_osu(said: str) -> None:
    for sentence in (
        "At 512 B the library switches its algorithm, from store-and-forward (Bruck) to direct or "
        "pairwise exchange",
        "Up to 256 B times grow with n like those of store-and-forward (Bruck): 4 to 6 messages of "
        "a process, where a direct exchange of 16 to 64 processes has 15 to 63",
        "From 512 B on times grow with n like those of a direct or pairwise exchange",
        "two numbers of processes do not tell why, nor whether it goes on",
    ):
        assert sentence in said
