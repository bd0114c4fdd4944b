"""Values that nothing can have: in files and arguments, each ends in an error that names it."""

import json

import numpy as np
import pandas as pd
import pytest

import contend
from contend.api.samples import Samples
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import csv_rows
from contend.base.units import parse_bytes, parse_counts, parse_seconds, seconds_per_byte_at
from contend.measure.probes.cost import launch_seconds
from contend.models.network import Network
from contend.samples import read_samples
from contend.samples.reader import READERS, ReadOptions
from contend.schedules import COLLECTIVES, choosable
from support.networks import parameters
from support.synthesis import alltoall, pingpong, sample

FLOWS = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}


@pytest.fixture(scope="module")
def samples():
    return Samples([
        *pingpong(1e-5, 1e-9), *alltoall((4, 8, 16), lambda n, m: (n - 1) * (1e-5 + 2e-9 * m)),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 2**31), ("n", 1.5), ("m", 2**63), ("m", -1), ("launch", 2**40),
        ("processes_per_node", 0), ("times_s", [1e-300] * 3), ("times_s", [1e300]),
        ("times_s", [-1.0]), ("times_s", [float("nan")]), ("times_s", []), ("algorithm", None),
        ("conditions", {"memory": 3}), ("provenance.date", "yesterday"),
        ("provenance.date", "2024-13-01"), ("provenance.time_dilation", 0),
        ("provenance.time_dilation", 1e7), ("interval_relative", float("inf")),
        ("times_s", [1.0, 1e-300]), ("rank_times_s", []),
    ],
)  # fmt: skip
def test_a_sample_of_such_a_value_is_refused_by_name(tmp_path, field, value):
    data = sample().to_json()
    part, _, name = field.rpartition(".")
    (data[part] if part else data)[name] = value
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(data) + "\n")
    with pytest.raises(FileFormatError, match=name) as caught:
        read_samples(path)
    assert "line 1" in caught.value.message


def test_dates_with_and_without_a_time_zone_are_in_one_order():
    provenance = {"source": "planted", "command": ("x",)}
    dates = [f"2024-01-01T00:0{minute}:00{zone}" for minute, zone in enumerate(["", "+00:00"] * 3)]
    taken = [sample(provenance=provenance | {"date": date}) for date in dates]
    assert launch_seconds(taken) == pytest.approx(60, rel=0.05)


@pytest.mark.parametrize(("column", "value"), [("seconds", -1.0), ("n", 1), ("m", -1)])
def test_a_network_of_such_a_point_is_refused_by_name(samples, tmp_path, column, value):
    path = tmp_path / "network.json"
    contend.fit(samples).save(path)
    data = json.loads(path.read_text())
    data["operations"][0]["measured"][column][0] = value
    path.write_text(json.dumps(data))
    with pytest.raises(FileFormatError, match=f"measured.{column}.0"):
        Network.load(path)


def test_a_cell_of_any_length_is_read(tmp_path):
    assert [row for _, row in csv_rows(["a,b\n", "1," + "x" * 200_000])][1][1] == "x" * 200_000
    with pytest.raises(FileFormatError, match="line 2"):
        list(csv_rows(["a\n", '"1"2\n'], strict=True))
    table = tmp_path / "table.csv"
    table.write_text(f"m,time,note\n8,1e-6,{'x' * 200_000}\n")
    options = ReadOptions(
        experiment="alltoall", algorithm="native", n=4, columns={"m": "m", "time": "time"}
    )
    (found,) = READERS.get("csv_columns").read(table, options)
    assert found.times_s == (1e-6,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("topology", None), ("topology", 3), ("topology", "a\0b"), ("hosts", 1.5),
        ("hosts", [None]), ("hosts", "ab"), ("hosts", 2**40), ("hosts", ["a", "a"]),
        ("bandwidth", []), ("bandwidth", b"1"), ("model", None), ("parameters", 1.5),
        ("tolerance", "x"), ("tolerance", float("nan")),
    ],
)  # fmt: skip
def test_an_argument_of_solve_is_checked(name, value):
    with pytest.raises(InvalidInputError, match=name):
        contend.solve(FLOWS, **{name: value})


def test_flows_are_a_table_with_hosts():
    for flows in (None, 3, "src", [None], np.array([1])):
        with pytest.raises(InvalidInputError, match="src, dst, bytes"):
            contend.solve(flows)
    with pytest.raises(InvalidInputError, match="src lacks a host"):
        contend.solve(FLOWS | {"src": [None, 0]})
    for threads in (1.5, "x", [1]):
        with pytest.raises(InvalidInputError, match="threads"):
            contend.solve_many([FLOWS], threads=threads)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("at", "8"), ("at", True), ("second", [1]), ("operation", None), ("alpha", [1]),
        ("alpha", float("inf")), ("name", None), ("samples", None), ("samples", [3]),
    ],
)  # fmt: skip
def test_an_argument_of_fit_is_checked(samples, name, value):
    given = {"samples": samples, "alpha": 1e-6, "beta": 1e-9} | {name: value}
    with pytest.raises(InvalidInputError, match=name):
        contend.fit(**given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 10**30), ("n", ""), ("n", True), ("m", -1), ("m", 10**30), ("m", [1.5]),
        ("operation", 3), ("algorithm", []), ("processes_per_node", 1.5), ("form", 3),
        ("groups", 3), ("ports", None),
    ],
)  # fmt: skip
def test_an_argument_of_predict_is_checked(samples, name, value):
    given = {"operation": "alltoall", "n": 8, "m": 64} | {name: value}
    with pytest.raises(InvalidInputError):
        contend.fit(samples).predict(**given)


def test_files_and_tables_are_such():
    for value in (None, 3, "a\0b", [1]):
        for read in (contend.read_samples, contend.read_network):
            with pytest.raises(InvalidInputError, match="path"):
                read(value)
    with pytest.raises(InvalidInputError, match="no table"):
        Samples.from_frame({"n": [4]})
    frame = pd.DataFrame({"experiment": ["a"], "n": [4], "m": [[8]], "seconds": [1.0]})
    with pytest.raises(InvalidInputError, match="'m'"):
        Samples.from_frame(frame)


def test_sizes_of_a_table_ascend_from_zero():
    for sizes in ((-1.0, 1.0), (1.0, 1.0), (2.0, 1.0)):
        with pytest.raises(ValueError, match="does not ascend from 0 or more"):
            parameters(1e-6, sizes, (1e-6, 1.1e-6))


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_seconds, "-1e30"), (parse_bytes, str(2**62 + 1)), (parse_bytes, "-1"),
        (parse_counts, "2-60000,100000-160000"), (parse_counts, str(2**31)),
        (seconds_per_byte_at, "0Gbit/s"),
    ],
)  # fmt: skip
def test_a_text_of_such_a_value_is_refused(parse, text):
    with pytest.raises(InvalidInputError) as caught:
        parse(text)
    assert caught.value.remedy


def test_no_closed_form_takes_memory_for_each_rank():
    net = parameters(1e-6, (0.0, 1.0), (1e-6, 1.001e-6))
    for operation in COLLECTIVES:
        for algorithm in choosable(operation, None):
            for n in (2**30, 2**31 - 1):
                if not algorithm.restriction(n):
                    assert algorithm.uniform_seconds(net, n, np.array([64]))[0] > 0
