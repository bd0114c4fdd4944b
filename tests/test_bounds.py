import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import FileFormatError, InvalidInputError
from contend.models.bounds import operation_bound, total_exchange_bound
from contend.schedules import COLLECTIVES, algorithms
from contend.schedules.pointtopoint import hockney
from contend.simulate.flows.bound import exchange_bound, read_messages
from support.networks import parameters

ALPHA, BETA = 1e-5, 1e-9
KNOWN = hockney.given(ALPHA, BETA)
_SIZES = (0.0, 1.0, 2.0**40)
NETWORK = parameters(0.0, _SIZES, [ALPHA + BETA * m for m in _SIZES], (0.0,) * 3, "kielmann")
ranks = st.integers(0, 6)
messages = st.lists(
    st.tuples(ranks, ranks, st.integers(0, 10**6)).filter(lambda message: message[0] != message[1]),
    min_size=1,
    max_size=20,
)


@given(messages)
def test_the_bounds_are_those_of_claims_1_to_3(edges):
    """Brute force: every port of every process, one by one."""
    found = exchange_bound(*zip(*edges, strict=True), KNOWN)
    ports = [[e[2] for e in edges if e[end] == p] for end in (0, 1) for p in range(7)]
    startups, most_bytes = max(map(len, ports)), max(map(sum, ports))
    assert (found.startups, found.bytes) == (startups, most_bytes)
    assert found.startup_seconds == pytest.approx(startups * ALPHA)
    assert found.bandwidth_seconds == pytest.approx(most_bytes * BETA)
    assert found.synchronous_seconds == pytest.approx(startups * ALPHA + most_bytes * BETA)
    busiest = max(len(port) * ALPHA + sum(port) * BETA for port in ports)
    assert found.seconds == pytest.approx(busiest)
    assert found.seconds <= found.synchronous_seconds * (1 + 1e-12)
    assert found.holds_claim_3 == any(
        len(port) == startups and sum(port) == most_bytes for port in ports
    )
    assert (found.messages, found.processes) == (len(edges), max(max(e[:2]) for e in edges) + 1)


@given(messages, st.permutations(range(7)))
def test_neither_names_nor_directions_matter(edges, names):
    src, dst, size = zip(*edges, strict=True)
    found = exchange_bound(src, dst, size, KNOWN).seconds
    assert exchange_bound(dst, src, size, KNOWN).seconds == pytest.approx(found)
    renamed = [[names[rank] for rank in end] for end in (src, dst)]
    assert exchange_bound(*renamed, size, KNOWN).seconds == pytest.approx(found)


@pytest.mark.parametrize("n", [2, 3, 8])
@pytest.mark.parametrize("m", [0, 1000])
def test_a_total_exchange_takes_n_less_1_messages(n, m):
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    found = exchange_bound(*zip(*pairs, strict=True), [m] * len(pairs), KNOWN)
    assert found.holds_claim_3
    assert found.seconds == pytest.approx((n - 1) * (ALPHA + BETA * m))
    assert total_exchange_bound(n, m, KNOWN) == pytest.approx(found.seconds)
    counts, sizes = np.array([[2], [5]]), np.array([0, 10, 10**6])
    expected = (counts - 1) * (ALPHA + BETA * sizes)
    assert total_exchange_bound(counts, sizes, KNOWN) == pytest.approx(expected)


def test_processes_without_a_message_may_be_counted():
    found = exchange_bound([0], [1], [8], KNOWN, n=5)
    assert (found.processes, found.startups) == (5, 1)
    with pytest.raises(InvalidInputError, match="dst is 5, but with n = 5"):
        exchange_bound([0], [5], [8], KNOWN, n=5)


@pytest.mark.parametrize(
    ("src", "dst", "size", "problem"),
    [
        ([0.5], [1], [8], "src is not a list of whole numbers; give ranks from 0"),
        ([0], [[1]], [8], "dst is not a list of whole numbers"),
        ([0], ["b"], [8], "dst is not a list of whole numbers"),
        ([-1], [1], [8], "src holds rank -1; give ranks from 0"),
        ([0], [2**31], [8], "dst holds rank 2147483648; give ranks from 0"),
        ([0], [2_000_000_000], [8], "dst holds rank 2000000000; give ranks from 0 to"),  # memory
        ([0, 1], [1], [8], "src, dst and bytes have 2, 1 and 1 entries"),
        ([0], [1], [8, 9], "src, dst and bytes have 1, 1 and 2 entries"),
        ([0], [0], [8], "message 0: vertex 0 sends to itself"),
        ([0], [1], [-8], "message 0: bytes must be finite and at least 0, got -8"),
        ([0], [1], [np.nan], "message 0: bytes must be finite and at least 0"),
    ],
)
def test_what_is_no_exchange_is_an_error(src, dst, size, problem):
    with pytest.raises(InvalidInputError, match=problem):
        exchange_bound(src, dst, size, KNOWN)


def test_messages_are_read_from_named_columns(tmp_path):
    path = tmp_path / "messages.csv"
    path.write_text("comment,bytes,src,dst\nx,8,0,1\ny,16,1,0\n")
    table = read_messages(path)
    assert table.to_dict("list") == {"src": [0, 1], "dst": [1, 0], "bytes": [8, 16]}
    found = exchange_bound(table["src"], table["dst"], table["bytes"], KNOWN)
    assert found.seconds == pytest.approx(ALPHA + 16 * BETA)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "there is no file .*; name a file"),
        ("", "is empty; name a file with rows"),
        ("src,dst,size\n0,1,8\n", "has no column 'bytes'; its first line is src,dst,bytes"),
        ("src,dst,bytes\n", "has no row"),
        ("src,dst,bytes\n0,1,8\n0,1,many\n", "line 3 is not three numbers; mend the line"),
        ("src,dst,bytes\n0,,8\n", "line 2 is not three numbers"),
        ("src,dst,bytes\n0,1,8\n0,1,8,9\n", "line 3: 4 fields where 3 are due"),
    ],
)
def test_a_file_that_holds_no_messages_is_an_error(tmp_path, text, problem):
    path = tmp_path / "messages.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(FileFormatError, match=problem):
        read_messages(path)


@pytest.mark.parametrize("operation", [*COLLECTIVES, "barter"])
def test_no_algorithm_of_the_catalogue_is_faster_than_the_bound(operation):
    """By their schedules, where a message occupies both ends for alpha + beta m."""
    if operation not in COLLECTIVES:
        assert np.isnan(operation_bound(operation, 8, 100, KNOWN))
        return
    for entry in algorithms(operation).all():
        if entry.needs_groups or ("bruck" in entry.name and operation == "alltoall"):
            continue  # one has no groups here, the other forwards
        for n in (2, 8, 64):
            for m in (0,) if operation == "barrier" else (1, 8192):
                least = float(operation_bound(operation, n, m, KNOWN))
                taken = float(entry.uniform_seconds(NETWORK, n, m))
                assert taken >= least * (1 - 1e-9), (entry.name, n, m)
