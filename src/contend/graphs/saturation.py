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
from pathlib import Path

import numpy as np

from contend.errors import FileFormatError
from contend.graphs.isomorphism import Edges
from contend.graphs.sample import GraphSample
from contend.samples import Provenance
from contend.textfile import read_text, read_words

COLUMNS = (
    "platform",
    "test",
    "campaign",
    "world",
    "rank",
    "k",
    "run",
    "bytes",
    "start_ms",
    "dur_ms",
)
_SIZE_LINE = re.compile(r"^Size (\d+)\t([-+.e\d\t]+?)\s*$", re.MULTILINE)


def read_saturation(path: Path) -> list[GraphSample]:
    """A graph per test and k of a platform-calibration saturation file, plain or gzipped."""
    words = read_words(path, errors="replace")
    if tuple(words.iloc[0]) != COLUMNS:
        raise FileFormatError(f"{path} is no saturation test", f"its header is {','.join(COLUMNS)}")
    rows = words.iloc[1:].set_axis(list(COLUMNS), axis=1)
    numbers = rows[["world", "rank", "k", "run", "bytes", "dur_ms"]].astype(float)
    rows[numbers.columns] = numbers
    first = rows[(rows["test"] == "send") & (rows["k"] == 1)]
    alone = tuple((first["dur_ms"] / 1e3).tolist())
    found = []
    for (test, k), part in rows.groupby(["test", "k"], sort=True):
        ends = part.pivot(index="run", columns="rank", values="dur_ms") / 1e3
        edges = _edges(str(test), int(k), int(part["world"].iloc[0]) // 2)
        found.append(
            GraphSample(
                graph=f"{test} k={int(k)}",
                edges=edges,
                m=int(part["bytes"].iloc[0]),
                ends_s=tuple(map(tuple, ends[[dst for _, dst in edges]].to_numpy().tolist())),
                alone_s=alone,
                provenance=Provenance(source=f"platform_calibration: {path.name}"),
            )
        )
    return found


def _edges(test: str, k: int, half: int) -> Edges:
    pairs = [(node, node + half) for node in range(k)]
    if test == "send":
        return tuple(pairs)
    if test == "sendrecv_same":
        return tuple(edge for src, dst in pairs for edge in ((src, dst), (dst, src)))
    ring = [node for pair in pairs for node in pair]
    return tuple(zip(ring, ring[1:] + ring[:1], strict=True))


def read_max_rate(path: Path, most: int) -> list[GraphSample]:
    """A graph per size and number of pairs up to `most`, of the messages between hosts' memories.

    The text has a block for the memories of hosts and then one for those of accelerators.
    """
    text = read_text(path, errors="replace")
    block = text.partition("Max-Rate CPU")[2].partition("Max-Rate")[0]
    lines = _SIZE_LINE.findall(block)
    if not lines:
        raise FileFormatError(f"{path} is no max-rate test", "name the output of time_maxrate")
    found = []
    for size, values in lines:
        seconds = np.array(values.split(), dtype=np.float64)
        found += [
            GraphSample(
                graph=f"{k} pairs",
                edges=((0, 1),) * k,
                m=int(size),
                ends_s=((float(seconds[k - 1]),) * k,),
                alone_s=(float(seconds[0]),),
                provenance=Provenance(source=f"max_rate: {path.name}"),
            )
            for k in range(1, min(most, len(seconds)) + 1)
        ]
    return found
