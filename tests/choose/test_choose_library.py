"""Regrets against all that was measured, against times written down by hand."""

import numpy as np
import pytest
from benchmarks.against_all import against_all, summary

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.samples import Sample
from contend.schedules.pointtopoint import PLogP
from contend.tune.choose.compare import compare

KNOWN = PLogP(  # L = 0 and g = 1 s: flat takes n - 1, binomial log2(n) on a power of two
    latency=Quantity(value=0.0, unit="s"),
    size=Quantity(value=(0.0, 1.0), unit="B"),
    gap=Quantity(value=(1.0, 1.0), unit="s"),
    method="schedules",
)


def sample(algorithm: str, seconds: float, m: int = 8, **other: object) -> Sample:
    said = {"experiment": "bcast", "n": 8, "provenance": {"source": "hand"}} | other
    return Sample(algorithm=algorithm, m=m, times_s=(seconds,), **said)  # type: ignore[arg-type]


def test_the_choice_is_by_prediction_and_the_regret_by_all_that_was_measured() -> None:
    samples = [
        sample("flat", 2.0), sample("binomial", 6.0), sample("native", 3.0), sample("exotic", 1.5),
        sample("flat", 5.0, m=64), sample("binomial", 4.0, m=64), sample("exotic", 1.0, n=4),
        sample("flat", 0.5, m=128), sample("flat", 0.1, experiment="pingpong"),
    ]  # fmt: skip
    rows = against_all(compare(KNOWN, samples), samples).set_index("m")
    assert rows["algorithm"].tolist() == ["binomial", "binomial", "flat"]
    assert rows["best_algorithm"].tolist() == ["exotic", "binomial", "flat"]
    assert rows["regret"].tolist() == [4.0, 1.0, 1.0]
    assert rows.loc[8, "native_regret"] == 2.0
    assert np.isnan(rows.loc[64, "native_regret"])
    own, together = summary(rows.reset_index()).to_dict("records")
    assert (own["operation"], own["calls"], together["operation"]) == ("bcast", 3, "all")
    assert (own["choice median"], own["choice worst"], own["native worst"]) == (1.0, 4.0, 2.0)


def test_an_operation_without_parameters_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="no parameters to predict bcast by"):
        compare(lambda operation: None, [sample("flat", 1.0)])
