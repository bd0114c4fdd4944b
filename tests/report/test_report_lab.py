"""Section of the emulated network, and the signature at each n."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from contend.fitting.by_count import signatures_by_count
from contend.lab import Lab, read_lab
from contend.lab.utilisation import Utilisation
from contend.prediction.validate import measured
from contend.report import threshold
from contend.report.sections import lab as lab_section
from contend.report.signatures import signature_by_count
from contend.samples import LabConditions
from planted import sample

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
TWO_MODES = tuple(0.01 + 0.2 * (number % 3 == 0) + 1e-5 * number for number in range(30))


def figures(markup: str) -> list[dict]:
    """The charts of a section."""
    found = re.findall(r'<script type="application/json">(.*?)</script>', markup)
    return [json.loads(text) for text in found]


def cells(markup: str, heading: str) -> list[list[str]]:
    """Texts of the rows of the table below a heading."""
    below = markup.split(f"<h3>{heading}</h3>")[1].split("<h3>", maxsplit=1)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", below)
    return [re.findall(r"<t[hd][^>]*>(?:<strong>)?([^<]*)", row) for row in rows]


def run(intervals: int = 4, load: float = 0.5, lab: Lab = LAB) -> Utilisation:
    carried = np.full((intervals, len(LINKS)), load * 50e6 / 8)
    return Utilisation(lab, np.arange(intervals + 1.0), carried)


def test_the_section_shows_the_picture_and_the_parameters() -> None:
    text = lab_section.section(LAB, [])
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="lab-picture"' in text
    for said in ("shallow-ethernet", "50 Mbit/s", "8 KiB per port", "reno", "200 ms"):
        assert said in text
    assert "Losses and lateness" not in text
    assert "Samples with two modes" not in text
    assert "How busy" not in text


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
    samples = [sample(lab=QUIET), sample(m=64, lab=LOSSY), sample(n=8, lab=LATE), sample(n=16)]
    _, first, second = cells(lab_section.section(LAB, samples), "Losses and lateness")
    assert first == [
        "alltoall", "native", "4", "2", "2 000", "40", "12 345", "9", "10 µs", "64 µs", "none"
    ]  # fmt: skip
    assert second[2:4] + second[-3:] == ["8", "1", "200 µs", "over 1 s", "100 %"]


def test_samples_with_two_modes_are_listed_with_their_losses() -> None:
    samples = [
        sample(lab=QUIET),
        sample(m=64, times_s=[1e-3 * (1 + 1e-3 * i) for i in range(30)], lab=QUIET),
        sample(m=4096, times_s=TWO_MODES, lab=LOSSY),
    ]
    _, row = cells(lab_section.section(LAB, samples), "Samples with two modes")
    assert row[:5] == ["alltoall", "native", "4", "4 KiB", "0"]
    assert row[-4:] == ["33 %", "9", "12 345", "40"]


def test_samples_of_a_real_network_have_no_place_in_the_tables_of_a_lab() -> None:
    text = lab_section.section(LAB, [sample(times_s=TWO_MODES)])
    assert "Samples with two modes" not in text


def test_many_samples_with_two_modes_are_folded() -> None:
    samples = [sample(m=m, times_s=TWO_MODES, lab=LOSSY) for m in range(1, 16)]
    assert "3 more" in lab_section.section(LAB, samples)


def test_links_are_coloured_by_their_share_of_capacity() -> None:
    text = lab_section.section(LAB, [], [run(load=0.5), run(load=1.0)])
    (figure,) = figures(text)
    go.Figure(figure)
    (heat,) = figure["data"]
    assert heat["y"] == list(LINKS)
    assert heat["x"] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert heat["z"][0] == [50.0] * 4 + [100.0] * 4
    assert "2 runs are shown" in text


def test_a_long_campaign_does_not_make_a_long_page() -> None:
    (figure,) = figures(lab_section.section(LAB, [], [run(intervals=5000)]))
    assert len(figure["data"][0]["z"][0]) <= 400


def test_runs_of_another_network_are_left_out_and_counted() -> None:
    text = lab_section.section(LAB, [], [run(lab=OTHER), run()])
    assert "Runs of another network are left out: 1." in text
    assert not figures(lab_section.section(LAB, [], [run(lab=OTHER)]))


def test_a_name_cannot_become_markup(tmp_path: Path) -> None:
    hostile = LAB.model_copy(update={"name": "<b>x</b>", "description": "<i>y</i>"})
    text = lab_section.section(hostile, [], [run(lab=hostile)])
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
    assert threshold.block(operation) == ""


def test_a_file_without_the_signature_at_each_n_says_what_adds_it(measure) -> None:
    (operation,) = measure(counts=(4, 8, 16)).network.operations
    without = operation.model_copy(update={"signatures": None})
    assert "contend fit SAMPLES -o NETWORK" in threshold.block(without)


def test_the_block_has_a_chart_for_each_parameter(measure) -> None:
    found = measure(counts=(4, 8, 16))
    (operation,) = found.network.operations
    text = threshold.block(operation)
    drawn = figures(text)
    assert [go.Figure(figure) is not None for figure in drawn] == [True] * 3
    line, filled, hollow = drawn[2]["data"]
    assert line["y"] == [16384] * 2
    assert filled["x"] == [16] and hollow["x"] == [4, 8]


def test_without_a_ping_pong_gamma_is_not_shown(measure) -> None:
    found = measure(counts=(4, 8, 16), has_ping_pong=False, has_plogp=False)
    (operation,) = found.network.operations
    text = threshold.block(operation)
    assert len(figures(text)) == 2


def test_an_n_without_a_jump_is_named(measure) -> None:
    found = measure(counts=(4, 8, 16), delta=0.0)
    (operation,) = found.network.operations
    text = threshold.block(operation)
    assert "no M, was found at n = 4, 8, 16" in text
    assert [go.Figure(figure) is not None for figure in figures(text)] == [True] * 3
