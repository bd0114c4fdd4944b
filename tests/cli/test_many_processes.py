"""Series of more processes than a schedule of all messages can be made for."""

import math

import numpy as np
import pytest

from contend.models.explanation.families import families
from contend.samples import SampleStore
from support.synthesis import alltoall, sample

SIZES = tuple(2**power for power in range(2, 14))
COUNTS = (64, 128, 256, 512, 1024, 2048, 4096, 8192)


def seconds(n, m):
    """Blocks are forwarded up to 512 B, and sent directly above."""
    if m <= 512:
        return 1e-6 * (3 * math.log2(n) + n / 2 * math.log2(n) * m / 4000)
    return 1e-6 * n * (1.5 + m / 1000 * (n - 32) / n)


@pytest.fixture
def series(tmp_path):
    """Of up to 100 000 processes, with what has no size beside."""
    path = tmp_path / "samples.jsonl"
    with SampleStore(path) as store:
        store.extend(alltoall((*COUNTS, 100_000), seconds, SIZES, processes_per_node=32))
        store.extend(
            sample(0, n, (2e-6 * math.log2(n),), experiment="barrier", processes_per_node=32)
            for n in COUNTS
        )
    return path


def test_a_fit_of_many_processes_ends_with_its_summary(contend, series, tmp_path):
    network = tmp_path / "network.json"
    for operation in ("alltoall", "barrier"):
        words = ("--at", 1024) if operation == "alltoall" else ()
        outcome = contend("fit", series, "--operation", operation, *words, "-o", network)
        assert outcome.code == 0, outcome.err
    fitted = contend("fit", series, "--operation", "alltoall", "--at", 1024, "-o", network)
    assert "store-and-forward (Bruck): 6 to 17 messages of a process" in fitted.out
    for words in (
        ("predict", network, "-n", 100_000, "-m", "64,1MiB"),
        ("validate", network, series),
        ("explain", series, network, "--operation", "alltoall"),
        ("design", network, "-n", 100_000),
        ("choose", network, "alltoall", "-n", 100_000, "-m", "1MiB", "-o", tmp_path / "d.json"),
        ("diff", network, network),
        ("diff", series, series),
    ):
        outcome = contend(*words)
        assert outcome.code == 0, (words, outcome.err)


def test_forwarded_blocks_are_counted_by_closed_form_as_in_the_schedule():
    (forwarding,) = families()[1:]
    counts = np.array([2.0, 3, 8, 12, 31, 64, 100])
    messages, volume = forwarding.sent(counts)
    bits = [[bin(block).count("1") for block in range(int(n))] for n in counts]
    assert volume.tolist() == [sum(of) for of in bits]
    assert messages.tolist() == [max(n - 1, 1).bit_length() for n in counts.astype(int).tolist()]
    messages, volume = forwarding.sent(np.array([2.0**31]))
    assert (messages[0], volume[0]) == (31, 31 * 2.0**30)
