"""All operations of a machine that others measured, decided at 64 nodes from 8."""

from functools import cache

import numpy as np
import pytest
from benchmarks.safe_choice import is_even, measured, network_of, regrets, safe_choices

from contend.samples.reader import READERS, ReadOptions
from contend.samples.setting import NATIVE


@pytest.fixture
def calls(shared_data):
    return decided(shared_data("fugaku_collectives/collectives.csv.gz"))


@cache
def decided(path):
    samples = list(READERS.get("pico").read(path, ReadOptions()))
    there = measured(samples, 64)
    network = network_of([one for one in samples if one.n == 8])
    return regrets(there, {"safe choice": safe_choices(network, there, 64)})


def mean(values):
    return np.exp(np.log(values).mean())


def test_the_safe_choice_costs_less_than_the_default(calls):
    assert len(calls) > 50
    assert mean(calls["safe choice"]) < 1.2 < mean(calls["default"])
    assert calls["safe choice"].quantile(0.9) <= 1.52 < calls["default"].quantile(0.9)


@pytest.mark.parametrize("half", [True, False])
def test_so_it_does_on_either_half_of_the_operations(calls, half):
    own = calls[calls["operation"].map(is_even) == half]
    assert mean(own["safe choice"]) < mean(own["default"])
    assert own["safe choice"].quantile(0.9) <= 1.52 < own["default"].quantile(0.9)


def test_no_departure_is_slower_than_the_default(calls):
    departs = calls[calls["safe choice:"] != NATIVE]
    assert 0.4 < len(departs) / len(calls) < 0.8
    assert (departs["safe choice"] / departs["default"]).max() <= 1.02
