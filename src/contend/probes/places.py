"""Where something is measured or predicted: numbers of processes, and sizes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError


@dataclass(frozen=True)
class Places:
    """Processes `n` and bytes `m` > 0, each of shape (k,)."""

    n: Floats
    m: Floats

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> "Places":
        """Those of pairs (n, m)."""
        n, m = np.array([*pairs], dtype=float).reshape(-1, 2).T
        return cls(n, m)

    @classmethod
    def grid(cls, counts: Sequence[int], sizes: Sequence[int]) -> "Places":
        """Every n with every size; an error where there is none, or n < 2 or m < 1."""
        if not counts or not sizes:
            raise InvalidInputError("no n or no m", "give both, e.g. -n 64 -m 1MiB")
        if min(counts) < 2:
            raise InvalidInputError(f"n = {min(counts)}", "an exchange takes at least 2 processes")
        if min(sizes) < 1:
            raise InvalidInputError(
                f"m = {min(sizes)}", "times are planned for messages of 1 byte or more"
            )
        return cls.of((n, m) for n in sorted(set(counts)) for m in sorted(set(sizes)))

    def pairs(self) -> list[tuple[int, int]]:
        """Each (n, m)."""
        return [(int(n), int(m)) for n, m in zip(self.n, self.m, strict=True)]

    def __len__(self) -> int:
        return self.n.size
