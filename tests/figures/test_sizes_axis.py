"""Axes of sizes, where a message may have no bytes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.report.canvas.axes import log_sizes
from contend.report.figures.figure import Findings
from contend.report.figures.gains import gains
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.samples.sample import Provenance
from support.pictures import drawn


@pytest.mark.parametrize("largest", [0.0, 64.0, 2.0**20])
def test_a_message_of_no_bytes_stands_before_all_others(largest: float) -> None:
    axes = Figure().add_subplot()
    log_sizes(axes, 0.0, largest)
    sizes = sorted({0.0, 1.0, largest})
    places = axes.transAxes.inverted().transform(axes.transData.transform([(m, 0) for m in sizes]))
    assert (np.diff([0.0, *places[:, 0], 1.0]) > 0).all()


def test_gains_of_a_barrier_are_drawn() -> None:
    samples = [
        Sample(
            experiment="barrier", algorithm=algorithm, n=n, m=0, launch=launch,
            times_s=(seconds, 1.1 * seconds), provenance=Provenance(source="planted"),
        )
        for algorithm, seconds in (("native", 2e-5), ("openmpi:tree", 1e-5))
        for n in (4, 8)
        for launch in (0, 1)
    ]  # fmt: skip
    network = fit_network(samples, Unsaved("planted", b""), FitOptions("barrier"))
    (drawing,) = gains(Findings(network, samples))
    assert [panel.title for panel in drawing.panels] == ["n = 4", "n = 8"]
    assert all("0 B" in tip.text for panel in drawing.panels for tip in drawn(panel)[1])
