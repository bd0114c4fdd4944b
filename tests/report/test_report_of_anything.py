"""Whatever was measured has a report, which names what is unknown."""

import re
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction import validate
from contend.models.prediction.predict import predict
from contend.report.page import write_report
from contend.samples import Sample
from support.synthesis import SOURCE, arbitrary, scattered


def known_of(samples: list[Sample]) -> Network:
    """What is fitted, and validated where there is anything to validate on."""
    network = fit_network(samples, SOURCE, FitOptions(samples[-1].experiment))
    try:
        return validate.record(network, samples)
    except InvalidInputError:
        return network


def page_of(samples: list[Sample], folder: Path) -> str:
    """The whole report."""
    return write_report(known_of(samples), samples, folder).read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", [1, 13, 23])
def test_any_samples_have_a_report(seed: int, tmp_path: Path) -> None:
    page = page_of(arbitrary(seed), tmp_path)
    assert not re.findall(r".{60}\b(?:nan|inf)\b.{20}", page)
    assert "interval unknown" not in page


def test_a_curve_is_drawn_where_no_interval_is_known(tmp_path: Path) -> None:
    samples = scattered(arbitrary(14), 1e9)
    network = known_of(samples)
    (operation,) = network.operations
    assert predict(network, operation, 8, [1, 2**20])["low"].isna().all()
    page = page_of(samples, tmp_path)
    assert not re.findall(r".{60}\b(?:nan|inf)\b.{20}", page)
    assert "interval unknown" in page
