"""Hashes of whole numbers: the same for the same numbers and seed, and all bits alike."""

import numpy as np


def hashed(seed: int, *numbers: np.ndarray) -> np.ndarray:
    """Hash of each row of numbers, uint64.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
    (SplitMix64), one round for each number.

    >>> hashed(7, np.array([1, 1, 2])).tolist()[0] == hashed(7, np.array([1])).tolist()[0]
    True
    """
    state: np.ndarray = _mixed(np.full(1, seed % 2**64, dtype=np.uint64))
    for number in numbers:
        state = _mixed(state ^ number.astype(np.uint64))
    return state


def below(count: np.ndarray, hash: np.ndarray) -> np.ndarray:
    """A number from 0 to below each count, by a hash; counts are below 2^32."""
    high = hash >> np.uint64(32)
    numbers: np.ndarray = (high * count.astype(np.uint64)) >> np.uint64(32)
    return numbers.astype(np.int64)


def _mixed(state: np.ndarray) -> np.ndarray:
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)))
