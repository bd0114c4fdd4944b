"""Two foreign measurements of few messages at once, as measured contention graphs.

Source: the saturation test of SimGrid's platform-calibration: k pairs of nodes; a CSV with the
columns `COLUMNS`. The max-rate test of BenchPress, after Gropp, Olson, Samfass, "Modeling MPI
communication performance on SMP nodes", EuroMPI 2016: lines `Size S`, then seconds of 1, 2, ...
pairs of processes of two nodes take at once.
Idea: `send` is k messages that share no node; `sendrecv_same` k exchanges; in `sendrecv_diff` every
node sends to one and receives from another, a ring. Pairs of processes of the same two nodes are
parallel edges.
Restrictions: the CSV does not say who the other peer of `sendrecv_diff` is; one ring is assumed,
which sharing models do not tell from several. A duration is that of the receiving node.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.document import Frame, from_object
from contend.base.errors import FileFormatError
from contend.base.textfile import read_text, read_words
from contend.samples.messages import MessageSample
from contend.samples.readers._table import decimals, wholes
from contend.simulate.graphs.isomorphism import Edges

COLUMNS = (
    "platform", "test", "campaign", "world", "rank", "k", "run", "bytes", "start_ms", "dur_ms",
)  # fmt: skip
TESTS = ("send", "sendrecv_same", "sendrecv_diff")
_SIZE_LINE = re.compile(r"^Size (\d+)\t([-+.e\d\t]+?)\s*$", re.MULTILINE)


def read_saturation(path: Path) -> list[MessageSample]:
    """A graph per test and k of a platform-calibration saturation file, plain or gzipped."""
    rows = _rows(path)
    first = rows[(rows["test"] == "send") & (rows["k"] == 1)]
    alone = tuple((first["dur_ms"] / 1e3).tolist())
    samples = []
    for (test, k), part in rows.groupby(["test", "k"], sort=True):
        where = f"{path} line {part.index[0]}: {test} of k = {k}"
        edges = _edges(str(test), int(k), int(part["world"].iloc[0]) // 2)
        samples.append(
            _graph(
                where,
                f"platform_calibration: {path.name}",
                graph=f"{test} k={int(k)}",
                edges=edges,
                m=int(part["bytes"].iloc[0]),
                times_s=_ends(part, [dst for _, dst in edges], where),
                alone_s=alone,
            )
        )
    return samples


def _rows(path: Path) -> Frame:
    """Numbers of each line by their column; the index is the line number."""
    import pandas as pd

    words = read_words(path, errors="replace")
    if tuple(words.iloc[0]) != COLUMNS:
        raise FileFormatError(f"{path} is no saturation test", f"its header is {','.join(COLUMNS)}")
    text = words.iloc[1:].set_axis(list(COLUMNS), axis=1)
    unknown = text["test"][~text["test"].isin(TESTS)]
    if not unknown.empty or text.empty:
        problem = f" line {unknown.index[0]}: test is {unknown.iloc[0]!r}" if len(unknown) else ""
        raise FileFormatError(f"{path}{problem or ' has no rows'}", f"tests are {', '.join(TESTS)}")
    least = {"world": 2, "rank": 0, "k": 1, "run": 0, "bytes": 1}
    numbers = {name: wholes(text[name], path, name, low) for name, low in least.items()}
    durations = decimals(text["dur_ms"], path, "dur_ms")
    return pd.DataFrame({"test": text["test"], **numbers, "dur_ms": durations}, index=text.index)


def _ends(part: Frame, receivers: list[int], where: str) -> tuple[tuple[float, ...], ...]:
    """Seconds of each run and receiver; an error where one is missing or there twice."""
    ranks, runs = sorted(set(receivers)), part["run"].nunique()
    rows = part[part["rank"].isin(ranks)]
    if rows.duplicated(["run", "rank"]).any() or len(rows) != runs * len(ranks):
        raise FileFormatError(
            f"{where} has not one row of each receiver in each run", "restore the file"
        )
    ends = rows.pivot(index="run", columns="rank", values="dur_ms") / 1e3
    return tuple(map(tuple, ends[receivers].to_numpy().tolist()))


def _graph(where: str, source: str, **fields: Any) -> MessageSample:
    """Return the graph with these fields; an error about one of them names `where`."""
    head = {
        "schema": MessageSample.schema_name, "version": MessageSample.schema_version,
        "experiment": "graph", "provenance": {"source": source},
    }  # fmt: skip
    return from_object(MessageSample, head | fields, where)


def _edges(test: str, k: int, half: int) -> Edges:
    pairs = [(node, node + half) for node in range(k)]
    if test == "send":
        return tuple(pairs)
    if test == "sendrecv_same":
        return tuple(edge for src, dst in pairs for edge in ((src, dst), (dst, src)))
    ring = [node for pair in pairs for node in pair]
    return tuple(zip(ring, ring[1:] + ring[:1], strict=True))


def read_max_rate(path: Path) -> list[MessageSample]:
    """A graph per size and number of pairs, of the messages between hosts' memories.

    The text has a block for the memories of hosts and then one for those of accelerators.
    """
    text = read_text(path, errors="replace")
    block = text.partition("Max-Rate CPU")[2].partition("Max-Rate")[0]
    lines = _SIZE_LINE.findall(block)
    if not lines:
        raise FileFormatError(f"{path} is no max-rate test", "name the output of time_maxrate")
    samples = []
    for size, values in lines:
        try:
            seconds = np.array(values.split(), dtype=np.float64)
        except ValueError as error:
            raise FileFormatError(f"{path}: Size {size}: {error}", "restore the line") from None
        samples += [
            _graph(
                f"{path}: Size {size}",
                f"max_rate: {path.name}",
                graph=f"{k} pairs",
                edges=((0, 1),) * k,
                m=int(size),
                times_s=((float(seconds[k - 1]),) * k,),
                alone_s=(float(seconds[0]),),
            )
            for k in range(1, len(seconds) + 1)
        ]
    return samples


def is_foreign(path: Path) -> bool:
    """Whether a file is one of the two, whatever its name."""
    return _test_of(path) != ""


def _test_of(path: Path) -> str:
    head = read_text(path, 4000, errors="replace")
    if tuple(head.partition("\n")[0].strip().split(",")) == COLUMNS:
        return "saturation"
    return "max-rate" if "Max-Rate CPU" in head else ""


def read_foreign(path: Path) -> list[MessageSample]:
    """Read the graphs of a file that is one of the two."""
    if test := _test_of(path):
        return read_saturation(path) if test == "saturation" else read_max_rate(path)
    raise FileFormatError(
        f"{path} is no saturation or max-rate test",
        "collective operations and single messages are read by 'contend import'",
    )


def added(stored: Sequence[MessageSample], read: Sequence[MessageSample]) -> list[MessageSample]:
    """Those found that are not there from a file of the same name, in launches of their own."""
    names = {(sample.provenance.source, sample.graph, sample.m) for sample in stored}
    launches: Counter[tuple[str, int]] = Counter()
    for sample in stored:
        launches[(sample.graph, sample.m)] = max(
            launches[(sample.graph, sample.m)], sample.launch + 1
        )
    new = [
        sample for sample in read if (sample.provenance.source, sample.graph, sample.m) not in names
    ]
    for number, sample in enumerate(new):
        new[number] = sample.model_copy(update={"launch": launches[(sample.graph, sample.m)]})
        launches[(sample.graph, sample.m)] += 1
    return new
