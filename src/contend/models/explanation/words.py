"""Words for sizes, numbers of processes, factors and evidence, as all sentences have them."""

from collections.abc import Sequence

from contend.base.document import Quantity
from contend.base.number_text import measure, percent
from contend.base.units import format_bytes
from contend.models.explanation.exchange import Exchange


def at_sizes(exchange: Exchange, sizes: tuple[int, int]) -> str:
    """Where a range of sizes lies among those measured, as a sentence begins.

    "At all sizes", "Up to 256 B", "From 512 B on", "From 1 KiB to 4 KiB" or "At 4 KiB".
    """
    low, high = sizes
    is_first, is_last = low <= exchange.sizes[0], high >= exchange.sizes[-1]
    if is_first and is_last:
        return "At all sizes"
    if low == high:
        return f"At {format_bytes(low)}"
    if is_first:
        return f"Up to {format_bytes(high)}"
    if is_last:
        return f"From {format_bytes(low)} on"
    return f"From {format_bytes(low)} to {format_bytes(high)}"


def within(words: str) -> str:
    """The same within a sentence.

    >>> within("At all sizes")
    'at all sizes'
    """
    return words[0].lower() + words[1:]


def counted(counts: Sequence[int]) -> str:
    """Ends of the numbers of processes.

    >>> counted([8, 16, 64]), counted([8])
    ('8 to 64 processes', '8 processes')
    """
    if len(counts) == 1:
        return f"{counts[0]} processes"
    return f"{counts[0]} to {counts[-1]} processes"


def number(value: float) -> str:
    """A factor or an exponent, to two digits after the point where it is small.

    >>> number(1.0), number(0.0312), number(23.45)
    ('1.00', '0.03', '23.4')
    """
    return f"{value:.2f}" if abs(value) < 10 else measure(value, "1")


def times(factor: Quantity) -> str:
    """A factor with its interval: "1.52 (1.45 to 1.60)"."""
    if not isinstance(factor.low, float) or not isinstance(factor.high, float):
        return number(float(factor))
    return f"{number(float(factor))} ({number(factor.low)} to {number(factor.high)})"


def evidence(error: float, without: float) -> str:
    """How far off the times are with a finding and without it, in brackets."""
    return f"(without this, times would be off by {percent(without)}; with it by {percent(error)})"


def either(options: Sequence[str]) -> str:
    """Alternatives in a row.

    >>> either(["a", "b", "c"])
    'a, b or c'
    """
    return options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"
