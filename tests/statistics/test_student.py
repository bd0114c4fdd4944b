import pytest
from scipy import stats

from contend.base.statistics.student import within

DEGREES = [*range(1, 40), 99, 100, 1000]
NOT_WHOLE = [1.05, 1.5, 1.95, 2.5, 3.3, 16.060988, 28.7, 99.5, 1000.5]


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_that_of_the_distribution(share: float) -> None:
    expected = stats.t.ppf((1 + share) / 2, DEGREES)
    assert [within(k, share) for k in DEGREES] == pytest.approx(expected, rel=1e-10)
    assert within(10001, share) == pytest.approx(stats.t.ppf((1 + share) / 2, 10001), rel=1e-9)


@pytest.mark.parametrize("share, accuracy", [(0.5, 1e-10), (0.95, 1e-9), (0.999, 1e-5)])
def test_degrees_of_freedom_need_not_be_whole(share: float, accuracy: float) -> None:
    expected = stats.t.ppf((1 + share) / 2, NOT_WHOLE)
    assert [within(k, share) for k in NOT_WHOLE] == pytest.approx(expected, rel=accuracy)
