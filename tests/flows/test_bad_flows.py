"""What is refused names the thing, the rule and the remedy."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import flows_of
from contend.simulate.flows.models import get
from contend.simulate.topologies import FatTree, Links

GOOD = {"src": [0, 1], "dst": [1, 0], "bytes": [1.0, 1.0], "start": [0.0, 0.0]}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"src": [0, 0]}, "flow 1: host 0 sends to itself.*leave it out"),
        ({"src": [-1, 1]}, "src holds host -1; give hosts from 0"),
        ({"src": [0.5, 1]}, "src is not a list of hosts; give numbers from 0, or names"),
        ({"src": [[0], [1]]}, "src is not a list; give one host per flow"),
        ({"dst": [1]}, "dst has 1 entries; give 2"),
        ({"bytes": [1.0]}, "bytes has 1 entries; give 2"),
        ({"bytes": [1.0, -1.0]}, "flow 1: bytes must be finite and at least 0, got -1"),
        ({"bytes": [np.nan, 1.0]}, "flow 0: bytes must be finite and at least 0, got nan"),
        ({"bytes": [np.inf, 1.0]}, "flow 0: bytes must be finite and at least 0, got inf"),
        ({"bytes": ["many", 1.0]}, "bytes is not a list of numbers"),
        ({"bytes": [[1.0, 1.0]]}, "bytes is not a list of numbers"),
        ({"start": [np.inf, 0.0]}, "flow 0: start must be a finite time in seconds, got inf"),
        ({"latency": [0.0, -1.0]}, "flow 1: latency must be finite and at least 0, got -1"),
        ({"latency": [0.0]}, "latency has 1 entries; give 2"),
        ({"route": [[0], [1]]}, "the links no capacity; give a topology"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*ragged:")
def test_bad_flows(change, problem):
    with pytest.raises(InvalidInputError, match=problem):
        solve({**GOOD, **change}, bandwidth=1.0)


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan, np.inf])
def test_bad_bandwidth(bandwidth):
    with pytest.raises(InvalidInputError, match="bandwidth must be finite and above 0"):
        solve(GOOD, bandwidth=bandwidth)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"model": "fair"}, "no sharing model is named 'fair'; choose from maxmin, "),
        ({"parameters": {"gamma": 1.0}}, "maxmin has no parameter 'gamma'.*none"),
        ({"model": "penalty3", "parameters": {"gamma": np.nan}}, "penalty3: gamma must be finite"),
        ({"model": "measured"}, "measured needs the penalties of each graph; give a function"),
        ({"model": "infiniband", "topology": Links(2, [1.0])}, "no routes over these links"),
        ({"hosts": 1}, "flow 0: dst is host 1, but with 1 hosts they are 0 to 0"),
        ({"hosts": 0}, "there must be at least 1 host, got 0"),
    ],
)
def test_bad_options(options, problem):
    with pytest.raises(InvalidInputError, match=problem):
        solve(GOOD, bandwidth=1.0, **options)


@pytest.mark.parametrize(
    ("capacity", "route", "problem"),
    [
        ([1.0], [[0], []], "flow 1: its route has no link; give at least one"),
        ([1.0], [[0], [1]], "flow 1: its route names link 1, but with 1 links they are 0 to 0"),
        ([1.0], [[0], [-1]], "route names link -1; number them from 0"),
        ([1.0], [[0], [0, 0]], "flow 1: its route passes link 0 twice"),
        ([1.0], [[0]], "routes has 1 entries; give 2"),
        ([1.0], [0, 0], "a route is no list of links"),
        ([0.0], [[0], [0]], "link 0: capacity must be finite and above 0 bytes per second, got 0"),
        ([np.nan], [[0], [0]], "link 0: capacity must be finite"),
    ],
)
def test_bad_routes(capacity, route, problem):
    with pytest.raises(InvalidInputError, match=problem):
        solve({**GOOD, "route": route}, bandwidth=1.0, topology=Links(2, capacity))


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([0.5, 1.0], "flow 0: a penalty must be at least 1, got 0.5"),
        ([1.0], "got 1 penalties for 2"),
    ],
)
def test_bad_penalties(given, problem):
    with pytest.raises(InvalidInputError, match=problem):
        solve(GOOD, "measured", bandwidth=1.0, penalties=lambda left: given)


def test_an_error_of_the_function_comes_through():
    def fails(left):
        raise KeyError("no such graph")

    with pytest.raises(KeyError, match="no such graph"):
        solve(GOOD, "measured", bandwidth=1.0, penalties=fails)


def test_flows_that_take_for_ever_are_an_error():
    flows = {**GOOD, "bytes": [1e308, 1.0]}
    with pytest.raises(InvalidInputError, match="1 flows never end; give a bandwidth"):
        solve(flows, bandwidth=1e-3)


def test_unknown_hosts_and_missing_columns_are_errors():
    flows = {"src": ["a"], "dst": ["c"], "bytes": [1]}
    with pytest.raises(InvalidInputError, match=r"flow 0: dst is 'c', which is no host; .* a, b"):
        flows_of(flows, hosts=["a", "b"])
    with pytest.raises(InvalidInputError, match="the flows have no column 'dst'"):
        flows_of({"src": [0]})
    with pytest.raises(InvalidInputError, match="choose from"):
        get("fair")


def test_a_fat_tree_needs_switches():
    with pytest.raises(InvalidInputError, match="0 spines"):
        FatTree(1, 1, 0, 1.0)
    with pytest.raises(InvalidInputError, match="oversubscription is nan"):
        FatTree(1, 1, 1, 1.0, np.nan)
