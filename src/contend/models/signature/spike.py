"""Points that stand out among the sizes beside them at one n, and at no other.

Idea: a spike is off the line between its neighbours over log m, which are off theirs the other way;
a step or a bend is not. What all n show at about the same size is how the library works there, and
what one of several n shows is a disturbance, which says nothing of other n.
Restrictions: of one n alone, or at the ends of its sizes, none is reported.
"""

import numpy as np

from contend.base.document import Floats

LEAST = 0.35  # in log time: 1.4 times what its neighbours say
_BACK = 0.25  # of a spike, by which its neighbours are off the other way
_SAME = 0.5  # of a spike, from which another n shows it too
_NEAR = 2.0  # octaves within which it does


def spikes(n: Floats, m: Floats, seconds: Floats) -> np.ndarray:
    """Return which of the points (k,) are spikes, as a mask."""
    mask = np.zeros(n.size, dtype=bool)
    bends = {count: _bends(m[n == count], seconds[n == count]) for count in np.unique(n)}
    if len(bends) < 2:
        return mask
    for count, (sizes, off) in bends.items():
        others = [bend for other, bend in bends.items() if other != count]
        for place in range(1, sizes.size - 1):
            is_spike = _is_spike(off, place)
            if is_spike and not any(_shows(bend, sizes[place], off[place]) for bend in others):
                mask |= (n == count) & (m == sizes[place])
    return mask


def _bends(m: Floats, seconds: Floats) -> tuple[Floats, Floats]:
    """Sizes, ascending, and the logarithm by which each is off the line of its neighbours."""
    order = np.argsort(m, kind="stable")
    sizes, times = m[order], np.log(seconds[order])
    off = np.zeros(sizes.size)
    if sizes.size > 2 and sizes[0] > 0:
        size = np.log(sizes)
        share = (size[1:-1] - size[:-2]) / np.maximum(size[2:] - size[:-2], np.finfo(float).tiny)
        off[1:-1] = times[1:-1] - (1 - share) * times[:-2] - share * times[2:]
    return sizes, off


def _is_spike(off: Floats, place: int) -> bool:
    inner = [k for k in (place - 1, place + 1) if 0 < k < off.size - 1]
    back = [-off[k] * np.sign(off[place]) for k in inner]
    return bool(abs(off[place]) >= LEAST and back and min(back) > _BACK * abs(off[place]))


def _shows(bends: tuple[Floats, Floats], size: float, off: float) -> bool:
    sizes, others = bends
    near = np.abs(np.log2(np.maximum(sizes, 1) / max(size, 1))) <= _NEAR
    return bool((others[near] * np.sign(off) > _SAME * abs(off)).any())
