"""All operations of a machine that others measured, decided at 64 nodes from 8."""

from functools import cache

import numpy as np
import pytest
from benchmarks.safe_choice import is_tuned_on, measured, network_of, regrets, safe_choices

from contend.samples.reader import READERS, ReadOptions
from contend.signature.algorithm_growth import OWN_CHOICE


@pytest.fixture
def calls(shared_data):
    return decided(shared_data("fugaku_collectives/collectives.csv.gz"))


@cache
def decided(path):
    samples = list(READERS.get("pico").read(path, ReadOptions()))
    there = measured(samples, 64)
    return regrets(there, {"safe choice": safe_choices(network_of(samples, 8), there, 64)})


def mean(values):
    return np.exp(np.log(values).mean())


def test_the_safe_choice_costs_less_than_the_default(calls):
    assert len(calls) > 50
    assert mean(calls["safe choice"]) < 1.2 < mean(calls["default"])
    assert calls["safe choice"].quantile(0.9) <= 1.5 < calls["default"].quantile(0.9)


def test_so_it_does_on_operations_that_nothing_was_chosen_by(calls):
    apart = calls[~calls["operation"].map(is_tuned_on)]
    assert mean(apart["safe choice"]) < mean(apart["default"])
    assert apart["safe choice"].quantile(0.9) <= 1.5 < apart["default"].quantile(0.9)


def test_one_departure_in_ten_is_wrong_at_most(calls):
    departs = calls[calls["safe choice:"] != OWN_CHOICE]
    assert 0.4 < len(departs) / len(calls) < 0.8
    assert (departs["safe choice"] > 1.05 * departs["default"]).mean() <= 0.1
