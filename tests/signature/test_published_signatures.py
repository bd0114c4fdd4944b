"""The signatures that the papers print, against the papers' formulas worked out by hand.

The measured curves are not published, so alpha, beta and the pLogP tables are chosen here: those
of the line rates, and round numbers.
"""

import numpy as np
import pytest

from contend.base.document import Quantity
from contend.models.signature import FORMS, PointToPoint
from contend.schedules.pointtopoint import PLogP
from contend.schedules.pointtopoint.hockney import given


def quantities(**parameters: tuple[float, str]) -> dict[str, Quantity]:
    return {name: Quantity(value=value, unit=unit) for name, (value, unit) in parameters.items()}


# Steffenel, Martinasso, Trystram 2007, section 6: alpha, beta, gamma, delta, M, n', and then
# (n'-1)(alpha + m beta gamma + delta) at m.
HOCKNEY = {
    # 23 (60 us + 80 ms 1.0195 + 8.23 ms)
    "Fast Ethernet": (6e-5, 8e-8, 1.0195, 8.23e-3, 2000, 24, 10**6, 2.06655),
    # 39 (50 us + 0.8 ms 4.3628 + 4.93 ms)
    "Gigabit Ethernet": (5e-5, 8e-9, 4.3628, 4.93e-3, 8000, 40, 10**5, 0.33033936),
    # 23 (10 us + 4 ms 2.49754)
    "Myrinet": (1e-5, 4e-9, 2.49754, 0.0, None, 24, 10**6, 0.23000368),
}


@pytest.mark.parametrize("network", HOCKNEY)
def test_the_2007_signature_is_equation_5(network: str) -> None:
    alpha, beta, gamma, delta, jump, n, m, expected = HOCKNEY[network]
    parameters = quantities(
        alpha=(alpha, "s"), beta=(beta, "s/B"), gamma=(gamma, "1"), delta=(delta, "s")
    )
    if jump is not None:
        parameters |= quantities(M=(jump, "B"))
    form, known = FORMS.get("hockney_2007"), PointToPoint(given(alpha, beta))
    assert form.seconds(parameters, known, n, m) == pytest.approx(expected, rel=1e-12)
    sizes = np.array([0, 1, 1999, 2000, 7999, 8000, 8001, 10**7])
    late = np.zeros(sizes.size) if jump is None else delta * (sizes >= jump)
    for count in (2, n, 200):
        by_hand = [
            (count - 1) * (alpha + s * beta * gamma + d) for s, d in zip(sizes, late, strict=True)
        ]
        assert form.seconds(parameters, known, count, sizes) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("network", ["Fast Ethernet", "Gigabit Ethernet"])
def test_the_jump_is_delta_for_each_other_process_from_m_bytes_on(network: str) -> None:
    alpha, beta, gamma, delta, jump, n, *_ = HOCKNEY[network]
    parameters = quantities(
        alpha=(alpha, "s"),
        beta=(beta, "s/B"),
        gamma=(gamma, "1"),
        delta=(delta, "s"),
        M=(jump, "B"),
    )
    form, known = FORMS.get("hockney_2007"), PointToPoint()
    assert form.regime(parameters, [jump - 1, jump, jump + 1]) == ["m < M", "m >= M", "m >= M"]
    before, at = form.seconds(parameters, known, n, [jump - 1, jump])
    assert at - before == pytest.approx((n - 1) * (delta + beta * gamma), rel=1e-9)


def test_without_contention_the_2007_signature_is_the_lower_bound() -> None:
    parameters = quantities(alpha=(6e-5, "s"), beta=(8e-8, "s/B"), gamma=(1, "1"), delta=(0, "s"))
    bound = FORMS.get("linear")
    known = PointToPoint(given(6e-5, 8e-8))
    n, m = np.array([[2], [24], [50]]), np.array([0, 100, 10**6])
    assert FORMS.get("hockney_2007").seconds(parameters, known, n, m) == pytest.approx(
        bound.seconds(parameters, known, n, m)
    )
    assert FORMS.get("hockney_2007").regime(parameters, m) == ["all sizes"] * 3


def plogp(latency: float, *lines: tuple[float, float]) -> PointToPoint:
    """Latency, and the lines (at 0 B, per byte) of g, os and or, tables of two sizes."""
    gap, send, receive = (
        Quantity(value=(start, start + 1e6 * rate), unit="s") for start, rate in lines
    )
    return PointToPoint(
        plogp=PLogP(
            latency=Quantity(value=latency, unit="s"),
            size=Quantity(value=(0.0, 1e6), unit="B"),
            gap=gap,
            send_overhead=send,
            receive_overhead=receive,
            method="kielmann",
        )
    )


