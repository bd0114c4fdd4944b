"""Terms of growth as the regimes have them."""

from types import SimpleNamespace

import numpy as np
import pytest

from contend.structure.grown import Grown

ERRORS = np.array([0.0, 0.1, 0.0, 0.1, 0.4])
SHARE = np.array([0.1, 0.9, 0.1, 0.9, 0.1])  # of bytes: two of the points tell of them


def test_an_n_without_points_that_tell_is_missed_by_nothing() -> None:
    assert grown("bytes").missed(2) == 0


def test_an_n_is_missed_by_what_it_is_dearer_than_the_others() -> None:
    assert grown("all").missed(2) == pytest.approx(0.4 - 0.05)


def grown(term: str) -> Grown:
    """Three n, of which the largest was measured at a small size alone."""
    points = SimpleNamespace(place=np.array([0, 0, 1, 1, 2]), counts=np.array([4, 8, 16]))
    return Grown(
        SimpleNamespace(on=term), 1.0, 0.1, (SimpleNamespace(errors=ERRORS, bytes_share=SHARE),),
        (SimpleNamespace(points=points),),
    )  # type: ignore[arg-type]  # fmt: skip
