import gzip

import numpy as np
import pytest
from goal_schedules import from_goal

from contend.base.errors import FileFormatError
from contend.schedules import Kind, algorithms
from contend.schedules.goal import parse_goal


def read(path):
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()


def assert_same(one, other):
    assert one.ranks == other.ranks
    for name in ("kind", "rank", "peer", "bytes", "requires_offsets", "requires"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize(
    ("name", "collective", "algorithm", "n", "m"),
    [
        ("binary_tree_32.goal", "bcast", "binomial", 32, 1),
        ("schedgen_binomialtreebcast_16.goal", "bcast", "binomial", 16, 65536),
        ("schedgen_linear_alltoall_64x1MB.goal.gz", "alltoall", "rotated", 64, 1_000_000),
    ],
)
def test_generators_and_the_catalogue_make_the_same_schedule(
    name, collective, algorithm, n, m, shared_data
):
    schedule = algorithms(collective).get(algorithm).build(n, m)
    assert_same(schedule, from_goal(read(shared_data(f"traces/goal/{name}"))))


def test_comments_are_skipped_and_calc_is_local_work():
    schedule = from_goal("num_ranks 1 // one\n/* two\nlines */ rank 0 {\nl1: calc 7 cpu 0\n}\n")
    assert schedule.kind.tolist() == [Kind.COPY]
    assert schedule.bytes.tolist() == [7]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "ends too early"),
        ("ranks 2", "line 1 is 'ranks 2'; write num_ranks N"),
        ("num_ranks 1\nrank 0 {", "missing }"),
        ("num_ranks 1\nrank 0 {\nl1: hop 3\n}", "line 3 .* an operation"),
        ("num_ranks 1\nrank 0 {\nl1: calc 3\nl1 requires l2\n}", "label of the same rank"),
        ("num_ranks 1\nrank 0 {\nl1: calc 3\nl1: calc 3\n}", "once per rank"),
        ("num_ranks 1\nrank 0 {\nl1 requires l1\n}", "line 3 .* above"),
    ],
)
def test_a_text_that_is_no_schedule_is_refused_with_its_line(text, complaint):
    with pytest.raises(FileFormatError, match=complaint):
        parse_goal(text).by_rank()
