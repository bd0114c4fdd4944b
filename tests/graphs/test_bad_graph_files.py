"""Graph and network files whose arrays do not fit: an error that names the place, no traceback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contend.base.document import from_object
from contend.base.errors import ContendError, FileFormatError
from contend.models.network import Network
from contend.simulate.graphs.fit import fit_sharing
from contend.simulate.graphs.measurements import read_graphs
from support.graphs import SMALL, planted

NAMES = ("single", "fan-in-2", "zigzag", "comb")
Change = Callable[[dict[str, Any]], None]


def written(path: Path, change: Change) -> Path:
    """A file of four graphs, the third of which is changed."""
    samples = planted({name: SMALL[name] for name in NAMES}, "maxmin", repetitions=2)
    lines = [json.loads(json.dumps(sample.to_json())) for sample in samples]
    change(lines[2])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line["edges"].__setitem__(0, [0]), r"edges\.0\.1 is missing"),
        (lambda line: line["edges"].__setitem__(0, [0, 1, 2]), "at most 2 items"),
        (lambda line: line["edges"].__setitem__(0, [0, 10**30]), r"edges\.0\.1"),
        (lambda line: line["edges"].__setitem__(0, [4, 4]), "is no message"),
        (lambda line: line["times_s"].__setitem__(1, [1.0]), "repetition 1 has 1 times for 3"),
        (lambda line: line.update(times_s=[[]]), "has 0 times for 3 messages"),
        (lambda line: line.update(times_s=[]), "times_s"),
        (lambda line: line.update(times_s=[[0.0] * 3]), "took 0 s, which no clock tells"),
        (lambda line: line.update(times_s=[[1e-320] * 3]), "which no clock tells"),
        (lambda line: line.update(alone_s=[[1.0]]), r"alone_s\.0"),
        (lambda line: line.update(m=10**400), "m: input should be less"),
        (lambda line: line.update(launch=10**40), "launch: input should be less"),
    ],
)
def test_a_line_that_does_not_fit_is_named(change: Change, said: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=f"line 3: .*{said}"):
        read_graphs(written(tmp_path / "graphs.jsonl", change))


def test_times_alone_that_no_clock_tells_do_not_count(tmp_path: Path) -> None:
    path = written(tmp_path / "g.jsonl", lambda line: line.update(alone_s=[0.0, 1e9]))
    found = fit_sharing(read_graphs(path), path, np.random.default_rng(1), folds=2)
    assert found.is_bandwidth_measured


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda sharing: sharing["measured"][1]["penalties"].pop(),
            "2 penalties|1 penalties|0 penalties",
        ),
        (lambda sharing: sharing["measured"][1].update(low=[1.0]), "1 low of"),
        (lambda sharing: sharing["measured"][1]["edges"][0].pop(), "is missing"),
        (lambda sharing: sharing["measured"][1]["penalties"].__setitem__(0, -1.0), "above 0"),
        (lambda sharing: sharing.update(fallback="oracle"), "'oracle' is not among"),
        (lambda sharing: sharing.update(fallback="measured"), "which needs one itself"),
        (lambda sharing: sharing["models"][0].update(model="oracle"), "no sharing model"),
        (
            lambda sharing: sharing["models"][0]["bandwidth"].update(value=[1.0, 2.0]),
            "one number is due",
        ),
        (lambda sharing: sharing["models"][0]["bandwidth"].update(value=0.0), "above 0"),
        (lambda sharing: sharing["models"][0].update(parameters={}), "has the parameters"),
    ],
)
def test_a_network_file_that_does_not_fit_is_named(
    change: Change, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "graphs.jsonl", lambda line: None)
    sharing = fit_sharing(read_graphs(path), path, np.random.default_rng(1), folds=2)
    network = json.loads(
        json.dumps(Network(name="n", sharing=sharing, origin=sharing.origin).to_json())
    )
    from_object(Network, network, "network.json")
    models = sorted(network["sharing"]["models"], key=lambda known: known["model"] != "penalty3")
    network["sharing"]["models"] = models
    change(network["sharing"])
    with pytest.raises(FileFormatError, match=said):
        from_object(Network, network, "network.json")


def test_a_file_without_the_new_fields_is_still_read(tmp_path: Path) -> None:
    path = written(tmp_path / "graphs.jsonl", lambda line: None)
    sharing = fit_sharing(read_graphs(path), path, np.random.default_rng(1), folds=2)
    data = json.loads(
        json.dumps(Network(name="n", sharing=sharing, origin=sharing.origin).to_json())
    )
    for known in data["sharing"]["models"]:
        known.pop("undetermined")
        for quantity in (known["bandwidth"], *known["parameters"].values()):
            quantity.pop("bounds", None)
    for shape in data["sharing"]["measured"]:
        shape.pop("bounds", None)
    assert from_object(Network, data, "network.json").sharing is not None


def test_no_graph_file_raises_anything_else(tmp_path: Path) -> None:
    """Each field in turn is something that it should not be."""
    wrong: tuple[Any, ...] = (
        None,
        [],
        [[]],
        {},
        "x",
        -1,
        10**400,
        [[0]],
        [[[1.0]]],
        float("1e308"),
    )
    for field in ("graph", "edges", "m", "launch", "times_s", "alone_s", "start", "late_starts"):
        for value in wrong:
            path = written(tmp_path / "graphs.jsonl", lambda line: line.update({field: value}))  # noqa: B023
            try:
                read_graphs(path)
            except ContendError as error:
                assert len(str(error)) < 400
