"""Section of the emulated network, and the signature at each n."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from contend.measure.lab import Lab, read_lab
from contend.measure.lab.utilisation import Utilisation
from contend.models.fitting.by_count import signature_by_count, signatures_by_count
from contend.models.prediction.validate import measured
from contend.report.figures.figure import Findings
from contend.report.figures.link_load import utilisation
from contend.report.figures.signature_over_n import signature_over_n
from contend.report.sections import lab as lab_section
from contend.report.sections import operation as operation_section
from contend.samples import LabConditions, Provenance
from support.pictures import drawn, marks, only
from support.synthesis import sample

LAB = read_lab("shallow-ethernet").model_copy(update={"time_dilation": 1.0})
OTHER = LAB.model_copy(update={"description": "with other cables"})
LINKS = tuple(link.name for link in LAB.links())
QUIET = LabConditions(
    frames=1000,
    bytes=1_000_000,
    drops=0,
    retransmissions=0,
    timeouts=0,
    lateness_mean_s=5e-6,
    lateness_999_s=64e-6,
    late_share=0.0,
    unread=0,
    queue_peak_bytes=2000,
)
LOSSY = QUIET.model_copy(
    update={"drops": 40, "retransmissions": 12345, "timeouts": 9, "lateness_mean_s": 15e-6}
)
LATE = QUIET.model_copy(update={"lateness_mean_s": 200e-6, "lateness_999_s": None})


def cells(markup: str, heading: str) -> list[list[str]]:
    """Texts of the rows of the table below a heading."""
    below = markup.split(f"<h3>{heading}</h3>")[1].split("<h3>", maxsplit=1)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", below, re.S)
    return [re.findall(r"<t[hd][^>]*>(?:<strong>)?([^<]*)", row) for row in rows]


def run(intervals: int = 4, load: float = 0.5, lab: Lab = LAB) -> Utilisation:
    carried = np.full((intervals, len(LINKS)), load * 50e6 / 8)
    return Utilisation(lab, np.arange(intervals + 1.0), carried)


def test_the_section_shows_the_parameters() -> None:
    text = lab_section.section(LAB, [])
    for said in ("50 Mbit/s", "8 KiB per port", "reno", "200 ms"):
        assert said in text
    assert "Losses and lateness" not in text


@pytest.mark.parametrize(
    "lab, said",
    [
        (LAB, "As on the network that it stands for."),
        (read_lab("gigabit-dilated"), "Everything took 20 times as long"),
    ],
)
def test_dilation_is_said_in_words(lab: Lab, said: str) -> None:
    assert said in lab_section.section(lab, [])


def test_conditions_are_summed_over_the_samples_of_an_experiment_and_n() -> None:
    samples = [
        sample(lab=QUIET, cpu_wait=0.03), sample(m=64, lab=LOSSY, cpu_wait=0.14),
        sample(n=8, lab=LATE), sample(n=16),
    ]  # fmt: skip
    _, first, second = cells(lab_section.section(LAB, samples), "Losses and lateness")
    assert first == [
        "alltoall", "native", "4", "2", "2 000", "40", "12 345", "9", "10 µs", "64 µs", "none",
        "14 %",
    ]  # fmt: skip
    assert second[2:4] + second[-4:] == ["8", "1", "200 µs", "over 1 s", "100 %", "–"]


def load_of(*runs: Utilisation) -> list:
    """Drawings of what links carried, of a network of which nothing else is needed."""
    samples = [sample(provenance=Provenance(source="contend", lab=LAB.name, time_dilation=1.0))]
    return list(utilisation(Findings(None, samples, runs)))  # type: ignore[arg-type]


def test_links_are_coloured_by_their_share_of_capacity() -> None:
    (drawing,) = load_of(run(load=0.5), run(load=1.0))
    axes, tips = drawn(only(drawing))
    assert [label.get_text() for label in axes.get_yticklabels()] == list(LINKS)
    shares = axes.collections[0].get_array()
    assert shares.shape == (len(LINKS), 8)
    assert shares[0].tolist() == [50.0] * 4 + [100.0] * 4
    assert {tip.text.split(": ")[1] for tip in tips} == {"50 %", "100 %"}
    assert "2 runs are shown" in drawing.remark


def test_a_long_campaign_does_not_make_a_long_page() -> None:
    (drawing,) = load_of(run(intervals=5000))
    axes, tips = drawn(only(drawing))
    assert axes.collections[0].get_array().shape[1] <= 400
    assert len(tips) <= 60 * len(LINKS)


def test_runs_of_another_network_are_left_out_and_counted() -> None:
    (drawing,) = load_of(run(lab=OTHER), run())
    assert "Runs of another network are left out: 1." in drawing.remark
    assert load_of(run(lab=LAB.model_copy(update={"name": "another"}))) == []


def test_a_name_cannot_become_markup(tmp_path: Path) -> None:
    hostile = LAB.model_copy(update={"name": "<b>x</b>", "description": "<i>y</i>"})
    text = lab_section.section(hostile, [])
    assert "<b>" not in text and "<i>" not in text


def test_the_signature_of_each_n_is_that_which_was_planted(measure) -> None:
    found = measure(counts=(4, 8, 16))
    (operation,) = found.network.operations
    table = signature_by_count(operation)
    assert table["n"].tolist() == [4, 8, 16]
    assert table["M"].tolist() == [16384] * 3
    assert table["gamma"].to_numpy() == pytest.approx(2.5, rel=0.05)
    assert table["delta"].to_numpy() == pytest.approx(40e-6, rel=0.1)
    assert (table["gamma_low"] <= table["gamma"]).all()


def test_an_n_with_too_few_sizes_has_no_signature(measure) -> None:
    found = measure(counts=(2, 4, 8))
    rows = measured(found.network.operations[0], found.samples)
    few = rows[(rows["n"] != 4) | (rows["m"] < 4096)]
    signatures = signatures_by_count(few, found.network.point_to_point, lambda fit, n: fit)
    assert [one.n for one in signatures] == [2, 8]
    operation = found.network.operations[0].model_copy(update={"signatures": signatures})
    assert signature_drawings(found, operation) == []


def signature_drawings(found, operation) -> list:
    network = found.network.model_copy(update={"operations": (operation,)})
    return list(signature_over_n(Findings(network, found.samples)))


def test_a_file_without_the_signature_at_each_n_says_what_adds_it(measure) -> None:
    (operation,) = measure(counts=(4, 8, 16)).network.operations
    without = operation.model_copy(update={"signatures": None})
    assert "contend fit SAMPLES -o NETWORK" in operation_section.section(without, [])
    assert "contend fit SAMPLES -o NETWORK" not in operation_section.section(operation, [])


def test_there_is_a_panel_for_each_parameter(measure) -> None:
    found = measure(counts=(4, 8, 16))
    (drawing,) = signature_drawings(found, found.network.operations[0])
    assert [panel.title.split(",")[0] for panel in drawing.panels] == ["gamma", "delta", "M"]
    axes, _ = drawn(drawing.panels[2])
    assert axes.lines[0].get_ydata().tolist() == [16384] * 2
    filled, hollow = marks(axes).values()
    assert filled[0] == [16] and hollow[0] == [4, 8]


def test_without_a_ping_pong_gamma_is_not_shown(measure) -> None:
    found = measure(counts=(4, 8, 16), has_ping_pong=False, has_plogp=False)
    (drawing,) = signature_drawings(found, found.network.operations[0])
    assert len(drawing.panels) == 2


def test_an_n_without_a_jump_is_named_and_nothing_empty_is_drawn(measure) -> None:
    found = measure(counts=(4, 8, 16), delta=0.0)
    (drawing,) = signature_drawings(found, found.network.operations[0])
    assert "no M, was found at n = 4, 8, 16" in drawing.remark
    assert [panel.title.split(",")[0] for panel in drawing.panels] == ["gamma"]
