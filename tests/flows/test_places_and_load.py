"""Hosts have places of their own, and the load of all hosts is that of the messages."""

import numpy as np
import pytest

from contend.simulate.flows.load import load
from contend.simulate.flows.messages import messages
from contend.simulate.flows.places import places
from support.flows import MODELS, crowd


@pytest.mark.parametrize("hosts", [2, 3, 12, 30])
@pytest.mark.parametrize("count", [1, 5, 60, 150])
def test_hosts_are_on_the_sheet_and_no_two_in_one_place(hosts, count):
    found = messages(crowd(count, hosts))
    at = places(found.edges, 400, 300)
    assert sorted(at) == found.hosts
    points = np.array(list(at.values()))
    assert (points >= -1e-6).all()
    assert (points <= [400 + 1e-6, 300 + 1e-6]).all()
    apart = np.linalg.norm(points[:, None] - points, axis=2) + 1e9 * np.eye(len(points))
    assert apart.min() > 10


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [64, 3])
def test_the_load_of_hosts_adds_up_to_the_bytes_they_send_and_receive(model, rows):
    solution = crowd(200, 10, model)
    found = load(messages(solution), 50, rows)
    seconds = np.diff(found.edges)
    for rates, ends in ((found.sent, solution.flows.src), (found.received, solution.flows.dst)):
        moved = (rates * seconds).sum(axis=1)
        for hosts, own in zip(found.hosts, moved, strict=True):
            expected = solution.flows.bytes[np.isin(ends, hosts)].sum()
            assert own * len(hosts) == pytest.approx(expected, rel=1e-5)
    assert (found.under_way * seconds).sum() == pytest.approx(solution.seconds.sum(), rel=1e-5)
