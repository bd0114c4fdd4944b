"""Models are ranked by the same graphs; what is not among them is said, with the reason."""

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.simulate.graphs import comparison
from contend.simulate.graphs.fit import fit_sharing
from contend.simulate.graphs.measurements import measured_graphs
from support.graphs import BANDWIDTH, planted, random_graphs


def rows(errors: dict[str, list[float]]) -> pd.DataFrame:
    """A row per model and graph; NaN where the model has no prediction."""
    return pd.DataFrame(
        {"model": model, "graph": f"g{number}", "m": 8, "edges": 2, "average": error,
         "worst": error, "problem": "it diverged" if np.isnan(error) else ""}
        for model, of in errors.items()
        for number, error in enumerate(of)
    )  # fmt: skip


def test_the_hardest_graph_counts_for_all_or_for_none() -> None:
    """`lazy` would come first if it were judged by the easy graphs that it predicts."""
    found, left_out = comparison.common(
        rows({"good": [0.1, 0.1, 0.1, 0.9], "lazy": [0.2, 0.2, 0.2, np.nan]})
    )
    assert found.groupby("model").size().to_dict() == {"good": 3, "lazy": 3}
    averages = comparison.summary(found).set_index("model")["average"]
    assert averages["good"] == pytest.approx(0.1)
    (said,) = left_out
    assert "1 of 4 graphs are left out for all models: lazy" in said
    assert "it diverged" in said


def test_a_model_that_predicts_few_graphs_takes_none_from_the_others() -> None:
    found, left_out = comparison.common(
        rows({"good": [0.1, 0.2, 0.3], "broken": [0.01, np.nan, np.nan]})
    )
    assert set(found["model"]) == {"good"}
    assert len(found) == 3
    assert left_out == ["broken is not ranked: it predicts 33% of the graphs (it diverged)"]


def test_where_all_predict_all_nothing_is_left_out() -> None:
    everything = rows({"a": [0.1, 0.2], "b": [0.2, 0.1]})
    found, left_out = comparison.common(everything)
    pd.testing.assert_frame_equal(found, everything)
    assert left_out == []


def test_a_model_that_fails_is_told_and_the_others_are_ranked(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    right = comparison.ends_by

    def fails(seen, known):
        if known.model == "infiniband":
            raise InvalidInputError("rates do not settle", "")
        return right(seen, known)

    monkeypatch.setattr(comparison, "ends_by", fails)
    samples = planted(random_graphs(12, np.random.default_rng(2)), "maxmin")
    everything = comparison.cross_validated(
        measured_graphs(samples), BANDWIDTH, np.random.default_rng(1)
    )
    _, left_out = comparison.common(everything)
    assert left_out == [
        "infiniband is not ranked: it predicts 0% of the graphs (rates do not settle)"
    ]
    source = tmp_path / "graphs.jsonl"
    source.write_text("planted")
    fitted = fit_sharing(samples, source, np.random.default_rng(1))
    assert "infiniband" not in {known.name for known in fitted.models}
    assert "not_compared" in {warning.kind for warning in fitted.warnings}
