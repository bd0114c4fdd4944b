"""The command line that all MPI experiments share."""

import ctypes

import pytest
from structures import Limits


class Arguments(ctypes.Structure):
    _fields_ = [
        ("sizes", ctypes.POINTER(ctypes.c_size_t)),
        ("n_sizes", ctypes.c_size_t),
        ("limits", Limits),
        ("warmup", ctypes.c_size_t),
        ("start", ctypes.c_int),
        ("is_describe", ctypes.c_bool),
        ("is_per_rank", ctypes.c_bool),
    ]


@pytest.fixture(scope="module")
def parse(load_common):
    """A function that returns the arguments understood, or the error."""
    library = load_common("arguments")
    library.contend_parse_arguments.restype = ctypes.c_bool

    def parse_line(line):
        words = [b"prog", *line.encode().split()]
        argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        arguments = Arguments()
        error = ctypes.create_string_buffer(512)
        is_understood = library.contend_parse_arguments(
            len(words), argv, ctypes.byref(arguments), error, ctypes.c_size_t(len(error))
        )
        return arguments if is_understood else error.value.decode()

    return parse_line


def test_defaults(parse):
    arguments = parse("--sizes 64")
    assert isinstance(arguments, Arguments)
    limits = arguments.limits
    assert (limits.min_repetitions, limits.max_repetitions) == (20, 500)
    assert (limits.max_seconds, limits.precision, limits.confidence) == (0.5, 0.05, 0.95)
    assert (arguments.warmup, arguments.start) == (3, 0)
    assert not arguments.is_describe
    assert not arguments.is_per_rank


def test_all_options_are_read(parse):
    arguments = parse(
        "--sizes 64,1024,0,64 --min-repetitions 2 --max-repetitions 7 --max-seconds 1.5 "
        "--precision 0 --confidence 0.5 --warmup 0 --start barrier --per-rank --describe"
    )
    assert isinstance(arguments, Arguments)
    limits = arguments.limits
    assert arguments.sizes[: arguments.n_sizes] == [64, 1024, 0, 64]
    assert (limits.min_repetitions, limits.max_repetitions) == (2, 7)
    assert (limits.max_seconds, limits.precision, limits.confidence) == (1.5, 0.0, 0.5)
    assert (arguments.warmup, arguments.start) == (0, 2)
    assert arguments.is_describe
    assert arguments.is_per_rank
    assert isinstance(parse("--describe"), Arguments)  # needs no sizes


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "--sizes is missing"),
        ("--sizes", "--sizes needs whole numbers"),
        ("--sizes 1,,2", "got '1,,2'"),
        ("--sizes 1,2,", "got '1,2,'"),
        ("--sizes -1", "got '-1'"),
        ("--sizes 1k", "got '1k'"),
        ("--sizes 2147483648", "at most 2147483647"),
        ("--sizes 99999999999999999999", "whole numbers"),
        ("--sizes 1 --min-repetitions 0", "--min-repetitions needs a whole number from 1"),
        ("--sizes 1 --max-repetitions 1.5", "got '1.5'"),
        ("--sizes 1 --max-repetitions 5", "5 is below --min-repetitions 20"),
        ("--sizes 1 --warmup", "--warmup needs a whole number from 0"),
        ("--sizes 1 --max-seconds 0", "--max-seconds needs a number above 0; got '0'"),
        ("--sizes 1 --max-seconds inf", "got 'inf'"),
        ("--sizes 1 --precision nan", "got 'nan'"),
        ("--sizes 1 --precision -0.1", "--precision needs a number of at least 0"),
        ("--sizes 1 --confidence 1", "--confidence needs a number above 0 and below 1"),
        ("--sizes 1 --confidence 0.9x", "got '0.9x'"),
        ("--sizes 1 --start local", "--start needs auto, window, barrier or believed; got 'local'"),
        ("--sizes 1 --frobnicate 3", "unknown option '--frobnicate'"),
    ],
)
def test_an_error_says_what_is_wrong_in_one_line(parse, line, words):
    error = parse(line)
    assert isinstance(error, str)
    assert words in error
    assert "\n" not in error
