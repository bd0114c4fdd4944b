import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.models.prediction.two_clusters import two_cluster_time
from contend.schedules.pointtopoint import hockney

BACKBONE = hockney.given(5e-3, 1e-8)


@pytest.mark.parametrize(
    ("n1", "n2", "m", "rounds", "seconds"),
    [
        # max(0.2, 0.3) + 1 (5 ms + 10 ns 1000 60)
        (30, 30, 1000, 1, 0.3056),
        # max(0.2, 0.3) + 2 (5 ms + 10 ns 10^5 60)
        (20, 40, 100_000, 2, 0.3 + 2 * 0.065),
        # max(0.2, 0.3) + 3 (5 ms + 10 ns 10^5 10); the last round carries one message
        (3, 7, 100_000, 3, 0.3 + 3 * 0.015),
        (1, 5, 0, 5, 0.3 + 5 * 0.005),
    ],
)
def test_the_time_is_equation_6(n1: int, n2: int, m: int, rounds: int, seconds: float) -> None:
    found = two_cluster_time((0.2, 0.3), n1, n2, m, BACKBONE)
    assert found.rounds == rounds
    assert found.local == 0.3
    assert found.seconds == pytest.approx(seconds)
    assert found.backbone == pytest.approx(seconds - 0.3)


@given(st.integers(1, 99), st.integers(1, 99), st.integers(0, 10**6))
def test_the_order_of_the_clusters_does_not_matter(n1: int, n2: int, m: int) -> None:
    found = two_cluster_time((0.2, 0.3), n1, n2, m, BACKBONE)
    assert two_cluster_time((0.3, 0.2), n2, n1, m, BACKBONE) == found
    assert (found.rounds - 1) * min(n1, n2) < max(n1, n2) <= found.rounds * min(n1, n2)


@pytest.mark.parametrize(("n1", "n2"), [(0, 4), (4, 0), (-1, 4)])
def test_an_empty_cluster_is_an_error(n1: int, n2: int) -> None:
    with pytest.raises(InvalidInputError, match=f"clusters of {n1} and {n2} processes; give"):
        two_cluster_time((0.2, 0.3), n1, n2, 8, BACKBONE)
