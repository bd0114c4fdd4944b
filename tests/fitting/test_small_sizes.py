"""A signature from tables of all sizes, of a library that forwards small messages."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network, Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.prediction.curves import error_grid, held_points
from contend.models.prediction.predict import predict
from contend.models.signature import FORMS
from contend.samples.origin import Unsaved
from contend.samples.reader import READERS, ReadOptions

ALPHA, BETA, GAMMA, FROM = 2e-6, 1e-10, 2.1, 512
SIZES = [2**power for power in range(21)]


def exchange(n: int, m: int) -> float:
    """By Bruck below 512 B, directly above."""
    if m < FROM:
        return float(np.log2(n) * (ALPHA + n / 2 * m * BETA))
    return (n - 1) * (ALPHA + GAMMA * BETA * m)


def osu(path: Path, test: str, seconds: Sequence[float]) -> Path:
    """What the benchmarks print."""
    head = f"\n# OSU MPI {test} Test v7.3\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
    rows = (f"{m:<10d} {1e6 * time:15.2f}" for m, time in zip(SIZES, seconds, strict=True))
    path.write_text(head + "\n".join(rows) + "\n")
    return path


def fitted(folder: Path, counts: Sequence[int], noise: float, *, has_messages: bool) -> Network:
    rng, samples = np.random.default_rng(7), []

    def noisy(seconds: Sequence[float]) -> list[float]:
        return [one * float(np.exp(noise * rng.standard_normal())) for one in seconds]

    reader = READERS.get("osu")
    for n in counts:
        title = "All-to-All Personalized Exchange Latency"
        path = osu(folder / f"{n}.txt", title, noisy([exchange(n, m) for m in SIZES]))
        samples += reader.read(path, ReadOptions(n=n))
    if has_messages:
        path = osu(folder / "pt.txt", "Latency", noisy([ALPHA + BETA * m for m in SIZES]))
        samples += reader.read(path, ReadOptions())
    return fit_network(samples, Unsaved("osu", b""), FitOptions())


@pytest.mark.parametrize("counts", [(32,), (8, 16, 32)], ids=["one n", "three n"])
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_gamma_is_that_of_the_large_messages(
    tmp_path: Path, counts: tuple[int, ...], noise: float
) -> None:
    network = fitted(tmp_path, counts, noise, has_messages=True)
    signature = network.operations[0].forms["hockney_2007"]
    gamma = signature.parameters["gamma"]
    line = network.point_to_point.hockney
    assert line is not None
    beta = float(line.beta)
    assert gamma.low is not None
    assert gamma.low - noise <= GAMMA * BETA / beta <= gamma.high + noise
    assert gamma.high - gamma.low < 10 * noise
    assert float(signature.parameters["smallest"]) == FROM
    assert min(signature.m_fitted) == FROM
    assert signature.relative_residual < 2 * noise
    (said,) = [one for one in network.warnings if one.kind == "small_sizes"]
    assert "smaller than 512 B" in said.message


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_without_a_ping_pong_the_cost_of_a_byte_is_found(tmp_path: Path, noise: float) -> None:
    """More start-ups from 512 B on are delta and M of the published form."""
    network = fitted(tmp_path, (32,), noise, has_messages=False)
    signature = network.operations[0].forms["hockney_2007"].parameters
    beta, delta = signature["beta"], signature["delta"]
    assert float(beta) == pytest.approx(GAMMA * BETA, rel=2 * noise)
    assert beta.high - beta.low < 5 * noise * float(beta)
    assert float(signature["M"]) == FROM
    start = float(signature["alpha"]) + float(delta)
    assert start == pytest.approx(ALPHA, rel=0.05 + 5 * noise)


def chosen(network: Network) -> Operation:
    """As if the signature were the closest on points that no form has seen."""
    one = ErrorSummary(regime="all", points=20, median=0.01, worst=0.1, factor_worst=1.1)
    other = one.model_copy(update={"median": 0.5})
    found = {
        name: ValidatedForm(errors=(summary,), common=summary, n_seen=(4, 8, 16), m_seen=(64,))
        for name, summary in (("hockney_2007", one), ("linear", other), ("growth", other))
    }
    return network.operations[0].model_copy(update={"validation": found})


def test_small_messages_are_predicted_by_another_form(tmp_path: Path) -> None:
    """Where the signature is chosen, since it is the closest on the sizes that it describes."""
    network = fitted(tmp_path, (16, 32), 0.01, has_messages=True)
    known = chosen(network)
    rows = predict(network, known, 64, [64, 4096], "hockney_2007")
    assert list(rows["regime"]) == ["small sizes", "larger sizes"]
    mixed = predict(network, known, 64, [4096, 64, 65536])
    assert list(mixed["regime"]) == ["larger sizes", "small sizes, by growth", "larger sizes"]
    assert list(mixed["m"]) == [4096, 64, 65536]
    truth = [exchange(64, m) for m in (4096, 64, 65536)]
    assert np.abs(np.log(mixed["seconds"] / truth)).max() < 0.25
    assert ((mixed["low"] < truth) & (truth < mixed["high"])).all()
    assert list(predict(network, known, 64, 64)["regime"]) == ["small sizes, by growth"]


def test_figures_show_the_errors_of_the_form_that_predicts_each_size(tmp_path: Path) -> None:
    network = fitted(tmp_path, (16, 32), 0.01, has_messages=True)
    known = chosen(network)
    rows = held_points(network, known, [])
    told = predict(network, known, rows["n"], rows["m"], is_anchored=False)
    assert rows["predicted"].tolist() == pytest.approx(told["seconds"].tolist())
    assert rows["error"].abs().max() < 0.25
    grid = error_grid(network, known)
    assert grid is not None and np.abs(grid.errors).max() < 0.25


def test_small_messages_are_a_regime_of_their_own(tmp_path: Path) -> None:
    network = fitted(tmp_path, (8, 16, 32), 0.01, has_messages=True)
    fit = network.operations[0].forms["hockney_2007"]
    form = FORMS.get(fit.form).regime(fit.parameters, [64, 512, 4096])
    assert form == ["small sizes", "larger sizes", "larger sizes"]
