"""What is different for an all-to-all of different sizes: m is a matrix, from row to column."""

from abc import ABC
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Claim
from contend.schedules.pointtopoint import PLogP


class VectorAlgorithm(Algorithm, ABC):
    """Base of algorithms where m has the shape (..., n, n); the diagonal stays where it is."""

    def call(self, n: int, m: Any, options: Mapping[str, int]) -> Call:
        shape = np.shape(m)
        if len(shape) < 2 or shape[-2:] != (n, n):
            raise InvalidInputError(
                f"sizes of the shape {shape} for {n} ranks",
                f"give a matrix of {n} rows and columns",
            )
        return super().call(n, np.asarray(m), options)

    def uniform(self, n: int, m: ArrayLike) -> Any:
        size = np.asarray(m)[..., None, None]
        return np.broadcast_to(size, (*np.shape(m), n, n))

    def equal_cost(self, net: PLogP, call: Call) -> Floats:
        """Return the closed form for n > 1 where all blocks have `call.m` bytes: the all-to-all's.

        The algorithm is a base of those with its name for different sizes.
        """
        return super().cost(net, call)  # type: ignore[safe-super]

    def claim(self, call: Call) -> Claim:
        """Return that ranks with short messages can be ahead."""
        return "upper bound"

    def uniform_call(self, n: int, m: ArrayLike, options: Mapping[str, int]) -> Call:
        """The arguments with one size in place of a matrix, which grows with n^2."""
        return super().call(n, np.asarray(m), options)

    def uniform_seconds(self, plogp: PLogP, n: int, m: ArrayLike, **options: int) -> Floats:
        """Time without contention where all blocks have `m` bytes; shape of `m`."""
        call = self.uniform_call(n, m, options)
        time = self.equal_cost(plogp, call) if n > 1 else np.zeros(())
        return np.broadcast_to(time, np.shape(call.m))

    def _shape(self, call: Call) -> tuple[int, ...]:
        return tuple(np.shape(call.m)[:-2])
