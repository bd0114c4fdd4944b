"""Text such as "64KiB", "1.5 ms" or "10Gbit/s" to numbers, and back; used only at the edge."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from contend.base.errors import InvalidInputError

_BYTES = {
    "": 1, "b": 1,
    "k": 1000, "kb": 1000, "ki": 1024, "kib": 1024,
    "m": 1000**2, "mb": 1000**2, "mi": 1024**2, "mib": 1024**2,
    "t": 1000**4, "tb": 1000**4, "ti": 1024**4, "tib": 1024**4,
    "g": 1000**3, "gb": 1000**3, "gi": 1024**3, "gib": 1024**3,
}  # fmt: skip
_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
_BITS_PER_SECOND = {
    prefix + unit: factor * bits
    for prefix, factor in (("", 1), ("k", 1000), ("m", 1000**2), ("g", 1000**3), ("t", 1000**4))
    for unit, bits in (("bit/s", 1), ("bps", 1), ("b/s", 8))
} | {"kib/s": 8 * 1024, "mib/s": 8 * 1024**2, "gib/s": 8 * 1024**3}
_HELP = {
    "a size in bytes": "write a number and one of B, kB, MB, GB, TB (of 1000) or KiB, MiB, GiB, "
    "TiB (of 1024), as in 64KiB; a B is a byte, a b a bit",
    "a time": "write a number and one of ns, us, ms, s, min, h, as in 50us",
    "a rate": "write a number and one of bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s (or bps, Gbps), or "
    "of B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, as in 100Mbit/s; a B is a byte, "
    "a b a bit",
}
_OF_BITS = re.compile(r"[KMGT]i?b")  # Mb, where all small letters are taken for bytes
MOST_BYTES = 2**62  # fits an MPI_Count and a double
MOST_PROCESSES = 2**31 - 1  # MPI numbers ranks by an int
MOST_COUNTS = 100_000  # of one list
_NUMBER = re.compile(r"\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-zµμ/]*)\s*")


def _split(text: str, kind: str, units: dict[str, int] | dict[str, float]) -> tuple[Decimal, str]:
    match = _NUMBER.fullmatch(text)
    unit = re.sub("[µμ]", "u", match.group(2)).lower() if match else ""
    is_of_bits = match is not None and units is _BYTES and _OF_BITS.fullmatch(match.group(2))
    if match is None or unit not in units or is_of_bits:
        raise InvalidInputError(f"{text!r} is not {kind}", _HELP[kind])
    try:
        number = Decimal(match.group(1))
    except InvalidOperation:
        raise InvalidInputError(f"{text!r} is not {kind}", "write it like 1.5") from None
    if number.copy_abs() > MOST_BYTES:
        raise InvalidInputError(f"{text!r} is too large to be {kind}", "check its unit")
    return number, unit


def parse_bytes(text: str) -> int:
    """Whole number of bytes meant by `text`; KiB is 1024, kB is 1000.

    >>> parse_bytes("64KiB"), parse_bytes("8"), parse_bytes("1.5kB")
    (65536, 8, 1500)
    """
    number, unit = _split(text, "a size in bytes", _BYTES)
    size = number * _BYTES[unit]
    if size < 0 or size != int(size):
        raise InvalidInputError(f"{text!r} is not a whole number of bytes", "give 0 or more")
    return int(size)


def parse_seconds(text: str) -> float:
    """Seconds meant by `text`.

    >>> parse_seconds("1.5ms"), parse_seconds("2")
    (0.0015, 2.0)
    """
    number, unit = _split(text, "a time", _SECONDS)
    return float(number) * _SECONDS[unit]


def parse_latency(text: str) -> float:
    """Seconds of a latency meant by `text`; a whole second takes its unit, which may be forgotten.

    >>> parse_latency("1us"), parse_latency("1e-6"), parse_latency("2s")
    (1e-06, 1e-06, 2.0)
    """
    seconds = parse_seconds(text)
    if seconds >= 1 and not _split(text, "a time", _SECONDS)[1]:
        raise InvalidInputError(
            f"a latency of {text.strip()} without a unit is one of {format_seconds(seconds)}",
            "write its unit, as in 20us",
        )
    return seconds


def parse_rate(text: str) -> float:
    """Bits per second meant by `text`; a b is a bit, a B is a byte.

    >>> parse_rate("100Mbit/s"), parse_rate("1.5 Gbps"), parse_rate("10MB/s"), parse_rate("8Mb/s")
    (100000000.0, 1500000000.0, 80000000.0, 8000000.0)
    """
    spelled = text.replace("b/s", "bit/s").replace("Bps", "B/s")  # case alone tells these apart
    number, unit = _split(spelled, "a rate", _BITS_PER_SECOND)
    return float(number * _BITS_PER_SECOND[unit])


def parse_seconds_per_byte(text: str) -> float:
    """Seconds per byte meant by `text`: a number, a time per byte, or the rate that it is one over.

    >>> parse_seconds_per_byte("8e-11"), parse_seconds_per_byte("12.5GB/s")
    (8e-11, 8e-11)
    >>> parse_seconds_per_byte("1ns/B")
    1e-09
    """
    bare = text.strip()
    if bare.endswith("/B"):
        return parse_seconds(bare.removesuffix("/B"))
    try:
        return float(bare)
    except ValueError:
        return seconds_per_byte_at(bare)


def seconds_per_byte_at(text: str) -> float:
    """Seconds per byte at a rate.

    >>> seconds_per_byte_at("100Gbit/s")
    8e-11
    """
    rate = parse_rate(text)
    if not rate > 0:
        raise InvalidInputError(f"{text!r} moves no byte", "give a rate above 0")
    return 8 / rate


def parse_bytes_list(text: str) -> list[int]:
    """Sizes of a comma-separated list, without repeats, in order.

    >>> parse_bytes_list("1KiB,64,64")
    [1024, 64]
    """
    return list(dict.fromkeys(parse_bytes(part) for part in text.split(",") if part.strip()))


def parse_counts(text: str, kind: str = "number of processes") -> list[int]:
    """Counts of a list such as "2,4,8-10", ascending and without repeats; errors name the `kind`.

    >>> parse_counts("8,2,4-6")
    [2, 4, 5, 6, 8]
    """
    counts: set[int] = set()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        ends = part.split("-")
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
            raise InvalidInputError(f"{part!r} is not a {kind}", "write it like 4-6,8")
        first, last = (_count(end) for end in (ends[0], ends[-1]))
        if first > last:
            raise InvalidInputError(f"{part!r} holds no number", f"write {last}-{first}")
        if len(counts) + last - first >= MOST_COUNTS:
            raise InvalidInputError(
                f"{part!r} makes more than {MOST_COUNTS} numbers of processes",
                "name fewer, such as 1024,2048,4096",
            )
        counts.update(range(first, last + 1))
    return sorted(counts)


def _count(text: str) -> int:
    if len(text.lstrip("0")) > len(str(MOST_PROCESSES)) or int(text) > MOST_PROCESSES:
        raise InvalidInputError(
            f"{text!r} processes, where MPI can number {MOST_PROCESSES}", "give fewer"
        )
    return int(text)


def format_bytes(size: float) -> str:
    """Size in the largest binary unit that keeps it short.

    >>> format_bytes(65536), format_bytes(1000), format_bytes(0)
    ('64 KiB', '1000 B', '0 B')
    """
    return _scaled(size, 4, ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"), (1, "B")))


def format_seconds(seconds: float) -> str:
    """Time with three significant digits in a readable unit.

    >>> format_seconds(0.00823), format_seconds(0.0009996), format_seconds(0.0)
    ('8.23 ms', '1 ms', '0 s')
    """
    rounded = float(f"{seconds:.3g}")
    units = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    return _scaled(rounded, 3, units) if rounded else "0 s"


def format_rate(bits_per_second: float) -> str:
    """Rate in bits per second, in decimal units, as network links are sold.

    >>> format_rate(1e8), format_rate(2.5e9), format_rate(64000)
    ('100 Mbit/s', '2.5 Gbit/s', '64 kbit/s')
    """
    rounded = float(f"{bits_per_second:.4g}")
    return _scaled(rounded, 4, ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s")))


def _scaled(value: float, digits: int, units: Sequence[tuple[float, str]]) -> str:
    """The value in the largest of the units that it has one of, else in the last."""
    factor, unit = next((pair for pair in units if abs(value) >= pair[0]), units[-1])
    return f"{value / factor:.{digits}g} {unit}"
