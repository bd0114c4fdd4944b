"""Every format of contention graphs: the same flows from each, and errors for what is none."""

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import flows_of
from contend.simulate.flows.reader import READERS, read_flows

ROWS = [("a", "b", 8.0, 0.0), ("a", "c", 16.0, 1.0), ("a", "b", 8.0, 0.5)]
SUFFIXES = [suffix for reader in READERS.all() for suffix in reader.suffixes]


def graph():
    found = nx.MultiDiGraph()
    for src, dst, size, start in ROWS:
        found.add_edge(src, dst, bytes=size, start=start, colour="red")
    return found


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def written(path):
    """The flows of ROWS in the format of a file's suffix."""
    names = ("source", "destination", "bytes", "start")
    if path.suffix == ".csv":
        lines = [names, *ROWS]
        path.write_text("\n".join(",".join(map(str, line)) for line in lines))
    elif path.suffix == ".json":
        path.write_text(json.dumps([dict(zip(names, row, strict=True)) for row in ROWS]))
    elif path.suffix == ".graphml":
        nx.write_graphml(graph(), path)
    elif path.name == "braces.txt":
        nx.write_edgelist(graph(), path)
    else:
        path.write_text("# flows\n" + "\n".join(" ".join(map(str, row)) for row in ROWS))
    return path


@pytest.mark.parametrize("name", ["f.csv", "f.json", "f.graphml", "f.edgelist", "braces.txt"])
def test_every_format_gives_the_same_flows(tmp_path, name):
    table = read_flows(written(tmp_path / name))
    found = sorted(table[["src", "dst", "bytes", "start"]].itertuples(index=False, name=None))
    assert found == sorted(ROWS)


def test_a_graph_of_networkx_is_solved_and_written_on():
    flows = graph()
    flows.add_node("idle")
    solution = solve(flows, bandwidth=8.0)
    assert solution.flows.hosts == 4
    table = solution.table()
    assert list(table["src"]) == ["a"] * 3
    solution.write_on(flows)
    ends = [data["end"] for *_, data in flows.edges(data=True)]
    assert ends == table["end"].tolist()
    with pytest.raises(InvalidInputError, match="give the graph that was solved"):
        solution.write_on(nx.MultiDiGraph())
    with pytest.raises(InvalidInputError, match="have no direction"):
        flows_of(nx.MultiGraph(flows))
    assert len(flows_of(nx.MultiDiGraph([])).src) == 0


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><graphml><graph>&b;</graph></graphml>'
)
DEEP = "<a>" * 5000 + "</a>" * 5000
EDGES = '<graphml><graph edgedefault="{}"><node id="a"/><node id="b"/>{}</graph></graphml>'
TWICE = '<edge id="e" source="a" target="b"/>' * 2
NASTY = [
    ("f.csv", "", "is empty"),
    ("f.csv", b"\x00\x01\x02", "is no text"),
    ("f.json", b"\xff\xfe\x80", "is no text"),
    ("f.csv", "src,dst,bytes\na,b,8,9\n", "line 2: 4 fields where 3 are due"),
    ("f.csv", "src,dst,bytes\na,b\n", "bytes of flow 1 is ''"),
    ("f.csv", 'src,dst,bytes\n"a,b,8\n', "EOF inside string"),
    ("f.csv", "src,source,dst,bytes\na,a,b,8\n", "two columns are 'src'"),
    ("f.csv", "src,dst,bytes\na,b,True\n", "bytes of flow 1"),
    ("f.csv", f"src,dst,bytes\na,b,{'9' * 400}\n", "bytes of flow 1"),
    ("f.csv", "src,dst,bytes,route\na,b,8,\n", "route of flow 1"),
    ("f.csv", "src,dst,bytes\na,a,8\n", "to itself"),
    ("f.json", "[" * 100000, "too deep to read"),
    ("f.json", '[{"src": "a", "src": "b"}]', "names 'src' twice"),
    ("f.json", '[{"src": "a", "dst": "b", "bytes": NaN}]', "bytes of flow 1 is nan"),
    ("f.json", '[{"src": "a", "dst": "b", "bytes": true}]', "bytes of flow 1 is True"),
    ("f.json", '[{"src": "a", "dst": "b", "bytes": 1' + "0" * 400 + "}]", "bytes of flow 1"),
    ("f.json", '{"src": {"x": 1}, "dst": [1], "bytes": [2]}', ""),
    ("f.graphml", "<graphml", "is no XML"),
    ("f.graphml", LAUGHS, "declares the entity"),
    ("f.graphml", DEEP, "lie within each other"),
    ("f.graphml", EDGES.format("directed", ""), ""),
    ("f.graphml", EDGES.format("undirected", '<edge source="a" target="b"/>'), "no direction"),
    ("f.graphml", EDGES.format("directed", TWICE), "give parallel edges different ids"),
    ("f.graphml", EDGES.format("directed", '<edge source="a"/>'), ""),
    ("f.edgelist", "a b\n", "line 1 is 'a b'"),
    ("f.edgelist", "a b 8\na b 8 1\n", "line 2"),
    ("f.edgelist", "a b {" + "[" * 5000 + "}\n", "line 1"),
    ("f.edgelist", "# nothing\n", "it has no flow"),
]


