"""The regret of a choice against times written down by hand."""

import numpy as np
import pytest

from contend.choose.regret import regrets, summary
from contend.document import Quantity
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.samples import Sample
from contend.schedules.fitted import Parameters

KNOWN = Parameters(  # L = 0 and g = 1 s: flat takes n - 1, binomial log2(n) on a power of two
    PLogP(
        latency=Quantity(value=0.0, unit="s"),
        size=Quantity(value=(0.0, 1.0), unit="B"),
        gap=Quantity(value=(1.0, 1.0), unit="s"),
        method="schedules",
    )
)


def sample(algorithm: str, seconds: float, m: int = 8, **other: object) -> Sample:
    said = {"experiment": "bcast", "n": 8, "provenance": {"source": "hand"}} | other
    return Sample(algorithm=algorithm, m=m, times_s=(seconds,), **said)  # type: ignore[arg-type]


def test_the_choice_is_by_prediction_and_the_regret_by_measurement() -> None:
    samples = [
        sample("flat", 2.0), sample("binomial", 6.0), sample("native", 3.0), sample("exotic", 1.5),
        sample("flat", 5.0, m=64), sample("binomial", 4.0, m=64),
        sample("flat", 0.1, n=4), sample("flat", 0.1, experiment="pingpong"),
    ]  # fmt: skip
    rows = regrets(samples, lambda operation: KNOWN, 8).set_index("m")
    assert rows["chosen"].tolist() == ["binomial", "binomial"]
    assert rows["best"].tolist() == ["exotic", "binomial"]
    assert rows["regret"].tolist() == [4.0, 1.0]
    assert rows["regret_in_catalogue"].tolist() == [3.0, 1.0]
    assert rows.loc[8, "native_regret"] == 2.0
    assert np.isnan(rows.loc[64, "native_regret"])
    (own, together) = summary(rows.reset_index()).to_dict("records")
    assert (own["operation"], own["points"], together["operation"]) == ("bcast", 2, "all")
    assert own["regret median"] == 2.5
    assert own["regret worst"] == 4.0


def test_without_parameters_or_samples_it_says_so() -> None:
    with pytest.raises(InvalidInputError, match="no parameters"):
        regrets([sample("flat", 1.0)], lambda operation: None, 8)
    with pytest.raises(InvalidInputError, match="n=9"):
        regrets([sample("flat", 1.0)], lambda operation: KNOWN, 9)
