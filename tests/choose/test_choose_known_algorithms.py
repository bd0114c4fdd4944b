"""How well algorithms of a library are known on an emulated network, by samples that are kept."""

import warnings

import numpy as np
import pandas as pd
import pytest
from benchmarks import foretold
from benchmarks.library_algorithms import LARGEST, of_library
from benchmarks.unseen_counts import points

import measured

ONE, SEVERAL = "library-algorithms", "library-algorithms-per-node"
LIBRARIES = (ONE, "library-algorithms-openmpi-5", "library-algorithms-mpich-5")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    for name in (*LIBRARIES, SEVERAL):
        measured.unpack(name, folder)
    return folder


@pytest.fixture(scope="module", params=LIBRARIES)
def left_out(kept, request):
    """Errors at n that no fit has seen, and half the width of their intervals, as logarithms."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            points(series, 0).assign(operation=series.title, which=which)
            for which, series in of_library(kept / request.param / "samples.jsonl")
        ]
    return pd.concat(found, ignore_index=True)


def told(kept, name, *more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paths = [kept / name / f"{part}.jsonl" for part in ("samples", "messages", *more)]
        return pd.DataFrame(foretold.foretold(foretold.network_of(paths)))


def error_of(rows):
    return (rows["seconds"] / rows["measured"] - 1).abs()


@pytest.mark.parametrize("is_largest", [True, False])
def test_each_operation_is_foretold_at_n_left_out(left_out, is_largest):
    rows = left_out[left_out["which"] == LARGEST] if is_largest else left_out
    error = np.expm1(rows["error"]).abs().groupby(rows["operation"])
    assert error.median().max() <= 0.10
    assert error.quantile(0.9).max() <= 0.35
    inside = rows["error"].abs() <= rows["half"]
    assert inside.groupby(rows["operation"]).mean().min() >= 0.82
    assert is_largest or inside.mean() <= 0.985


def test_an_algorithm_that_was_not_run_is_foretold_by_the_others(kept):
    rows = told(kept, ONE)
    by_others = rows[rows["way"] == foretold.AS_RUN]
    single = rows[(rows["way"] == "single ports") & rows["operation"].isin(by_others["operation"])]
    assert len(single) == len(by_others)
    assert error_of(by_others).median() < 0.5 * error_of(single).median()
    inside = by_others["measured"].between(by_others["low"], by_others["high"])
    assert 0.82 <= inside.mean() <= 0.97


def test_links_of_nodes_choose_where_single_messages_do_not(kept):
    table = foretold.regrets(told(kept, SEVERAL, "levels")).set_index("operation")
    cost = table.loc[foretold.ALL].drop("calls").str.split().str[0].astype(float)
    assert cost["levels ports"] < 1.05
    assert cost[foretold.CHOSEN] < 1.05
    assert cost["single ports"] > 1.2
