"""What a campaign measures when nothing, or a part of it, is given."""

import pytest

from contend.base.errors import InvalidInputError
from contend.measure import machine
from contend.measure.design import SIZES, design

KIB = 1024


def test_a_lab_is_measured_at_shares_of_its_hosts_and_fitted_where_it_is_saturated():
    found = design(hosts=12)
    assert (found.counts, found.n_fit) == ((4, 6, 8, 10, 12), 8)
    assert found.sizes == (4 * KIB, 8 * KIB, 32 * KIB, 128 * KIB)
    assert found.check_sizes == (5793, 16 * KIB, 64 * KIB)
    assert min(found.message_sizes) == 1
    assert design(hosts=2).counts == (2,)


@pytest.mark.parametrize(
    ("cores", "counts", "n_fit"), [(2, (3, 4, 6, 8), 4), (16, (6, 8, 12, 16), 8)]
)
def test_this_machine_is_fitted_at_half_the_largest_count(monkeypatch, cores, counts, n_fit):
    monkeypatch.setattr(machine, "cores", lambda: cores)
    found = design()
    assert (found.counts, found.n_fit, found.sizes) == (counts, n_fit, SIZES)


@pytest.mark.parametrize("hosts", [None, 12])
def test_a_single_message_is_measured_from_the_smallest_on_whatever_is_exchanged(hosts):
    found = design([4, 8], sizes=[64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB], hosts=hosts)
    assert (found.sizes[0], min(found.message_sizes)) == (64 * KIB, 1)
    assert found.n_fit == 4


@pytest.mark.parametrize("sizes", [[1, 4, 16, 64], [4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB], SIZES])
def test_no_size_for_validation_is_one_of_the_fit(sizes):
    found = design([4], sizes=sizes)
    assert not set(found.sizes) & set(found.check_sizes)
    assert min(sizes) < min(found.check_sizes) <= max(found.check_sizes) < max(sizes)


def test_n_has_to_be_measured_and_sizes_have_to_be_enough():
    with pytest.raises(InvalidInputError, match="n' = 5 is not measured; choose among 4, 8"):
        design([8, 4, 8], n_fit=5)
    with pytest.raises(InvalidInputError, match="3 sizes for a contention signature"):
        design([4], sizes=[64, 128, 256])
