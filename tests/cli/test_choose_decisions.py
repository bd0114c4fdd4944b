"""contend choose against the library's own default."""

import pytest

from contend.models.network import Level, Network
from contend.tune.choose.rules import Decisions
from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains
from support import libraries, networks

LAWS = {
    "native": libraries.default,
    "openmpi:chain,segment=1024": lambda n, m: libraries.default(n, m) * (0.5 if m > 1000 else 2.0),
    "openmpi:binomial": libraries.times(1.0),
}

SLOWER = VerifiedCalls(
    operation="bcast", n=8, m=4096, m_last=4096, algorithm="chain", options={"segment": 1024},
    gain=0.8, gain_low=0.7, gain_high=0.9, pairs=5, is_slower=True,
)  # fmt: skip


@pytest.fixture
def network(tmp_path):
    path = tmp_path / "network.json"
    libraries.measured(LAWS).save(path)
    return path


def test_without_an_operation_all_that_were_measured_are_decided(contend, network, tmp_path):
    path = tmp_path / "decisions.json"
    outcome = contend("choose", network, "--table", "-o", path)
    assert "chain segment=1024" in outcome.out
    assert "1 of 2 rules depart from the default" in outcome.err
    found = Decisions.load(path)
    assert found.rule("bcast", 8, 4096).options == {"segment": 1024}
    assert found.rule("bcast", 8, 16).is_default


def test_where_a_program_was_slower_the_default_stays(contend, network, tmp_path):
    path = tmp_path / "verified.json"
    VerifiedGains(library="openmpi", library_version="5.0.11", calls=(SLOWER,)).save(path)
    found = contend("choose", network, "--table", "--verified", path, "--json").json["rules"]
    (held,) = (rule for rule in found if "slower by chain: 0.80 (0.70 to 0.90)" in rule["why"])
    assert (held["n"], held["m"], held["algorithm"]) == (6, 2048, "default")
    contend("choose", network, "--table", "--verified", network).fails(
        "network.json is 'contend.network', not 'contend.verified'"
    )
    level = Level(name="all", plogp=networks.plogp())
    Network.load(network).model_copy(update={"levels": (level,)}).save(network)
    contend("choose", network, "bcast", "-n", 8, "-m", "4KiB", "--verified", path).fails(
        "add --table"
    )


def test_json_is_the_document(contend, network):
    shown = contend("choose", network, "bcast", "--table", "--json").json
    assert shown["schema"] == "contend.decisions"
    assert {rule["algorithm"] for rule in shown["rules"]} == {"default", "chain"}


def test_the_table_says_what_extrapolates(contend, network):
    outcome = contend("choose", network, "bcast", "--table", "-n", "64", "-m", "4KiB")
    assert "extrapolates" in outcome.out


def test_a_call_ranks_the_catalogue_and_says_what_to_do_with_the_default(contend, network):
    level = Level(name="all", plogp=networks.plogp())
    Network.load(network).model_copy(update={"levels": (level,)}).save(network)
    outcome = contend("choose", network, "bcast", "-n", 8, "-m", "4KiB")
    assert "the library's default" in outcome.out
    assert "take chain segment=1024" in outcome.err
    assert "leave it" in contend("choose", network, "bcast", "-n", 8, "-m", 16).err
    (shown,) = contend("choose", network, "bcast", "-n", 8, "-m", "4KiB", "--json").json
    assert shown["default"][0]["seconds"] == pytest.approx(libraries.default(8, 4096), rel=0.2)
    assert shown["decisions"][0]["algorithm"] == "chain"


def test_a_call_is_decided_where_nothing_is_known_of_messages(contend, network):
    outcome = contend("choose", network, "bcast", "-n", 8, "-m", "4KiB")
    assert "chain segment=1024" in outcome.out


def test_what_decisions_do_not_take_is_said(contend, network, tmp_path):
    failed = contend("choose", network, "-o", tmp_path / "map.svg")
    assert failed.code != 0
    assert "name a .json file" in failed.err
    assert contend("choose", network, "--ports", "shared").code != 0
    failed = contend("choose", network, "reduce", "--table", "-o", tmp_path / "d.json")
    assert "no measured default of reduce" in failed.err


def test_one_process_is_refused_before_anything_is_computed(contend, network):
    failed = contend("choose", network, "--table", "-n", "0")
    failed.fails()
    assert failed.err.startswith("error: n = 0 ")


def test_an_operation_that_was_not_fitted_is_named(contend, network):
    failed = contend("choose", network, "alltoall", "-n", 4, "-m", 64)
    assert "no times of alltoall" in failed.err
    assert "contend fit --operation alltoall" in failed.err
