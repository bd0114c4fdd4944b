"""Rules for a library from Python: what is written, what is said, and how it is loaded."""

import pytest

import contend
from contend.tune.choose.rules import Decisions, Rule


@pytest.fixture
def decisions():
    """A broadcast by another algorithm than Open MPI's default, and a schedule that it lacks."""
    rules = (
        Rule(operation="bcast", n=2, m=0, algorithm="binomial", why="a test"),
        Rule(operation="alltoall", n=2, m=0, algorithm="lg", why="a test"),
    )
    return Decisions(
        network="test", date="2026-01-01", contend="1", library="openmpi",
        library_version="5.0.7", rules=rules,
    )  # fmt: skip


def test_rules_are_written_with_what_loads_them(decisions, tmp_path):
    found = contend.export_rules(decisions, str(tmp_path / "rules"))
    assert (tmp_path / "rules").read_text() == found.export.text
    assert any(str(tmp_path / "rules") == value for value in found.settings.values())
    assert "does not have it" in found.notes[0]


def test_without_a_path_nothing_is_written(decisions, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        "binomial" in contend.export_rules(decisions).export.text or list(tmp_path.iterdir()) == []
    )
    assert list(tmp_path.iterdir()) == []


def test_another_format_may_be_named_and_an_unknown_one_is_an_error(decisions):
    assert contend.export_rules(decisions, target="openmpi-4").format.name == "openmpi-4"
    with pytest.raises(contend.ContendError, match="nosuch"):
        contend.export_rules(decisions, target="nosuch")


def test_a_file_for_another_library_than_was_measured_says_so(decisions):
    alike = decisions.rules[0].model_copy(update={"algorithm": "dbt"})
    found = contend.export_rules(decisions.model_copy(update={"rules": (alike,)}), target="ucc")
    assert "measured with Open MPI: what algorithms of these names gain over" in found.notes[0]
    assert "default of UCC" in found.notes[0]


def test_decisions_without_a_version_name_the_formats_of_their_library(decisions):
    with pytest.raises(contend.ContendError, match="formats are openmpi-4, openmpi-5"):
        contend.export_rules(decisions.model_copy(update={"library_version": ""}))
