import numpy as np
import pytest
from scipy import stats

from contend.statistics.student import within

DEGREES = [*range(1, 40), 99, 100, 1000, 10001]


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_that_of_the_distribution(share: float) -> None:
    expected = stats.t.ppf((1 + share) / 2, DEGREES)
    assert [within(k, share) for k in DEGREES] == pytest.approx(expected, rel=1e-10)


def test_one_degree_of_freedom_is_cauchys_distribution() -> None:
    assert within(1, 0.95) == pytest.approx(np.tan(np.pi / 2 * 0.95), rel=1e-12)
