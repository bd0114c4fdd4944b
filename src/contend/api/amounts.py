"""Numbers of processes and sizes as callers of Python write them."""

from collections.abc import Callable, Iterable
from operator import index
from typing import TypeAlias

from contend.base.errors import InvalidInputError
from contend.base.units import MOST_BYTES, parse_bytes, parse_bytes_list, parse_counts

Amounts: TypeAlias = int | str | Iterable[int | str]


def counts(n: Amounts) -> list[int]:
    """Numbers of processes: 64, "16,32-34", or a list of either.

    >>> counts([8, "16,32-34"])
    [8, 16, 32, 33, 34]
    """
    return _any([number for amount in _each(n) for number in _whole(amount, "n", parse_counts)])


def sizes(m: Amounts) -> list[int]:
    """Bytes: 1024, "1KiB,1MiB", or a list of either.

    >>> sizes("1KiB"), sizes([64, "1MiB"])
    ([1024], [64, 1048576])
    """
    return _any([number for amount in _each(m) for number in _whole(amount, "m", parse_bytes_list)])


def option(value: int | str) -> int:
    """An option of an algorithm: a number, or a size as text."""
    return parse_bytes(value) if isinstance(value, str) else int(value)


def _whole(amount: int | str, name: str, parse: Callable[[str], list[int]]) -> list[int]:
    if isinstance(amount, str):
        return parse(amount)
    if isinstance(amount, bool) or not hasattr(amount, "__index__"):
        raise InvalidInputError(
            f"{name} = {amount!r:.60} is no whole number",
            'give one, or a text such as "64" or "1MiB"',
        )
    if not 0 <= (number := index(amount)) <= MOST_BYTES:  # an integer of numpy is one too
        raise InvalidInputError(f"{name} = {number}", f"give 0 to {MOST_BYTES}")
    return [number]


def _each(values: Amounts) -> list[int | str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        return [values]
    return list(values)


def _any(numbers: list[int]) -> list[int]:
    if not numbers:
        raise InvalidInputError("an empty list", "give one number at least")
    return numbers
