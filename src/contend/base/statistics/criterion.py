"""Extended Bayesian information criterion: which of many models data ask for.

Source: Chen, Chen, Biometrika 95(3), 2008, of Schwarz, Annals of Statistics 6(2), 1978.
Idea: a model earns its parameters as by Schwarz's criterion, and its place among the models that
were tried: the more of its length there are, the better the best of them is by chance.
Formula: deviance + k log N + 2 log M, for k parameters, N points and M models of that length.
Differences below 2 are not worth a mention, above 6 strong, above 10 very strong (Kass, Raftery,
JASA 90(430), 1995).
"""

from math import log, log1p

STRONG, VERY_STRONG = 6.0, 10.0


def criterion(deviance: float, parameters: int, points: int, models: int = 1) -> float:
    """The criterion of a model, the smaller the better.

    >>> criterion(20.0, 0, 100) < criterion(12.0, 1, 100, models=10) < criterion(20.0, 1, 100)
    True
    """
    return deviance + parameters * log(points) + 2 * log(models)


def deviance(squares: float, least: float, degrees: int) -> float:
    """Deviance of `squares`, in units of a noise that `least` squares over `degrees` tell.

    >>> round(deviance(30.0, 20.0, 1000), 1), round(deviance(30.0, 20.0, 5), 1)
    (10.0, 6.6)
    """
    return (degrees + 1) * log1p(max(squares - least, 0.0) / degrees)
