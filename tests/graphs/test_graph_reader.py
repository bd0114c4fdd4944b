"""Contention graphs of a file."""

from pathlib import Path

import pytest

from contend.base.errors import FileFormatError
from contend.simulate.graphs.reader import read_contention_graphs


def test_a_csv_file_is_one_graph(tmp_path: Path) -> None:
    path = tmp_path / "fan.csv"
    path.write_text("dst, src\nx,hub\ny, hub\n")
    assert read_contention_graphs(path) == {"fan": ((0, 1), (0, 2))}


def test_a_json_file_has_many(tmp_path: Path) -> None:
    path = tmp_path / "graphs.json"
    path.write_text('{"pair": [["a", "c"], ["b", "c"]], "ring of two": [[7, 3], [3, 7]]}')
    assert read_contention_graphs(path) == {
        "pair": ((0, 1), (2, 1)),
        "ring of two": ((0, 1), (1, 0)),
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.csv", None, "there is no file"),
        ("g.csv", "", "is empty"),
        ("g.csv", "src,dst\n", "has no edges"),
        ("g.csv", "src,dst,bytes\na,b,8\n", "has the columns src, dst, bytes"),
        ("g.csv", "src,dst\na,a\n", "message 1 goes from 'a' to itself"),
        ("g.csv", "src,dst\na,\n", "message 1 is"),
        ("g.json", "[]", "is no JSON object"),
        ("g.json", "{", "cannot read"),
        ("g.json", "{}", "holds no graph"),
        ("g.json", '{"a": []}', "a has no edges"),
        ("g.json", '{"a": 3}', "a has no edges"),
        ("g.json", '{"a": [["b"]]}', r"message 1 is \['b'\]"),
        ("g.json", '{"a": [["b", null]]}', "message 1 is"),
        ("g.json", '{"a": [["b", "c"], "cd"]}', "message 2 is 'cd'"),
    ],
)
def test_a_file_that_holds_no_graph_is_an_error(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_contention_graphs(path)
    assert caught.value.remedy
