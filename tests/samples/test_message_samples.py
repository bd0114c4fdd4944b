"""Measured messages: what a record has to say, and files of the formats that they once had."""

import json

import pytest

from contend.base.errors import FileFormatError
from contend.base.records import RecordStore, TornLineWarning
from contend.samples.messages import OF_LINKS, MessageSample, read_messages
from contend.simulate.graphs.measurements import read_graphs

COMMON = {"version": 1, "m": 1024, "launch": 2, "provenance": {"source": "contend 0"}}
GRAPH = {
    "schema": "contend.graphs", **COMMON, "graph": "fan", "edges": [[0, 1], [0, 2]],
    "ends_s": [[0.5, 0.25]], "alone_s": [0.125], "start": "window", "late_starts": 1,
}  # fmt: skip
PAIRS = {
    "schema": "contend.pairs", **COMMON, "hosts": ["a", "b", "c", "d"], "pairs": [[0, 3], [1, 2]],
    "one_way_s": [[0.5, 0.25]],
}  # fmt: skip
LINK = {
    "schema": "contend.links", **COMMON, "level": "site", "experiment": "burst", "source": "x",
    "destination": "y", "hosts": ["a", "b", "c"], "groups": ["x", "y", "y"],
    "edges": [[0, 1], [0, 2]], "times_s": [[0.5, 0.25]],
}  # fmt: skip
FORMER = {"graph": GRAPH, "round": PAIRS, "burst": LINK}


def written(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("experiment", FORMER)
def test_a_file_of_a_former_format_is_read_and_continued(experiment, tmp_path):
    line = FORMER[experiment]
    path = written(tmp_path / "old.jsonl", line)
    (sample,) = read_messages(path, [experiment])
    assert sample.experiment == experiment and sample.launch == 2 and sample.m == 1024
    assert sample.edges == tuple(map(tuple, line.get("edges") or line["pairs"]))
    assert sample.times.tolist() == [[0.5, 0.25]]
    text = json.dumps(line, separators=(",", ":"))
    for torn in (7, 30, len(text) // 2):
        with path.open("a") as file:
            file.write(text[:torn])
        with pytest.warns(TornLineWarning), RecordStore(MessageSample, path) as store:
            assert store.existing() == [sample]
    with RecordStore(MessageSample, path) as store:
        store.append(sample)
    assert read_messages(path, [experiment]) == [sample, sample]
    assert json.loads(path.read_text().splitlines()[1])["schema"] == "contend.messages"


def test_fields_of_an_old_graph_are_kept_and_none_added(tmp_path):
    (sample,) = read_graphs(written(tmp_path / "old.jsonl", GRAPH))
    assert (sample.graph, sample.alone_s, sample.start, sample.late_starts) == (
        "fan", (0.125,), "window", 1,
    )  # fmt: skip
    assert sample.to_json().keys().isdisjoint({"level", "source", "hosts", "groups"})


@pytest.mark.parametrize(
    ("experiment", "change", "rule"),
    [
        ("graph", {"graph": ""}, "a graph has a name"),
        ("graph", {"m": 0}, "messages of 1 b or more"),
        ("graph", {"edges": [[0, 0], [0, 2]]}, "is no message"),
        ("round", {"hosts": []}, "hosts"),
        ("round", {"pairs": [[0, 1], [1, 2]]}, "in two pairs"),
        ("round", {"hosts": ["a", "a", "c", "d"]}, "have one name"),
        ("round", {"pairs": [[0, 1], [2, 4]]}, "is no message"),
        ("burst", {"level": ""}, "has a level"),
        ("burst", {"groups": ["x", "y"]}, "groups of 2 ranks, and 3"),
        ("burst", {"groups": ["x", "y", "x"]}, "does not go x > y"),
        ("burst", {"times_s": [[0.5]]}, "repetition 0 has 1 times for 2 messages"),
        ("burst", {"times_s": [[0.5, 0.0]]}, "took 0 s"),
    ],
)
def test_what_cannot_be_is_refused(experiment, change, rule, tmp_path):
    path = written(tmp_path / "bad.jsonl", FORMER[experiment], FORMER[experiment] | change)
    with pytest.raises(FileFormatError, match=f"line 2: .*{rule}"):
        read_messages(path, [experiment])


def test_another_experiment_is_named_with_what_measures_the_one_that_is_due(tmp_path):
    path = written(tmp_path / "links.jsonl", LINK)
    with pytest.raises(FileFormatError, match=r"a measured link.*graph is due.*measure messages"):
        read_graphs(path)
    with pytest.raises(FileFormatError, match=r"graph, and a measured link is due.*measure links"):
        read_messages(written(tmp_path / "g.jsonl", GRAPH), OF_LINKS)


@pytest.mark.parametrize(("late", "is_flagged"), [(0, False), (1, False), (2, True)])
def test_a_round_that_mostly_began_late_is_flagged(late, is_flagged, tmp_path):
    data = PAIRS | {"one_way_s": [[0.5, 0.25]] * 3, "late_starts": late}
    (sample,) = read_messages(written(tmp_path / "old.jsonl", data), ["round"])
    assert sample.is_flagged is is_flagged
