"""contend graph solve --tolerance."""

import pytest


@pytest.fixture
def into_one(tmp_path):
    """100 messages into one host, each 0.1 % larger than the one before."""
    path = tmp_path / "flows.csv"
    rows = "".join(f"{source},hub,{1000 + source}\n" for source in range(100))
    path.write_text("src,dst,bytes\n" + rows)
    return path


def test_ends_are_within_the_tolerance(contend, into_one):
    words = ("graph", "solve", into_one, "--bandwidth", "8bit/s", "--json")
    exact, merged = (
        [flow["end"] for flow in contend(*words, *more).json["flows"]]
        for more in ((), ("--tolerance", "0.01"))
    )
    assert merged != exact
    assert merged == pytest.approx(exact, rel=0.01)


def test_a_fitted_network_has_no_tolerance(contend, into_one, tmp_path):
    outcome = contend(
        "graph", "solve", into_one, "--network", tmp_path / "n.json", "--tolerance", "0.01"
    )
    assert outcome.code == 1
    assert "a fitted network is solved exactly" in outcome.err


def test_a_tolerance_beyond_a_tenth_is_refused(contend, into_one):
    outcome = contend("graph", "solve", into_one, "--bandwidth", "8bit/s", "--tolerance", "0.2")
    assert outcome.code == 2
