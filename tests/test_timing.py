"""How timings are judged: by figures, and by the lateness that goes with them."""

import pytest

from support.timing import Timing, require_right


def attempts_of(*timings):
    left = list(timings)
    return lambda: left.pop(0), left


def timing(is_right, late=""):
    return Timing(is_right, "5.26 ms of 5.05 ms", late)


def test_a_right_claim_passes_at_once_however_late_the_lab_was():
    attempt, left = attempts_of(timing(True, "late"), timing(False))
    require_right(attempt)
    assert len(left) == 1


def test_a_wrong_claim_on_a_lab_in_time_fails_with_its_figures():
    attempt, _ = attempts_of(timing(False, "late"), timing(False))
    with pytest.raises(AssertionError, match=r"5\.26 ms of 5\.05 ms"):
        require_right(attempt)


def test_a_late_lab_is_tried_again():
    attempt, left = attempts_of(timing(False, "late"), timing(False, "late"), timing(True))
    require_right(attempt)
    assert left == []


def test_a_lab_that_is_always_late_cannot_be_judged():
    attempt, _ = attempts_of(timing(False, "300 us late"), timing(False, "400 us late"))
    with pytest.raises(pytest.skip.Exception, match=r"could not judge.*300 us late.*400 us late"):
        require_right(attempt, attempts=2)