ETHERNET = plogp(5e-5, (1e-5, 8e-8), (4e-6, 2e-8), (2e-5, 1e-8))

# The pLogP version of 2005, section 4.1: gamma, and delta P in all, from more than 2 kB on.
# At m = 500 000: g = 40.01 ms, or = 5.02 ms, L = 50 us.
PLOGP = {
    # 23 (40.01 ms + 0.502 ms) + 50 us + 24 * 7 ms
    "Fast Ethernet": (0.1, 7e-3, 24, 1.099826),
    # 9 (40.01 ms + 22.59 ms) + 50 us + 10 * 9 ms
    "Gigabit Ethernet": (4.5, 9e-3, 10, 0.65345),
    # 23 (40.01 ms + 7.53 ms) + 50 us
    "Myrinet": (1.5, 0.0, 24, 1.09347),
}


@pytest.mark.parametrize("network", PLOGP)
def test_the_plogp_signature_is_gap_and_a_share_of_the_receive_overhead(network: str) -> None:
    gamma, per_process, n, expected = PLOGP[network]
    delta = per_process * n / (n - 1)
    parameters = quantities(gamma=(gamma, "1"), delta=(delta, "s"), M=(2000, "B"))
    form = FORMS.get("plogp_2005")
    assert form.seconds(parameters, ETHERNET, n, 500_000) == pytest.approx(expected, rel=1e-12)
    small, at = form.seconds(parameters, ETHERNET, n, [1999, 2000])
    assert at - small == pytest.approx((n - 1) * (delta + 8e-8 + gamma * 1e-8), rel=1e-6)
    assert small == pytest.approx(
        (n - 1) * (1e-5 + 1999 * 8e-8 + gamma * (2e-5 + 1999 * 1e-8)) + 5e-5
    )


# Barchet-Estefanel, Mounie 2005, section 5.1, 24 processes.
# At m = 500 000: lower 23 * 40.01 ms + 50 us, upper 23 (10.004 ms + 5.02 ms) + 50 us.
@pytest.mark.parametrize(
    ("gamma", "expected"),
    [(1 / 5, 0.92028 - 0.574678 / 5), (3 / 2, 0.92028 - 0.574678 * 3 / 2)],
    ids=["Fast Ethernet", "Myrinet"],
)
def test_the_bounds_signature_lies_gamma_of_the_way_from_lower_to_upper(
    gamma: float, expected: float
) -> None:
    form = FORMS.get("plogp_bounds_2005")
    parameters = quantities(gamma=(gamma, "1"))
    assert form.seconds(parameters, ETHERNET, 24, 500_000) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_gamma_zero_is_the_lower_and_gamma_one_the_upper_bound(gamma: float) -> None:
    m = np.array([0, 1000, 10**6])
    gap, both = 1e-5 + m * 8e-8, 4e-6 + m * 2e-8 + 2e-5 + m * 1e-8
    for name, upper in (("plogp_bounds_2005", both), ("plogp_2005", gap + 2e-5 + m * 1e-8)):
        parameters = quantities(gamma=(gamma, "1"), delta=(0, "s"))
        found = FORMS.get(name).seconds(parameters, ETHERNET, 10, m)
        assert found == pytest.approx(9 * (upper if gamma else gap) + 5e-5)


def test_clement_is_the_line_with_n_times_the_bytes() -> None:
    parameters = quantities(alpha=(6e-5, "s"), beta=(8e-8, "s/B"))
    found = FORMS.get("clement").seconds(parameters, PointToPoint(), 24, 1000)
    assert found == pytest.approx(23 * (6e-5 + 24 * 8e-5))


@pytest.mark.parametrize(("channels", "waves"), [(1, 30), (4, 8), (15, 2), (16, 2), (30, 1)])
def test_waves_are_messages_over_channels_rounded_up(channels: int, waves: int) -> None:
    parameters = quantities(alpha=(6e-5, "s"), beta=(8e-8, "s/B"), channels=(channels, "1"))
    found = FORMS.get("waves").seconds(parameters, PointToPoint(), 6, 1000)
    assert found == pytest.approx(waves * 1.4e-4)
