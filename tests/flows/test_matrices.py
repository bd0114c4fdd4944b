"""Square matrices of bytes and edge lists: neither is taken for the other in silence."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError
from contend.simulate.flows.matrix import AmbiguousFlowsWarning
from contend.simulate.flows.reader import read_flows

TRAFFIC = "0 1000 2000\n3000 0 4000\n5000 6000 0\n"
SIX = {("0", "1"): 1000, ("0", "2"): 2000, ("1", "0"): 3000, ("1", "2"): 4000,
       ("2", "0"): 5000, ("2", "1"): 6000}  # fmt: skip


@pytest.fixture
def flows(tmp_path):
    def read(text, name="traffic.txt", format=None):
        path = tmp_path / name
        path.write_text(text)
        return sizes(read_flows(path, format))

    return read


def sizes(table):
    return dict(zip(zip(table["src"], table["dst"], strict=True), table["bytes"], strict=True))


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";", ", "])
@pytest.mark.parametrize("name", ["t.txt", "t.edgelist", "t.csv", "t.matrix"])
def test_a_zero_diagonal_is_that_of_a_matrix(flows, name, separator):
    text = TRAFFIC.replace(" ", separator)
    if name.endswith(("txt", "list")):
        with pytest.warns(AmbiguousFlowsWarning, match="read as a matrix of bytes between 3 hosts"):
            assert flows(text, name) == SIX
    else:
        assert flows(text, name) == SIX
    assert flows(text, name, "matrix") == SIX


NAMED = {"columns": "a b c\n", "corner": "# x\nto a b c\n", "comma": ",a,b,c\n"}


@pytest.mark.parametrize("head", NAMED)
@pytest.mark.parametrize("has_rows", [False, True])
def test_names_of_hosts_stand_above_or_before(flows, head, has_rows):
    if head == "corner" and not has_rows:
        return
    lines = TRAFFIC.splitlines()
    named = [
        f"{name} {line}" if has_rows else line for name, line in zip("abc", lines, strict=True)
    ]
    text = NAMED[head] + "\n".join(named)
    if head == "comma" and not has_rows:
        return
    text = text.replace(" ", ",") if head == "comma" else text
    wanted = {("abc"[int(a)], "abc"[int(b)]): size for (a, b), size in SIX.items()}
    assert flows(text) == wanted


@pytest.mark.parametrize("name", ["t.csv", "t.matrix"])
def test_marks_of_quotation_and_commas_at_ends_are_no_part_of_a_matrix(flows, name):
    text = TRAFFIC.replace(" ", ",")
    assert flows(text.replace("\n", ",\n"), name) == SIX
    lines = [f'"{host}",{line}\n' for host, line in zip("012", text.splitlines(), strict=True)]
    assert flows('"","0","1","2"\n' + "".join(lines), name) == SIX


def test_two_hosts_are_no_edge_list(flows):
    assert flows("0 1KiB\n2000 0\n") == {("0", "1"): 1024, ("1", "0"): 2000}


def test_a_diagonal_that_is_left_out_is_said(flows):
    text = "\n".join(" ".join(["7"] * 6) for _ in range(6))
    with pytest.warns(AmbiguousFlowsWarning, match="diagonal of the matrix"):
        assert len(flows(text)) == 30


def test_what_may_be_both_is_read_as_said(flows):
    text = "10 20 30\n40 50 60\n70 80 90\n"
    with pytest.warns(AmbiguousFlowsWarning, match="may be a matrix of bytes between 3 hosts: say"):
        assert flows(text) == {("10", "20"): 30, ("40", "50"): 60, ("70", "80"): 90}
    with (
        pytest.raises(ContendError, match="to itself"),
        pytest.warns(AmbiguousFlowsWarning, match="may be a matrix"),
    ):
        flows("0 0 5\n1 2 5\n2 1 5\n")
    assert len(flows(text, format="edgelist")) == 3
    with pytest.warns(AmbiguousFlowsWarning, match="diagonal"):
        assert flows(text, format="matrix")["2", "0"] == 70


@pytest.mark.parametrize(
    "text",
    ["0 1 1000\n1 2 1000\n2 0 1000\n", "1 2 8\n2 3 8\n3 1 8\n", "a b 1\nb c 2\nc a 3\n",
     "0 1 5 0\n1 2 5 0\n2 3 5 1\n3 0 5 2\n", "0 1 8\n1 0 8\n", "0 1 8\n0 2 8\n0 3 8\n"],
)  # fmt: skip
def test_an_edge_list_of_as_many_lines_is_one(flows, text):
    assert len(flows(text)) == text.count("\n")


@pytest.mark.parametrize(
    ("text", "name"),
    [("1 2\n3\n", "t.matrix"), ("0 1 2\n3 0 4\n", "t.matrix"), ("0 -1\n1 0\n", "t.matrix"),
     ("src,dst\n0,1\n1,0\n", "t.csv"), ("0 nan\n1 0\n", "t.matrix"),
     ("to a b\nb 0 1\na 1 0\n", "t.matrix"), ("to a a\na 0 1\na 1 0\n", "t.matrix"),
     ("to,a,,c\na,0,1,2\n,3,0,4\nc,5,6,0\n", "t.matrix")],
)  # fmt: skip
def test_what_is_no_matrix_is_refused(flows, text, name):
    with pytest.raises(ContendError) as caught:
        flows(text, name)
    assert caught.value.remedy
    assert "csv" in name or "is no square matrix of bytes" in caught.value.message


@settings(max_examples=80, derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 10**6), count=st.integers(2, 9),
    separator=st.sampled_from([" ", "\t", ",", "  "]),
    suffix=st.sampled_from(["txt", "csv", "matrix"]),
    form=st.sampled_from(["bare", "columns", "rows", "rows from 0", "rows from 1", "both"]),
)  # fmt: skip
def test_any_matrix_is_its_flows(tmp_path_factory, seed, count, separator, suffix, form):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 10**6, (count, count)) * (rng.random((count, count)) < 0.8)
    np.fill_diagonal(matrix, 0)
    matrix[0, 1] = 5
    first = {"bare": 0, "rows from 0": 0, "rows from 1": 1}.get(form)
    names = [f"h{host}" if first is None else str(host + first) for host in range(count)]
    rows = [list(map(str, row)) for row in matrix]
    if form.startswith(("rows", "both")):
        rows = [[name, *row] for name, row in zip(names, rows, strict=True)]
    if form in ("columns", "both"):
        rows = [["host", *names] if form == "both" else names, *rows]
    path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
    path.write_text("\n".join(separator.join(row) for row in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AmbiguousFlowsWarning)
        found = sizes(read_flows(path))
    wanted = {(names[a], names[b]): matrix[a, b] for a, b in np.argwhere(matrix)}
    assert found == wanted


@settings(max_examples=80, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 6), words=st.integers(3, 5))
def test_any_edge_list_between_numbered_hosts_is_one(tmp_path_factory, seed, count, words):
    rng = np.random.default_rng(seed)
    src = np.arange(count)
    edges = [[src[i], (i + 1) % count, *rng.integers(1, 10**6, words - 2)] for i in range(count)]
    path = tmp_path_factory.getbasetemp() / "edges.txt"
    path.write_text("\n".join(" ".join(map(str, row)) for row in edges))
    assert sizes(read_flows(path)) == {(str(a), str(b)): size for a, b, size, *_ in edges}
