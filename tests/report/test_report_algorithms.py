"""Algorithms that were run, in the report: lines, points, errors, regrets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.report.figures.algorithms import algorithm_drawing
from contend.report.figures.figure import Findings
from contend.report.page import page, write_report
from contend.report.sections import algorithms as section
from contend.samples import Sample
from contend.schedules import algorithms
from contend.tune.choose.compare import best_options, by_series, compare
from support.pictures import drawn, marks, names
from support.synthesis import sample

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
    drawing = algorithm_drawing("bcast", best)
    assert [panel.title for panel in drawing.panels] == sorted(FACTORS)
    for panel in drawing.panels:
        axes, tips = drawn(panel)
        assert names(axes) == ["n = 4", "n = 8"]
        lines = [line for line in axes.lines if line.get_linestyle() == "-"]
        assert len({line.get_color() for line in lines}) == 2
        for line, (x, y) in zip(lines, marks(axes).values(), strict=True):
            assert line.get_xdata().tolist() == x == list(SIZES)
            ratios = np.array(y) / line.get_ydata()
            assert ratios == pytest.approx([FACTORS[panel.title]] * 2, rel=1e-4)
        assert tips[0].text.startswith("n = 4, 1 KiB")


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
    found_names = [name for name, _ in by_series(best_options(compare(plogp, found)))]
    assert found_names == ["n = 4, 1 per node, root 2", "n = 4, 2 per node"]


def test_empty_messages_have_no_chart_but_errors(plogp) -> None:
    empty = [sample(0, 4, experiment="bcast", algorithm="flat")]
    text = section.section(compare(plogp, empty), {})
    assert "<svg" not in text
    assert ">flat</th>" in text


def test_the_section_has_the_errors_and_the_regrets(plogp, ran) -> None:
    text = section.section(compare(plogp, ran), {})
    assert '<th scope="row">binomial</th><td>4</td><td>−75 %</td>' in text
    assert "the one predicted to be fastest" in text
    assert "always flat" in text
    assert "Where the choice cost most:" in text


def test_the_page_has_the_section_where_schedules_are_given(measured, ran, tmp_path: Path) -> None:
    path = write_report(measured.network, measured.samples, tmp_path, schedules=ran)
    text = path.read_text(encoding="utf-8")
    assert 'id="algorithms"' in text
    assert 'href="#algorithms"' in text
    assert 'id="algorithms"' not in page(Findings(measured.network, measured.samples))


def test_without_plogp_the_error_says_what_to_measure(measure, ran) -> None:
    bare = measure(has_plogp=False)
    with pytest.raises(InvalidInputError, match="no parameters to predict"):
        page(Findings(bare.network, bare.samples, schedules=ran))
