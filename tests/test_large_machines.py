"""The benchmark of large machines: its flows, its limit, the slopes it prints."""

import numpy as np
import pytest
from benchmarks.large_machines import growth
from benchmarks.large_machines.__main__ import Switch
from benchmarks.large_machines.alone import NoFiguresError, run_alone
from benchmarks.large_machines.cases import BANDWIDTH, CASES
from benchmarks.large_machines.growth import Curve

from contend.simulate.flows.engine import solve


@pytest.mark.parametrize("name", CASES)
def test_every_case_has_the_flows_that_it_says_and_ends_them(name):
    case = CASES[name]
    columns = case.columns(100)
    flows = len(columns["bytes"])
    assert 50 < flows <= 110
    assert (columns["src"] != columns["dst"]).all()
    assert (columns["bytes"] == np.ceil(columns["bytes"])).all()
    ends = solve(columns, case.model, bandwidth=BANDWIDTH, topology=case.topology()).end
    assert (ends >= columns["start"] + columns["bytes"] / BANDWIDTH * (1 - 1e-9)).all()


def test_hosts_send_the_share_of_their_bandwidth_that_a_case_says():
    columns = CASES["load 0.7, 3 levels"].columns(50_000)
    sent = columns["bytes"].sum() / (columns["start"][-1] * 8192 * BANDWIDTH)
    assert sent == pytest.approx(0.7, rel=0.03)


def test_one_switch_by_its_links_is_one_switch():
    columns = CASES["random-128"].columns(90)
    links = Switch(10, [BANDWIDTH] * 20)
    assert solve(columns, topology=links).end == pytest.approx(
        solve(columns, bandwidth=BANDWIDTH).end
    )


def test_a_run_that_needs_more_than_its_limit_is_ended():
    with pytest.raises(NoFiguresError, match="> 1"):
        run_alone("load 0.3, 100 000 hosts", 10_000_000, 1)


def test_the_slope_is_the_exponent_of_a_power():
    flows = [1000, 2000, 4000, 8000]
    curve = Curve("power", flows, [1e-6 * number**1.5 for number in flows])
    assert curve.slope() == pytest.approx(1.5)
    start_up = Curve("power", [100, *flows], [1e-3, *curve.seconds])
    assert start_up.slope() == pytest.approx(1.5)
    assert np.isnan(Curve("short", flows, [1e-3] * 4).slope())


def test_growth_goes_on_from_the_points_that_it_has(tmp_path, monkeypatch):
    asked = []

    def point(case, number, limit):
        asked.append(number)
        return None if number > 10_000 else [number, number / 1e4]

    monkeypatch.setattr(growth, "_point", point)
    points = tmp_path / "growth.json"
    (first,) = growth.measured(["random-128"], points, 1.0)
    assert first.slope() == pytest.approx(1.0, abs=1e-6)
    count = len(asked)
    assert max(first.flows) < 10_000 < max(asked)
    assert list(growth.measured(["random-128"], points, 1.0)) == [first]
    assert asked[count:] == [max(asked)]  # only that which took too long
    growth.draw([first], tmp_path / "growth.svg")
    assert "random-128: 1.00" in (tmp_path / "growth.svg").read_text()
    (line,) = growth.table([first])
    assert line["exponent"] == "1.00"
