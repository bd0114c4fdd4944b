"""Penalties from measured end times: the inverse method.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3.3.
Idea: all flows of a graph start together with the same size m. What flow i moved in the steps
after the first follows from the penalties of those steps, which are graphs with fewer flows; the
rest it moved in the first step:
  rho(i, 1) = T_1 / (alpha (m - sum over j > 1 of (T_j - T_(j-1)) / (alpha rho(i, j)))).
Erratum: the printed system for three flows swaps T_3 - T_2 and T_2 - T_1.
Restrictions: equal sizes, common start; each later step must have been measured as a graph of its
own.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from contend.base.errors import InvalidInputError

# The penalties of the flows that are left, in the order given, if they started together.
LaterSteps = Callable[[Sequence[int]], ArrayLike]


def penalties_from_times(
    seconds: ArrayLike, size: float, bandwidth: float, later: LaterSteps, tie: float = 1e-9
) -> np.ndarray:
    """Penalty of each flow in the first step, from the end times of a static-synchronous graph.

    Parameters
    ----------
    seconds
        (n_flows,) from the common start to the end of each; or (n_repetitions, n_flows), which
        gives the penalties of each repetition.
    size
        Bytes of every flow.
    bandwidth
        Bytes per second of a flow that is alone, 1 / alpha.
    later
        Takes the numbers of the flows that are left and returns the penalty of each of them.
    tie
        Ends that differ by less than this, relative, are the same end.

    >>> penalties_from_times([2.0, 2.5], 1.0, 1.0, lambda left: [1.0]).tolist()
    [2.0, 4.0]
    """
    times = np.asarray(seconds, dtype=np.float64)
    if times.ndim == 2:
        return np.array([penalties_from_times(row, size, bandwidth, later, tie) for row in times])
    if times.ndim != 1 or not times.size or not (np.isfinite(times).all() and times.min() > 0):
        raise InvalidInputError("the end times are not a list above 0", "give seconds of each flow")
    for name, value in (("size", size), ("bandwidth", bandwidth)):
        if not (np.isfinite(value) and value > 0):
            raise InvalidInputError(f"{name} is {value}", "give a finite number above 0")
    ends = _distinct(times, tie)
    moved_later = np.zeros(len(times))
    for before, until in pairwise(ends):
        flows = np.flatnonzero(times > before * (1 + tie))
        later_penalties = np.asarray(later(flows.tolist()), dtype=np.float64)
        if later_penalties.shape != flows.shape or not (later_penalties > 0).all():
            raise InvalidInputError(
                f"the step of flows {flows.tolist()} has penalties {later_penalties.tolist()}",
                "give one above 0 for each",
            )
        moved_later[flows] += (until - before) * bandwidth / later_penalties
    moved_first = size - moved_later
    if moved_first.min() <= 0:
        flow = int(np.argmin(moved_first))
        raise InvalidInputError(
            f"flow {flow} would move {moved_later[flow]:g} of {size:g} bytes after the first end",
            "the graphs of the later steps were measured under other conditions; repeat them",
        )
    penalties: np.ndarray = ends[0] * bandwidth / moved_first
    return penalties


def _distinct(times: np.ndarray, tie: float) -> list[float]:
    ends: list[float] = []
    for time in np.sort(times):
        if not ends or time > ends[-1] * (1 + tie):
            ends.append(float(time))
    return ends
