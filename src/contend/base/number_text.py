"""Numbers as a reader of the page sees them."""

from collections.abc import Callable
from functools import partial
from math import isnan

from contend.base.document import Quantity, Unit
from contend.base.units import format_bytes, format_seconds

MISSING = "–"


def measure(value: float, unit: Unit) -> str:
    """Value in its unit.

    >>> measure(4.55e-10, "s/B"), measure(8192, "B"), measure(2.345, "1"), measure(2e9, "B/s")
    ('0.455 ns/B', '8 KiB', '2.35', '2 GB/s')
    """
    if unit == "B":
        return format_bytes(value)
    if unit == "B/s":
        return rate(1.0 / value)
    if unit == "1":
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return format_seconds(value) + unit.removeprefix("s")


def quantity(parameter: Quantity) -> str:
    """Value of a scalar in its unit, or what a table of values holds."""
    if isinstance(parameter.value, tuple):
        return f"table of {len(parameter.value)} values"
    return measure(parameter.value, parameter.unit)


def bounds(parameter: Quantity) -> str:
    """Both bounds of a scalar, "" where none is known.

    >>> bounds(Quantity(value=2.0, unit="1", low=1.5, high=2.5))
    '1.5 to 2.5'
    """
    if not isinstance(parameter.low, float) or not isinstance(parameter.high, float):
        return ""
    return f"{measure(parameter.low, parameter.unit)} to {measure(parameter.high, parameter.unit)}"


def with_bounds(parameter: Quantity, text: Callable[[float], str] | None = None) -> str:
    """Value of a scalar, with both bounds where they are known and differ.

    `text` writes a number; default in the unit of the scalar.

    >>> with_bounds(Quantity(value=2.0, unit="1", low=1.5, high=2.5))
    '2 (1.5 to 2.5)'
    """
    write = text or partial(measure, unit=parameter.unit)
    low, high = parameter.low, parameter.high
    if isinstance(parameter.value, tuple):
        return quantity(parameter)
    if not isinstance(low, float) or not isinstance(high, float) or low == high:
        return write(parameter.value)
    return f"{write(parameter.value)} ({write(low)} to {write(high)})"


def count(number: float) -> str:
    """Whole number with a space between thousands.

    >>> count(1234567)
    '1 234 567'
    """
    return f"{number:,.0f}".replace(",", " ")


def interval(parameter: Quantity) -> str:
    """Bounds of a scalar with what they are bounds of, "" where none is known.

    >>> interval(Quantity(value=2.0, unit="1", low=1.5, high=2.5, bounds="95 % over launches"))
    '95 % over launches: 1.5 to 2.5'
    """
    ends = bounds(parameter)
    return f"{parameter.bounds or '95 % interval'}: {ends}" if ends else ""


def with_interval(parameter: Quantity, name: str = "", unit: str = "") -> str:
    """Value of a scalar, and in parentheses its name and its bounds with what these are of.

    >>> with_interval(Quantity(value=2.0, unit="1", low=1.5, high=2.5), "gamma", " times")
    '2 times (gamma, 95 % interval: 1.5 to 2.5)'
    """
    words = ", ".join(filter(None, (name, interval(parameter))))
    return f"{quantity(parameter)}{unit}" + (f" ({words})" if words else "")


def rate(seconds_per_byte: float) -> str:
    """Rate in decimal units, as network links are sold.

    >>> rate(1e-9), rate(8e-8)
    ('1 GB/s', '12.5 MB/s')
    """
    per_second = float(f"{1.0 / seconds_per_byte:.3g}")  # rounded first, or 1 GB/s is 1e+03 MB/s
    for factor, unit in ((1e9, "GB/s"), (1e6, "MB/s")):
        if per_second >= factor:
            return f"{per_second / factor:.3g} {unit}"
    return f"{per_second / 1e3:.3g} kB/s"


def percent(share: float | None) -> str:
    """Share of one as a percentage, to two digits or more; a dash where it is not known.

    >>> percent(0.0734), percent(0.41), percent(12.3), percent(None)
    ('7.3 %', '41 %', '1230 %', '–')
    """
    if share is None or isnan(share):
        return MISSING
    return f"{100 * share:.1f} %" if abs(share) < 0.0995 else f"{100 * share:.0f} %"


def signed_percent(share: float) -> str:
    """Percentage that always shows its sign, with a true minus.

    >>> signed_percent(-0.0734)
    '−7.3 %'
    """
    text = percent(abs(share))
    if text == "0.0 %":
        return text
    return ("−" if share < 0 else "+") + text


def signed_whole(percent: float) -> str:
    """Whole number of per cent with its sign, "" for none.

    >>> signed_whole(-7.34), signed_whole(0.2), signed_whole(float("nan"))
    ('−7', '0', '')
    """
    if isnan(percent):
        return ""
    return f"{round(percent):+d}".replace("-", "−") if round(percent) else "0"


def signed_seconds(value: float) -> str:
    """Seconds that may be less than none.

    >>> signed_seconds(-0.5)
    '-500 ms'
    """
    return format_seconds(value) if value >= 0 else f"-{format_seconds(-value)}"


def listed(values: tuple[int, ...] | list[int]) -> str:
    """Numbers in a row; a long row shortened to its ends.

    >>> listed([4, 8]), listed(list(range(2, 30)))
    ('4, 8', '2, 3, … 29 (28 values)')
    """
    if len(values) <= 10:
        return ", ".join(map(str, values))
    return f"{values[0]}, {values[1]}, … {values[-1]} ({len(values)} values)"


def size_range(sizes: tuple[int, ...] | list[int]) -> str:
    """Number and range of sizes.

    >>> size_range([4, 8, 1024])
    '3 sizes, 4 B to 1 KiB'
    """
    if len(sizes) == 1:
        return format_bytes(sizes[0])
    return f"{len(sizes)} sizes, {format_bytes(min(sizes))} to {format_bytes(max(sizes))}"
