"""Names and parameters of the sharing models; the models themselves are in the core.

Each model is one file, `core/src/sharing/<name>.cpp`, which starts with its source, its range of
validity and what it cannot see. Messages of a replay can share a network by these, but for measured
penalties, which need a table; by ports, by TCP, or not at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from contend import _core
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from

DEFAULT = "maxmin"
MEASURED = "measured"  # takes the penalties that were measured


@dataclass(frozen=True)
class SharingModel:
    """A sharing model: whether it follows routes, whether it keeps the capacity of each link."""

    name: str
    parameters: dict[str, float]
    has_routes: bool
    keeps_capacity: bool


@cache
def _models() -> dict[str, SharingModel]:
    return {
        model.name: SharingModel(
            model.name, dict(model.parameters), model.has_routes, model.keeps_capacity
        )
        for model in _core.sharing_models()
    }


def names() -> list[str]:
    """Names of all sharing models.

    >>> names()[:2]
    ['maxmin', 'equal_share']
    """
    return list(_models())


def get(name: str) -> SharingModel:
    """The model of that name; the error for an unknown one lists those there are.

    >>> get("penalty3").parameters
    {'beta_e': 0.965, 'beta_s': 0.925, 'gamma': 1.35}
    """
    try:
        return _models()[name]
    except KeyError:
        raise InvalidInputError(
            f"no sharing model is named {name!r}", choose_from(name, _models())
        ) from None


def parameters(model: SharingModel, given: Mapping[str, float] | None) -> list[float]:
    """Values of the model's parameters in its order, the given ones over the initial ones."""
    unknown = sorted(set(given or {}) - set(model.parameters))
    if unknown:
        names = ", ".join(model.parameters) or "none"
        raise InvalidInputError(
            f"{model.name} has no parameter {unknown[0]!r}", f"its parameters are: {names}"
        )
    return list({**model.parameters, **(given or {})}.values())


ALONE, PORTS, TCP = "alone", "ports", "tcp"


def carriage_names() -> list[str]:
    """Names of all by which messages of a replay can share a network.

    >>> carriage_names()[:3]
    ['alone', 'ports', 'tcp']
    """
    return [ALONE, PORTS, TCP, *(name for name in names() if name != MEASURED)]
