"""What the binding of the message graph adds: conversion, checks, errors; the rest: core/tests."""

import numpy as np
import pytest

from contend import _core
from contend.base.errors import InvalidInputError


def total_exchange(n):
    src, dst = np.nonzero(~np.eye(n, dtype=bool))
    return src.astype(np.int32), dst.astype(np.int32)


def test_total_exchange_takes_n_minus_1_messages_of_m_bytes():
    src, dst = total_exchange(24)
    loads = _core.port_loads(24, src=src, dst=dst, bytes=np.full(src.size, 65536.0))
    bound = _core.lower_bound(loads, alpha=5e-5, beta=8e-9)
    assert bound.startups == 23
    assert bound.seconds == pytest.approx(23 * (5e-5 + 8e-9 * 65536), rel=1e-12)
    assert bound.holds_claim_3


def test_loads_agree_with_numpy():
    random = np.random.default_rng(2007)
    n, messages = 50, 2000
    src = random.integers(0, n, messages, dtype=np.int32)
    dst = ((src + random.integers(1, n, messages)) % n).astype(np.int32)
    size = random.integers(0, 1 << 20, messages).astype(np.float64)
    loads = _core.port_loads(n, src=src, dst=dst, bytes=size)
    np.testing.assert_array_equal(loads.out_degrees, np.bincount(src, minlength=n))
    np.testing.assert_array_equal(loads.in_degrees, np.bincount(dst, minlength=n))
    np.testing.assert_array_equal(loads.bytes_sent, np.bincount(src, size, n))
    np.testing.assert_array_equal(loads.bytes_received, np.bincount(dst, size, n))


def test_loads_outlive_their_owner_and_are_read_only():
    one = np.array([1], dtype=np.int32)
    sent = _core.port_loads(2, src=one, dst=one - 1, bytes=np.array([7.0])).bytes_sent
    np.testing.assert_array_equal(sent, [0.0, 7.0])
    with pytest.raises(ValueError, match="read-only"):
        sent[0] = 1.0


def test_error_of_the_core_is_raised_as_invalid_input():
    zero = np.zeros(1, dtype=np.int32)
    with pytest.raises(InvalidInputError, match="vertex 0 sends to itself"):
        _core.port_loads(2, src=zero, dst=zero, bytes=np.zeros(1))


@pytest.mark.parametrize(
    "src",
    [np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros((1, 1), dtype=np.int32), [0]],
    ids=["int64", "float64", "2-D", "list"],
)
def test_nothing_is_converted_silently(src):
    with pytest.raises(TypeError):
        _core.port_loads(2, src=src, dst=np.ones(1, dtype=np.int32), bytes=np.zeros(1))


def test_what_could_be_mistaken_goes_by_name():
    src, dst = total_exchange(3)
    with pytest.raises(TypeError):
        _core.port_loads(3, src, dst, np.zeros(6))
    loads = _core.port_loads(3, src=src, dst=dst, bytes=np.zeros(6))
    with pytest.raises(TypeError):
        _core.lower_bound(loads, 5e-5, 8e-9)
