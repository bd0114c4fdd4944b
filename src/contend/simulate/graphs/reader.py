"""Contention graphs by name: those of the literature, and those of a file.

CSV with the columns src and dst is one graph; JSON holds many by name: {"fan": [["a", "b"],
["a", "c"]], ...}. Nodes are names or numbers; they are numbered in order of appearance.

Source of those that are published with penalties or times: Martinasso, Méhaut, Euro-Par 2011,
figures 2 to 4. The drawings are not in the text: the edges are those that give every printed
penalty.
"""

import json
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.textfile import columns_of, read_text, read_words
from contend.simulate.graphs.isomorphism import Edges

PUBLISHED: dict[str, Edges] = {
    "2.1": ((0, 1), (0, 2), (0, 3)),
    "2.2": ((1, 0), (1, 2), (3, 0), (3, 4)),
    "2.3": ((0, 1), (0, 2), (0, 3), (3, 1), (3, 2)),
    "2.4": ((0, 1), (0, 2), (3, 1), (4, 2)),
    "3": ((0, 1), (0, 2), (0, 3), (4, 1), (4, 5), (6, 5)),
    "A": ((0, 1), (0, 2), (3, 1), (4, 1), (5, 2)),
    "B": ((1, 0), (1, 2), (3, 0), (4, 0), (5, 0)),
}
_CSV = "its first line is src,dst, then a line per message; the size of all is given by -m"
_JSON = 'write {"name": [["a", "b"], ["a", "c"]], ...}'


def read_contention_graphs(path: str | Path) -> dict[str, Edges]:
    """Edges of the graphs of a file, by name; one of a CSV file has the name of the file.

    Raises FileFormatError for a file that cannot be read, holds no graph, or has an edge that is
    none.
    """
    path = Path(path)
    rows = _json(path) if path.suffix == ".json" else {path.stem: _csv(path)}
    if not rows:
        raise FileFormatError(f"{path} holds no graph", _JSON)
    return {name: _edges(f"{path}: {name}", edges) for name, edges in rows.items()}


def _csv(path: Path) -> object:
    table = columns_of(read_words(path))
    if sorted(table) != ["dst", "src"]:
        raise FileFormatError(f"{path} has the columns {', '.join(map(str, table))}", _CSV)
    return table[["src", "dst"]].to_numpy().tolist()


def _json(path: Path) -> dict[str, object]:
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", _JSON) from None
    if not isinstance(content, dict):
        raise FileFormatError(f"{path} is no JSON object", _JSON)
    return content


def _edges(where: str, rows: object) -> Edges:
    if not isinstance(rows, list) or not rows:
        raise FileFormatError(f"{where} has no edges", _JSON)
    names: list[tuple[str, str]] = []
    for number, row in enumerate(rows, start=1):
        is_pair = isinstance(row, list) and len(row) == 2
        if not is_pair or not all(isinstance(end, str | int) and str(end).strip() for end in row):
            raise FileFormatError(
                f"{where}: message {number} is {row!r}", "give its source and its destination"
            )
        src, dst = (str(end).strip() for end in row)
        if src == dst:
            raise FileFormatError(
                f"{where}: message {number} goes from {src!r} to itself",
                "it shares no network: leave it out",
            )
        names.append((src, dst))
    numbers = {v: i for i, v in enumerate(dict.fromkeys(v for pair in names for v in pair))}
    return tuple((numbers[src], numbers[dst]) for src, dst in names)
