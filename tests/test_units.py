from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.errors import InvalidInputError
from contend.units import (
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


@given(st.integers(0, 10**9))
def test_thousandths_of_a_kilobyte_are_exact(size):
    assert parse_bytes(f"{Decimal(size) / 1000}kB") == size


def test_an_exponent_is_a_number():
    assert parse_bytes("1e6") == 10**6
    assert parse_seconds("1.5E-6") == 1.5e-6


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2", 2), ("2s", 2), ("2ms", 2e-3), ("2us", 2e-6), ("2µs", 2e-6), ("2μs", 2e-6),
     ("2ns", 2e-9), ("2 min", 120), ("2h", 7200), ("-1ms", -1e-3)],
)  # fmt: skip
def test_seconds_are_the_number_times_the_unit(text, seconds):
    assert parse_seconds(text) == pytest.approx(seconds, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not a size in bytes; write a number and one of"),
        ("KiB", "is not a size in bytes"),
        ("64Kib/s", "is not a size in bytes"),
        ("64 bits", "is not a size in bytes; write a number and one of b, g, gb"),
        ("0x40", "is not a size in bytes"),
        ("1,5kB", "is not a size in bytes"),
        ("1.2.3", "is not a size in bytes; write it like 1.5"),
        ("nan", "is not a size in bytes"),
        ("1.5", "is not a whole number of bytes"),
        ("-8", "is not a whole number of bytes; give 0 or more"),
        ("1e400", "is too large"),
        ("1e99999999", "is too large"),
    ],
)
def test_what_is_no_size_is_an_error_that_quotes_it(text, problem):
    with pytest.raises(InvalidInputError, match=problem) as caught:
        parse_bytes(text)
    assert str(caught.value).startswith(repr(text))


@pytest.mark.parametrize("text", ["", "s", "1 parsec", "1..2", "inf", "1e999"])
def test_what_is_no_time_is_an_error_that_quotes_it(text):
    with pytest.raises(InvalidInputError, match="a time") as caught:
        parse_seconds(text)
    assert str(caught.value).startswith(repr(text))


def test_a_list_of_sizes_keeps_its_order_and_drops_repeats():
    assert parse_bytes_list("1KiB, 64,1024,,8") == [1024, 64, 8]
    assert parse_bytes_list("") == []


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 20)), max_size=6))
def test_counts_are_the_union_of_their_ranges(ranges):
    text = ",".join(f"{low}-{low + more}" if more else f" {low} " for low, more in ranges)
    expected = {n for low, more in ranges for n in range(low, low + more + 1)}
    assert parse_counts(text) == sorted(expected)


@pytest.mark.parametrize("text", ["a", "4-", "-4", "2-4-6", "2.5", "²", "8-4"])
def test_what_is_no_count_is_an_error_that_quotes_it(text):
    with pytest.raises(InvalidInputError, match=text):
        parse_counts(f"2,{text}")


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


def test_a_power_of_two_is_formatted_exactly():
    assert all(parse_bytes(format_bytes(2**power)) == 2**power for power in range(40))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (0.9999, "1 s"), (9.996e-4, "1 ms"), (9.996e-7, "1 µs"), (-2e-3, "-2 ms")],
)
def test_a_time_is_rounded_before_its_unit_is_chosen(seconds, text):
    assert format_seconds(seconds) == text


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("100Mbit/s", 1e8),
        ("100 mbit/s", 1e8),
        ("100Mbps", 1e8),
        ("100Mb/s", 1e8),
        ("12.5MB/s", 1e8),
        ("12.5 MBps", 1e8),
        ("1MiB/s", 8 * 1024**2),
        ("10Gbit/s", 1e10),
        ("9600bit/s", 9600),
    ],
)
def test_a_small_b_of_a_rate_is_a_bit_and_a_large_one_a_byte(text, rate):
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["100", "100M", "fast", "1 MB", "1bit"])
def test_a_rate_needs_its_unit(text):
    with pytest.raises(InvalidInputError, match="is not a rate"):
        parse_rate(text)


@given(st.integers(1, 9999), st.sampled_from(["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]))
def test_a_rate_is_read_as_it_was_written(number, unit):
    assert parse_rate(format_rate(parse_rate(f"{number}{unit}"))) == parse_rate(f"{number}{unit}")


@pytest.mark.parametrize(
    "text", ["99999999999999999999", "1-100000000000", "9" * 5000, "2147483648"]
)
def test_more_processes_than_mpi_can_number_are_refused(text):
    with pytest.raises(InvalidInputError, match="where MPI can number 2147483647"):
        parse_counts(text)


@pytest.mark.parametrize("text", ["1-2147483647", "1-60000,100000-160000"])
def test_a_list_of_counts_has_an_end(text):
    with pytest.raises(InvalidInputError, match="more than 100000 numbers of processes"):
        parse_counts(text)


def test_the_largest_count_is_read():
    assert parse_counts("0002147483647,1-3") == [1, 2, 3, 2147483647]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("8e-11", 8e-11), ("0.08 ns/B", 8e-11), ("12.5GB/s", 8e-11), ("1Gbit/s", 8e-9), ("0", 0.0)],
)
def test_time_per_byte(text, seconds):
    assert parse_seconds_per_byte(text) == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize("text", ["fast", "0GB/s", "3 s", "1/B/B", ""])
def test_what_is_no_time_per_byte_is_an_error(text):
    with pytest.raises(InvalidInputError):
        parse_seconds_per_byte(text)
