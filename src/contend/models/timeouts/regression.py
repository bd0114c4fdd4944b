"""Most probable parameters of the share of repetitions with a time-out, for given deviations.

Source: regression of a binary outcome with the complementary log-log link (McCullagh, Nelder,
"Generalized Linear Models", 1989, section 4.3) and random effects, by Laplace's approximation
(Breslow, Clayton, J. of the American Statistical Association 88, 1993).
Formula: share = 1 - exp(-exp(y)), y = a + c (log m + q log(n-1)) + s [m >= S] + launch + point,
with logarithms from their middle; launch and point are Gaussian, of the deviations given.
Restrictions: c and q are positive; `USUAL` is believed of all of them before anything is counted.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.base.document import Floats

STRAY = 0.003  # repetitions that are classified wrongly, which no load explains
PARAMETERS = 4  # a, log c, log q, s
_STEPS = 60  # of Newton's method; a few are enough
_CLOSE = 1e-7  # in the logarithm of a probability


@dataclass(frozen=True)
class Usual:
    """Prior of the parameters, mean and standard deviation; those of c and q of their logarithm.

    If a port takes so many bytes whoever sends them q is 1; if each of n(n-1) messages is lost by
    itself with a chance as m^c it is 2/c; emulated switches have 1.5 to 2.4.
    """

    level: tuple[float, float] = (0.0, 6.0)
    steepness: tuple[float, float] = (float(np.log(4.0)), 0.5)
    exponent: tuple[float, float] = (float(np.log(1.5)), 0.4)
    step: tuple[float, float] = (0.0, 6.0)


USUAL = Usual()


@dataclass(frozen=True)
class Cells:
    """Counts of samples (k,): logarithms of n-1 and m from their middle, and what was counted.

    `launch` and `point` number those that a sample is of, from 0.
    """

    over_n: Floats
    over_m: Floats
    m: Floats
    launch: np.ndarray
    point: np.ndarray
    repetitions: Floats
    late: Floats

    @property
    def launches(self) -> int:
        return int(self.launch.max()) + 1

    @cached_property
    def effects(self) -> Floats:
        """Columns (k, launches + points), 1 where a sample is of it."""
        return np.hstack([np.eye(part.max() + 1)[part] for part in (self.launch, self.point)])


@dataclass(frozen=True)
class Fit:
    """Most probable parameters and effects (p,), their covariance, and how probable the fit is."""

    value: Floats
    covariance: Floats
    evidence: float
    of_launch: float
    of_point: float
    switch: float


def trend(value: Floats, over_n: Floats, over_m: Floats, is_beyond: np.ndarray) -> Floats:
    """Linear predictor y without effects, broadcast; `value` are the parameters (4, ...)."""
    level, steepness, exponent, step = value[0], np.exp(value[1]), np.exp(value[2]), value[3]
    return np.asarray(level + steepness * (over_m + exponent * over_n) + step * is_beyond)


def losses(y: Floats) -> Floats:
    """Messages of a repetition that wait, on average; none does with a chance of exp(-losses)."""
    return np.asarray(np.exp(np.clip(y, -30.0, 5.0)))


def fit(cells: Cells, switch: float, of_launch: float, of_point: float) -> Fit:
    """The most probable parameters and effects, by Newton's method with damped steps.

    `switch` is S, infinite for none; `of_launch` and `of_point` are standard deviations.
    """
    means, deviations = np.array([USUAL.level, USUAL.steepness, USUAL.exponent, USUAL.step]).T
    scale = np.full(cells.effects.shape[1], of_point)
    scale[: cells.launches] = of_launch
    centre = np.concatenate([means, np.zeros(scale.size)])
    precision = 1 / np.concatenate([deviations, scale]) ** 2
    value, damping = centre, 1.0
    height, gradient, information = _climb(cells, switch, value, centre, precision)
    for _ in range(_STEPS):
        damped = information + damping * np.diag(np.diag(information))
        step = np.linalg.solve(damped, gradient)
        tried = _climb(cells, switch, value + step, centre, precision)
        if tried[0] < height:
            if np.abs(step).max() < _CLOSE:
                break
            damping *= 4
            continue
        is_done = tried[0] - height < _CLOSE and damping < _CLOSE**0.25
        value, damping = value + step, damping / 8
        height, gradient, information = tried
        if is_done:
            break
    _, logarithm = np.linalg.slogdet(information)
    evidence = height + 0.5 * float(np.log(precision).sum()) - 0.5 * float(logarithm)
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    return Fit(value, covariance, evidence, of_launch, of_point, switch)


def _climb(
    cells: Cells, switch: float, value: Floats, centre: Floats, precision: Floats
) -> tuple[float, Floats, Floats]:
    """Logarithm of the probability of `value` (p,), its gradient, and Fisher's information."""
    is_beyond = (cells.m >= switch).astype(float)
    y = trend(value[:PARAMETERS], cells.over_n, cells.over_m, is_beyond)
    power = losses(y + cells.effects @ value[PARAMETERS:])
    clear = np.exp(-power)
    chance = STRAY + (1 - 2 * STRAY) * (1 - clear)
    slope = (1 - 2 * STRAY) * power * clear
    steepness, exponent = np.exp(value[1]), np.exp(value[2])
    columns = np.column_stack(
        [
            np.ones_like(y),
            steepness * (cells.over_m + exponent * cells.over_n),
            steepness * exponent * cells.over_n,
            is_beyond,
            cells.effects,
        ]
    )
    off = (value - centre) * precision
    late, others = cells.late, cells.repetitions - cells.late
    spread = chance * (1 - chance)
    height = late @ np.log(chance) + others @ np.log1p(-chance) - 0.5 * off @ (value - centre)
    gradient = columns.T @ ((late - cells.repetitions * chance) * slope / spread) - off
    weight = cells.repetitions * slope**2 / spread
    information = (columns * weight[:, None]).T @ columns + np.diag(precision)
    return float(height), gradient, information
