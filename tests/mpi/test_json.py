"""The JSON that the MPI experiments print."""

import ctypes
import json

import pytest


@pytest.fixture
def printed(load_common, tmp_path):
    """A function that calls one of json.c with a C stream and returns what was written."""
    library = load_common("json")
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    path = tmp_path / "out"

    def call(function, *arguments):
        stream = ctypes.c_void_p(libc.fopen(str(path).encode(), b"w"))
        getattr(library, function)(stream, *arguments)
        assert libc.fclose(stream) == 0
        return path.read_bytes().decode("ascii")

    return call


@pytest.mark.parametrize(
    "text", ["", "plain", 'say "hi"', "back\\slash", "tab\tline\nend\r", "\x01\x1f\x7f", "{[,:]}"]
)
def test_a_string_survives_the_round_trip(printed, text):
    assert json.loads(printed("contend_json_string", text.encode())) == text


def test_a_byte_beyond_ascii_is_read_as_latin_1(printed):
    assert json.loads(printed("contend_json_string", b"caf\xe9")) == "caf\u00e9"


def test_seconds_keep_ten_digits(printed):
    seconds = [0.0, 1.234567891e-6, 12.5]
    values = (ctypes.c_double * 3)(*seconds)
    assert json.loads(printed("contend_json_seconds", values, ctypes.c_size_t(3))) == seconds
    assert printed("contend_json_seconds", values, ctypes.c_size_t(0)) == "[]"
