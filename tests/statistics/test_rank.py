"""What is claimed of the next value holds as often as it is claimed, for every number of values."""

import numpy as np
import pytest

from contend.base.statistics.rank import FEWEST, reach
from contend.models.network.evidence import ErrorSummary


@pytest.mark.parametrize("count", range(1, FEWEST))
def test_of_few_values_nothing_is_claimed(count: int) -> None:
    assert reach(np.ones(count)) is None


@pytest.mark.parametrize("count", [*range(FEWEST, 31), 49, 50, 99, 100])
def test_the_next_value_is_within_reach_nine_times_in_ten(count: int) -> None:
    rng = np.random.default_rng(count)
    campaigns = np.exp(0.3 * rng.standard_normal((4000, count + 1)))  # ratios, as of predictions
    claimed = [reach(np.abs(np.log(seen))) for seen in campaigns[:, :-1]]
    covered = np.mean(np.abs(np.log(campaigns[:, -1])) <= np.array(claimed, dtype=np.float64))
    exact = np.ceil(round(0.9 * (count + 1), 9)) / (count + 1)
    assert covered == pytest.approx(exact, abs=0.02)
    assert covered >= 0.88


def test_what_earlier_files_claim_of_few_points_is_dropped() -> None:
    def read(points: int) -> ErrorSummary:
        return ErrorSummary(
            regime="all", points=points, median=0.1, percentile_90=0.2, worst=0.3,
            factor_90=1.2, factor_worst=1.3,
        )  # fmt: skip

    assert (read(8).percentile_90, read(8).factor_90) == (None, None)
    assert (read(9).percentile_90, read(9).factor_90) == (0.2, 1.2)
