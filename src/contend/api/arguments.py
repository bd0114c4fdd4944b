"""Arguments of the Python interface, checked before anything is done with them.

A rule says what values a parameter takes; what is no such value is an error that names it. Whether
a value is a possible one, as a size or an algorithm's name, is for those to say who use it.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from math import isfinite
from operator import index
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from contend.base.errors import InvalidInputError
from contend.base.near_names import operation_of
from contend.samples import Sample
from contend.simulate.topologies import Topology

P = ParamSpec("P")
R = TypeVar("R")
_SHOWN = 60  # characters of a value that an error shows
_MOST = 2**31 - 1


@dataclass(frozen=True)
class Rule:
    """What a parameter takes: in words, whether a value is such, and what is read in its place."""

    requirement: str
    holds: Callable[[Any], bool]
    read: Callable[[Any], Any] | None = None

    def __or__(self, other: "Rule") -> "Rule":
        return Rule(
            f"{self.requirement}, or {other.requirement}",
            lambda value: self.holds(value) or other.holds(value),
            self.read,
        )


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, of Python or numpy, that a C int holds."""
    try:
        return not isinstance(value, bool) and abs(index(value)) <= _MOST
    except TypeError:
        return False


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, str | bytes | bool) and isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def _is_path(value: Any) -> bool:
    return isinstance(value, str | PathLike) and "\0" not in str(value)


def _are_names(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )


def _are_samples(value: Any) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return is_list and all(isinstance(sample, Sample) for sample in value)


def _are_parameters(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)


NONE = Rule("None", lambda value: value is None)
TEXT = Rule("a text", lambda value: isinstance(value, str))
OPERATION = Rule("the name of an operation", TEXT.holds, lambda name: name and operation_of(name))
PATH = Rule("a path", _is_path)
PATHS = Rule("paths", lambda value: all(map(_is_path, value)))
WHOLE = Rule("a whole number", is_whole)
NUMBER = Rule("a finite number", _is_number)
NAMES = Rule("a list of names, all different", _are_names)
SAMPLES = Rule("a list of samples", _are_samples)
PARAMETERS = Rule("a mapping of names to numbers", _are_parameters)
TOPOLOGY = Rule("a topology", lambda value: isinstance(value, Topology))


def takes(**rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check arguments of a function by the rule of each parameter that has one.

    >>> @takes(n=WHOLE)
    ... def twice(n): return 2 * n
    >>> twice(1.5)
    Traceback (most recent call last):
    contend.base.errors.InvalidInputError: n = 1.5; give a whole number
    """

    def checked(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            given = bound.arguments
            for name, rule in rules.items():
                if name in given and not rule.holds(given[name]):
                    shown = repr(given[name])[:_SHOWN]
                    raise InvalidInputError(f"{name} = {shown}", f"give {rule.requirement}")
                if name in given and rule.read:
                    given[name] = rule.read(given[name])
            return function(*bound.args, **bound.kwargs)

        return call

    return checked
