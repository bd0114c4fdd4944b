"""Algorithms that were run, in the report: lines, points, errors, regrets."""

from __future__ import annotations

from pathlib import Path

import plotly.graph_objects as go
import pytest

from contend.choose.compare import compare
from contend.errors import InvalidInputError
from contend.report.candidates import best_options, ends, series
from contend.report.charts import algorithm_chart
from contend.report.page import page, write_report
from contend.report.sections import algorithms as section
from contend.samples import Sample
from contend.schedules import algorithms
from planted import sample

SIZES = (1024, 65536)
FACTORS = {"binomial": 4.0, "flat": 1.0, "segmented_chain": 1.5}


@pytest.fixture
def measured(measure):
    return measure(counts=(2, 4))


@pytest.fixture
def plogp(measured):
    return measured.network.point_to_point.plogp


@pytest.fixture
def ran(plogp) -> list[Sample]:
    """A broadcast of 4 and 8 ranks that takes `FACTORS` times what is predicted."""
    found = []
    for n in (4, 8):
        for name, factor in FACTORS.items():
            segments = (64, 4096) if name == "segmented_chain" else (0,)
            for segment in segments:
                options = {"segment": segment} if segment else {}
                times = algorithms("bcast").get(name).seconds(plogp, n, list(SIZES), **options)
                found += [
                    sample(
                        m, n, [float(time) * factor] * 6, experiment="bcast", algorithm=name,
                        parameters=options or None,
                    )
                    for m, time in zip(SIZES, times, strict=True)
                ]  # fmt: skip
    return found


def test_each_n_of_an_algorithm_has_a_line_and_its_points(plogp, ran) -> None:
    best = best_options(compare(plogp, ran))
    names = [name for name, _ in series(best)]
    assert names == ["n = 4", "n = 8"]
    for algorithm, rows in best.groupby("algorithm"):
        chart = algorithm_chart(rows, names, ends(best))
        go.Figure(chart)
        lines, dots = chart["data"][::2], chart["data"][1::2]
        assert len({line["line"]["color"] for line in lines}) == 2
        for name, line, dot in zip(names, lines, dots, strict=True):
            assert line["x"] == dot["x"] == list(SIZES)
            ratios = [y / x for x, y in zip(line["y"], dot["y"], strict=True)]
            assert ratios == pytest.approx([FACTORS[str(algorithm)]] * 2, rel=1e-4)
            assert dot["text"][0].startswith(f"{name}, 1 KiB")


def test_of_an_algorithm_the_options_predicted_to_be_best_are_drawn(plogp, ran) -> None:
    points = compare(plogp, ran)
    is_chain = points["algorithm"] == "segmented_chain"
    best = best_options(points[is_chain])
    least = points[is_chain].groupby(["n", "m"])["predicted"].min()
    assert len(points[is_chain]) > len(best)
    assert best.set_index(["n", "m"])["predicted"].to_dict() == least.to_dict()


def test_a_series_names_the_root_and_the_placement_where_they_differ(plogp) -> None:
    times = {"experiment": "bcast", "algorithm": "flat"}
    found = [
        sample(64, 4, parameters={"root": 2.0}, processes_per_node=1, **times),
        sample(64, 4, processes_per_node=2, **times),
    ]
    names = [name for name, _ in series(best_options(compare(plogp, found)))]
    assert names == ["n = 4, 1 per node, root 2", "n = 4, 2 per node"]


def test_empty_messages_have_no_chart_but_errors(plogp) -> None:
    empty = [sample(0, 4, experiment="bcast", algorithm="flat")]
    text = section.section(compare(plogp, empty))
    assert "chart" not in text
    assert ">flat</th>" in text


def test_the_section_has_the_errors_and_the_regrets(plogp, ran) -> None:
    text = section.section(compare(plogp, ran))
    assert '<th scope="row">binomial</th><td>4</td><td>−75 %</td>' in text
    assert "the one predicted to be fastest" in text
    assert "always flat" in text
    assert "Where the choice cost most:" in text


def test_the_page_has_the_section_where_schedules_are_given(measured, ran, tmp_path: Path) -> None:
    path = write_report(measured.network, measured.samples, tmp_path, schedules=ran)
    text = path.read_text(encoding="utf-8")
    assert 'id="algorithms"' in text
    assert 'href="#algorithms"' in text
    assert 'id="algorithms"' not in page(measured.network, measured.samples)


def test_without_plogp_the_error_says_what_to_measure(measure, ran) -> None:
    bare = measure(has_plogp=False)
    with pytest.raises(InvalidInputError, match="no parameters to predict"):
        page(bare.network, bare.samples, schedules=ran)
