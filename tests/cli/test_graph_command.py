"""Contention graphs from the command line."""

import json

import pytest

GRAPH_A = "src,dst,bytes\nS,X,20MiB\nS,Y,20MiB\nC,X,20MiB\nD,X,20MiB\nE,Y,20MiB\n"
BANDWIDTH = "1.95886GB/s"


@pytest.fixture
def flows(tmp_path):
    def write(text=GRAPH_A, name="flows.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_the_end_of_each_message_is_that_of_the_model(contend, flows):
    words = ("solve", flows(), "--bandwidth", BANDWIDTH, "--json", "--steps")
    found = contend(*words, "--model", "infiniband-residual").json
    ends = [flow["end"] for flow in found["flows"]]
    assert ends == pytest.approx([0.036579, 0.036579, 0.027657, 0.027657, 0.013382], rel=1e-4)
    first = [step["penalty"] for step in found["steps"] if step["step"] == 0]
    assert first == pytest.approx([5, 5, 2.5, 2.5, 1.25])


def test_max_min_is_the_model_of_a_switch_unless_another_is_named(contend, flows):
    found = contend("solve", flows(), "--bandwidth", "8bit/s", "--json").json
    assert found["model"] == "maxmin"
    assert found["flows"][0]["end"] == pytest.approx(3 * 20 * 2**20)


def test_a_table_names_messages_and_steps(contend, flows):
    contend("solve", flows(), "--bandwidth", BANDWIDTH, "--steps").prints("20 MiB", "1: S to X")


def test_json_may_be_a_list_of_objects_with_other_names_and_times(contend, flows):
    content = [
        {"source": 0, "destination": 1, "size": "1kB", "start": "1s", "latency": "500ms"},
        {"source": "2", "destination": 1, "size": 1000, "start": 10, "latency": 0},
    ]
    path = flows(json.dumps(content), "flows.json")
    found = contend("solve", path, "--bandwidth", "1kB/s", "--json").json
    assert [flow["end"] for flow in found["flows"]] == pytest.approx([2.5, 11.0])


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "f.csv", "is empty"),
        ("src,dst\na,b\n", "f.csv", "no column 'bytes'"),
        ("src,dst,bytes\n", "f.csv", "no flow"),
        ("src,dst,bytes\na,b,lots\n", "f.csv", "bytes of flow 1 is 'lots'"),
        ("src,dst,bytes\na,,8\n", "f.csv", "dst of flow 1 is ''"),
        ("src,dst,bytes\na,b,8\na,a,8\n", "f.csv", "flow 2 goes from 'a' to itself"),
        ("src,dst,bytes\na,b,-8\n", "f.csv", "bytes of flow 1 is '-8'"),
        ("src,dst,bytes\na,b,nan\n", "f.csv", "bytes of flow 1 is 'nan'"),
        ("src,dst,bytes\na,b,inf\n", "f.csv", "bytes of flow 1 is 'inf'"),
        ("src,dst,bytes,colour\na,b,8,red\n", "f.csv", "a column 'colour'"),
        ("{", "f.json", "cannot be read"),
        ('{"src": 1}', "f.json", "cannot be read"),
        ("[]", "f.json", "no column 'src'"),
        ('[{"src": true, "dst": [1], "bytes": 8}]', "f.json", "src of flow 1 is True"),
        ('[{"src": "a", "dst": "b", "bytes": null}]', "f.json", "bytes of flow 1"),
    ],
)
def test_bad_flows_are_an_error_with_a_remedy(contend, flows, text, name, said):
    contend("solve", flows(text, name), "--bandwidth", "1Gbit/s").fails(said, "what to do:")


def test_an_unknown_model_or_bandwidth_is_refused(contend, flows):
    assert contend("solve", flows(), "--bandwidth", "8bit/s", "--model", "x").code == 1
    assert "is not a rate" in contend("solve", flows(), "--bandwidth", "fast").err


def test_a_topology_may_be_a_word_or_a_file(contend, flows, tmp_path):
    path = flows("0 2 10\n1 3 10\n", "f.txt")
    words = ("solve", path, "--json", "--topology")
    found = contend(*words, "fat-tree:2x2:2", "--bandwidth", "80bit/s").json
    assert [flow["end"] for flow in found["flows"]] == pytest.approx([2.0, 2.0])
    switch = {"hosts": ["p", "q", "r", "s"], "bandwidth": 10}
    file = tmp_path / "switch.json"
    file.write_text(json.dumps({"schema": "contend.topology", "version": 1, "switch": switch}))
    found = contend(*words, file).json
    assert [flow["end"] for flow in found["flows"]] == pytest.approx([1.0, 1.0])


def test_a_bandwidth_or_topology_and_a_file_must_be_there(contend, flows):
    assert "give --bandwidth" in contend("solve", flows()).err
    missing = contend("solve", "no-such.csv", "--bandwidth", "1Gbit/s")
    assert "name a file that exists" in missing.err


@pytest.fixture
def into_one(flows):
    """100 messages into one host, each 0.1 % larger than the one before."""
    rows = "".join(f"{source},hub,{1000 + source}\n" for source in range(100))
    return flows("src,dst,bytes\n" + rows)


def test_ends_are_within_a_tolerance(contend, into_one, tmp_path):
    words = ("solve", into_one, "--bandwidth", "8bit/s", "--json")
    exact, merged = (
        [flow["end"] for flow in contend(*words, *more).json["flows"]]
        for more in ((), ("--tolerance", "0.01"))
    )
    assert merged != exact
    assert merged == pytest.approx(exact, rel=0.01)
    network = ("--network", tmp_path / "n.json", "--tolerance", "0.01")
    contend("solve", into_one, *network).fails("a fitted network is solved exactly")
    assert contend(*words, "--tolerance", "0.2").code == 2


def test_a_topology_has_a_routing_and_its_seed(contend, flows):
    path = flows("src,dst,bytes\n0,15,100\n1,14,100\n2,13,100\n3,12,100\n")
    words = ("solve", path, "--bandwidth", "100B/s", "--json", "--topology")

    def ends(word):
        return tuple(flow["end"] for flow in contend(*words, word).json["flows"])

    assert len({ends(f"k-ary:4@random:{seed}") for seed in range(4)}) > 1
    assert ends("k-ary:4@random:1") == ends("k-ary:4@random:1")
    assert ends("k-ary:4@d-mod-k") == (1.0,) * 4
    contend(*words, "torus:4x4@valiant").fails("has no detours", "random")
