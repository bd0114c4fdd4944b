"""Loads of the ports of a total exchange: the core against numpy.bincount, in one run.

Prints the median time of each over interleaved repetitions and their ratio.
"""

import time

import numpy as np

from contend import _core


def total_exchange(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source, destination and bytes of each of n(n-1) messages."""
    src, dst = np.divmod(np.arange(n * n, dtype=np.int32), np.int32(n))
    keep = src != dst
    return src[keep], dst[keep], np.full(n * (n - 1), 1024.0)


def by_core(n: int, src: np.ndarray, dst: np.ndarray, size: np.ndarray) -> float:
    """Bytes of the busiest port."""
    loads = _core.port_loads(n, src=src, dst=dst, bytes=size)
    return float(max(loads.bytes_sent.max(), loads.bytes_received.max()))


def by_numpy(n: int, src: np.ndarray, dst: np.ndarray, size: np.ndarray) -> float:
    """The same, with as much checked and counted."""
    if (src == dst).any() or not np.isfinite(size).all() or size.min() < 0:
        raise ValueError
    if min(src.min(), dst.min()) < 0 or max(src.max(), dst.max()) >= n:
        raise ValueError
    np.bincount(src, minlength=n), np.bincount(dst, minlength=n)
    sent, received = np.bincount(src, size, n), np.bincount(dst, size, n)
    return float(max(sent.max(), received.max()))


def seconds(function, *arguments) -> float:
    """Time of one call."""
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


if __name__ == "__main__":
    for n in (64, 256, 1024):
        messages = total_exchange(n)
        assert by_core(n, *messages) == by_numpy(n, *messages)
        times = [
            (seconds(by_core, n, *messages), seconds(by_numpy, n, *messages)) for _ in range(21)
        ]
        core, numpy = np.median(times, axis=0)
        print(
            f"n={n}: core {core * 1e3:.3f} ms, numpy {numpy * 1e3:.3f} ms, ratio {numpy / core:.1f}"
        )
