from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.base.units import (
    format_bytes,
    format_rate,
    format_seconds,
    parse_bytes,
    parse_bytes_list,
    parse_counts,
    parse_rate,
    parse_seconds,
    parse_seconds_per_byte,
)

DECIMAL = {"k": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
BINARY = {"Ki": 1024, "Mi": 1024**2, "Gi": 1024**3, "Ti": 1024**4}


@pytest.mark.parametrize("prefix", ["", *DECIMAL, *BINARY])
@given(number=st.integers(0, 10**6))
def test_bytes_are_the_number_times_the_unit(prefix, number):
    factor = ({"": 1} | DECIMAL | BINARY)[prefix]
    for text in (f"{number}{prefix}B", f" {number} {prefix} ", f"{number}{prefix.lower()}b"):
        assert parse_bytes(text) == number * factor


PARSED = [
    (parse_bytes, "1e6", 10**6), (parse_seconds, "1.5E-6", 1.5e-6),
    *((parse_seconds, text, seconds) for text, seconds in (
        ("2", 2), ("2s", 2), ("2ms", 2e-3), ("2us", 2e-6), ("2µs", 2e-6), ("2μs", 2e-6),
        ("2ns", 2e-9), ("2 min", 120), ("2h", 7200), ("-1ms", -1e-3),
    )),
    # A small b of a rate is a bit, a large one a byte.
    *((parse_rate, text, rate) for text, rate in (
        ("100Mbit/s", 1e8), ("100 mbit/s", 1e8), ("100Mbps", 1e8), ("100Mb/s", 1e8),
        ("12.5MB/s", 1e8), ("12.5 MBps", 1e8), ("1MiB/s", 8 * 1024**2), ("10Gbit/s", 1e10),
        ("9600bit/s", 9600),
    )),
    *((parse_seconds_per_byte, text, seconds) for text, seconds in (
        ("8e-11", 8e-11), ("0.08 ns/B", 8e-11), ("12.5GB/s", 8e-11), ("1Gbit/s", 8e-9), ("0", 0.0),
    )),
    (parse_counts, "0002147483647,1-3", [1, 2, 3, 2147483647]),
    (parse_bytes_list, "1KiB, 64,1024,,8", [1024, 64, 8]), (parse_bytes_list, "", []),
]  # fmt: skip


@pytest.mark.parametrize(("parse", "text", "value"), PARSED)
def test_a_text_is_its_value(parse, text, value):
    assert parse(text) == (value if isinstance(value, list) else pytest.approx(value, rel=1e-15))


MANY = "where MPI can number 2147483647"
REFUSED = [
    *((parse_bytes, text, problem) for text, problem in (
        ("", "is not a size in bytes; write a number and one of"),
        ("KiB", "is not a size in bytes"), ("64Kib/s", "is not a size in bytes"),
        ("64 bits", "is not a size in bytes; write a number and one of B, kB, MB"),
        ("0x40", "is not a size in bytes"), ("10Mb", "a B is a byte, a b a bit"),
        ("1,5kB", "is not a size in bytes"),
        ("1.2.3", "is not a size in bytes; write it like 1.5"), ("nan", "is not a size in bytes"),
        ("1.5", "is not a whole number of bytes"),
        ("-8", "is not a whole number of bytes; give 0 or more"),
        ("1e400", "is too large"), ("1e99999999", "is too large"),
    )),
    *((parse_seconds, text, "a time") for text in ("", "s", "1 parsec", "1..2", "inf", "1e999")),
    *((parse_rate, text, "is not a rate") for text in ("100", "100M", "fast", "1 MB", "1bit")),
    *((parse_seconds_per_byte, text, "") for text in ("fast", "0GB/s", "3 s", "1/B/B", "")),
    *((parse_counts, f"2,{text}", text) for text in ("a", "4-", "-4", "2-4-6", "2.5", "²", "8-4")),
    *((parse_counts, text, MANY)
      for text in ("99999999999999999999", "1-100000000000", "9" * 5000, "2147483648")),
    *((parse_counts, text, "more than 100000 numbers of processes")
      for text in ("1-2147483647", "1-60000,100000-160000")),
]  # fmt: skip


@pytest.mark.parametrize(("parse", "text", "problem"), REFUSED)
def test_what_is_none_is_an_error_that_quotes_it(parse, text, problem):
    with pytest.raises(InvalidInputError) as caught:
        parse(text)
    assert problem in str(caught.value)
    if parse in (parse_bytes, parse_seconds):
        assert str(caught.value).startswith(repr(text))


@given(st.integers(0, 10**9))
def test_thousandths_of_a_kilobyte_are_exact(size):
    assert parse_bytes(f"{Decimal(size) / 1000}kB") == size


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 20)), max_size=6))
def test_counts_are_the_union_of_their_ranges(ranges):
    text = ",".join(f"{low}-{low + more}" if more else f" {low} " for low, more in ranges)
    expected = {n for low, more in ranges for n in range(low, low + more + 1)}
    assert parse_counts(text) == sorted(expected)


@given(st.floats(1e-12, 1e5))
def test_a_formatted_time_is_read_back_to_three_digits(seconds):
    text = format_seconds(seconds)
    assert parse_seconds(text) == pytest.approx(seconds, rel=5.1e-3)
    number = float(text.split()[0])
    assert number < 1000 or text.endswith(" s")
    assert number >= 1 or text.endswith(" ns")


@given(st.integers(0, 2**43))
def test_a_formatted_size_is_read_back_to_four_digits(size):
    number, unit = format_bytes(size).split()
    factor = parse_bytes(f"1{unit}")
    assert float(number) * factor == pytest.approx(size, rel=5.1e-4)
    power = 2 ** (size % 40)
    assert parse_bytes(format_bytes(power)) == power  # exactly


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (0.9999, "1 s"), (9.996e-4, "1 ms"), (9.996e-7, "1 µs"), (-2e-3, "-2 ms")],
)
def test_a_time_is_rounded_before_its_unit_is_chosen(seconds, text):
    assert format_seconds(seconds) == text


@given(st.integers(1, 9999), st.sampled_from(["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]))
def test_a_rate_is_read_as_it_was_written(number, unit):
    assert parse_rate(format_rate(parse_rate(f"{number}{unit}"))) == parse_rate(f"{number}{unit}")