@pytest.mark.parametrize(("name", "text", "said"), NASTY)
def test_what_is_no_flows_is_one_clear_error(file, name, text, said):
    with pytest.raises(ContendError) as caught:
        read_flows(file(name, text))
    assert said in str(caught.value)
    assert caught.value.remedy
    assert len(str(caught.value)) < 1000


def test_a_file_that_is_not_there_or_says_no_format_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match="name a file that exists"):
        read_flows(tmp_path / "none.csv")
    with pytest.raises(FileFormatError, match="cannot read"):
        (tmp_path / "folder.csv").mkdir()
        read_flows(tmp_path / "folder.csv")
    with pytest.raises(FileFormatError, match="or give the format: csv"):
        read_flows(tmp_path / "flows.dat")
    path = written(tmp_path / "flows.csv").rename(tmp_path / "flows.dat")
    assert len(read_flows(path, "csv")) == len(ROWS)


PIECES = [
    "src,dst,bytes\n",
    "a,b,8\n",
    "a b 8\n",
    '{"src":',
    "[",
    "]",
    "}",
    "<graphml>",
    "<graph ",
    'edgedefault="directed">',
    "<edge ",
    'source="a" ',
    'target="b"/>',
    "</graph>",
    "-1",
    "nan",
    "</graphml>",
    "num_ranks 2\n",
    "rank 0 {\n",
    "l1: send 8b to 1\n",
    "l1 requires l1\n",
    "}\n",
    "<platform version='4'>",
    "\n",
    ",",
    '"',
    "{'bytes': 8}",
    "&amp;",
    "<!--",
    "\t",
    "\u2028",
]


@pytest.mark.parametrize("reader", READERS.all(), ids=lambda reader: reader.name)
@settings(max_examples=60, deadline=None)
@given(
    text=st.one_of(
        st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=60)
    )
)
def test_any_text_is_flows_or_an_error(reader, text, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"fuzz{reader.suffixes[0]}"
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    try:
        table = read_flows(path)
    except ContendError as error:
        assert error.remedy
    else:
        assert np.isfinite(table["bytes"]).all() and (table["bytes"] >= 0).all()


def test_a_million_flows_end_when_they_should(tmp_path):
    count = 1_000_000
    path = tmp_path / "many.csv"
    pairs = np.arange(count // 2)
    lines = [f"s{pair},d{pair},8\ns{pair},d{pair},16" for pair in pairs.tolist()]
    path.write_text("src,dst,bytes\n" + "\n".join(lines))
    solution = solve(read_flows(path), bandwidth=8.0)
    assert solution.flows.hosts == count
    assert solution.end[::2] == pytest.approx(np.full(count // 2, 2.0))
    assert solution.end[1::2] == pytest.approx(np.full(count // 2, 3.0))
