"""The first screen: what was found, what spares it, and the command that follows."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.per_call import measured_calls
from contend.report.answer import answer
from contend.report.figures.figure import Findings
from contend.report.figures.overview import shown_operation
from contend.report.page import page
from contend.samples import Sample
from contend.samples.origin import Unsaved
from support import synthesis
from support.timeouts import ALPHA, BETA, beside_pairwise, exchange


def fitted(samples: list[Sample]) -> Findings:
    network = fit_network(samples, Unsaved("planted", b""), FitOptions())
    return Findings(network, samples)


@cache
def of_timeouts() -> tuple[float, Findings]:
    """The share of calls that wait at 12 processes and 64 KiB, and what was found."""
    default, samples = beside_pairwise(2)
    findings = fitted([*samples, *synthesis.pingpong(ALPHA, BETA)])
    return default.share(12, 65536), findings


def straight(gamma: float) -> Findings:
    """An exchange by one algorithm with a factor of contention."""
    times = synthesis.alltoall((4, 8), lambda n, m: (n - 1) * (1e-5 + gamma * 1e-9 * m))
    return fitted([*times, *synthesis.pingpong(1e-5, 1e-9)])


def test_the_answer_names_the_call_that_loses_most_and_what_is_faster() -> None:
    _, findings = of_timeouts()
    found = answer(findings)
    assert found is not None
    worst = max(
        measured_calls(findings.network, shown_operation(findings)),
        key=lambda one: one.over_bound or 0.0,
    )
    assert f"among {worst.n} processes" in found.sentences[0]
    assert f"{worst.over_bound:.2g} times" in found.sentences[0]
    said = " ".join(found.sentences)
    assert "of the calls wait for a time-out" in said
    faster = re.search(r"pairwise of alltoall is ([\d.]+) times faster", said)
    assert faster
    assert float(faster[1]) > 2
    assert found.command == "contend tune export decisions.json -o rules"


def test_a_call_costs_its_share_of_time_outs() -> None:
    share, findings = of_timeouts()
    calls = measured_calls(findings.network, shown_operation(findings))
    one = next(call for call in calls if (call.n, call.m) == (12, 65536))
    clean = exchange(12, 65536)
    assert one.late == pytest.approx(share, abs=0.05)
    assert one.seconds == pytest.approx(clean + share * 0.2 * 1.1, rel=0.05)
    assert one.over_bound == pytest.approx(one.seconds / clean, rel=0.02)


def test_little_contention_is_called_little() -> None:
    found = answer(straight(1.1))
    assert found is not None
    assert found.sentences[0].startswith("Contention costs little here")


def test_what_was_not_compared_is_what_to_measure_next() -> None:
    found = answer(straight(3.0), Path("folder of mine"))
    assert found is not None
    assert "is significantly faster" not in " ".join(found.sentences)
    assert found.command.startswith("contend measure library --collective alltoall")
    assert found.command.endswith("-o 'folder of mine/samples.jsonl'")


def test_algorithms_of_the_library_stand_beside_its_choice_and_have_no_part_of_their_own() -> None:
    _, findings = of_timeouts()
    assert [one.algorithm for one in findings.operations] == ["native"]
    text = page(findings)
    assert text.index('id="answer"') < text.index('id="choice"') < text.index('id="operation-1"')
    assert 'id="operation-2"' not in text
    assert "<strong>pairwise</strong>" in text


def test_an_algorithm_has_one_colour_and_two_have_two() -> None:
    _, findings = of_timeouts()
    operations = findings.network.operations
    assert len({findings.colour_of(one) for one in operations}) == len(operations) == 2


def test_a_network_without_anything_fitted_has_no_answer() -> None:
    empty = Network(name="empty", origin=straight(1.0).network.origin)
    assert answer(Findings(empty, [])) is None
    assert np.size(empty.operations) == 0
