"""A shell is told what can be named, by the machinery that completes in it."""

import sys

import pytest

from contend.cli.app import make_app
from contend.measure.lab import profiles
from contend.models.signature import FORMS
from contend.schedules import COLLECTIVES, algorithms
from contend.tune.exports import FORMATS


@pytest.fixture
def proposed(monkeypatch, capsys):
    """What is proposed for the last word of a command line."""

    def run(line):
        monkeypatch.setattr(sys, "argv", ["contend"])
        monkeypatch.setenv("_CONTEND_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        capsys.readouterr()
        with pytest.raises(SystemExit):
            make_app()(prog_name="contend")
        return capsys.readouterr().out.split()

    return run


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("contend draw ", sorted(COLLECTIVES)),
        ("contend list algorithms b", ["barrier", "bcast"]),
        ("contend measure collectives bcast ", sorted(algorithms("bcast").names())),
        ("contend predict network.json bcast --algorithm bin", ["binary", "binomial"]),
        ("contend predict network.json --form ", FORMS.names()),
        ("contend lab ", sorted(profiles())),
        ("contend study --on h", ["here"]),
        ("contend study --on lab:los", ["lab:lossless"]),
        ("contend tune export decisions.json --library ", FORMATS.names()),
        ("contend solve flows.csv --model infi", ["infiniband", "infiniband-residual"]),
        ("contend solve flows.csv --topology f", ["fat-tree:"]),
        ("contend trace convert trace --to p", ["perfetto"]),
    ],
)
def test_names_of_the_registries_are_proposed(proposed, line, names):
    assert sorted(proposed(line)) == sorted(names)


def test_a_list_goes_on_with_what_it_does_not_hold(proposed):
    found = proposed("contend measure --collective bcast,b")
    assert found == ["bcast,barrier"]


def test_an_algorithm_is_one_of_the_operation_that_stands_before(proposed):
    assert "pairwise" not in proposed("contend draw bcast ")
    assert "pairwise" in proposed("contend draw alltoall ")
