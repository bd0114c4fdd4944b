import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from contend.api import schemas
from contend.base.document import Quantity, read_document
from contend.base.errors import FileFormatError, InvalidInputError, StorageError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Level, Network, Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.signature import FittedForm
from contend.samples import Provenance, Sample, read_samples
from contend.samples.origin import Origin
from contend.samples.warnings import QualityWarning
from contend.schedules.pointtopoint import Hockney, PLogP
from support.synthesis import PROVENANCE, alltoall, pingpong, plogp, save

finite = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(0, 1e300)
seconds = st.just(0.0) | st.floats(1e-12, 1e9)
word = st.text(min_size=1, max_size=8)
sizes = st.integers(0, 2**40)


def maybe(strategy):
    return st.none() | strategy


def several(strategy, least=0):
    return st.lists(strategy, min_size=least, max_size=3).map(tuple)


times = several(seconds, 1).filter(any)
provenances = st.builds(
    Provenance,
    source=word,
    date=maybe(st.datetimes().map(lambda date: date.isoformat())),
    hosts=several(word),
    nodes=maybe(st.integers(1, 99)),
    is_oversubscribed=maybe(st.booleans()),
    clock_resolution=maybe(seconds),
    command=several(word),
)


def samples_of(repetitions):
    return st.builds(
        Sample,
        experiment=word,
        algorithm=word,
        n=st.integers(2, 2**20),
        processes_per_node=maybe(st.integers(1, 99)),
        m=sizes,
        launch=st.integers(0, 9),
        statistic=st.sampled_from(["repetition", "mean", "median", "minimum"]),
        times_s=st.just(repetitions),
        warmup_s=several(seconds),
        rank_times_s=maybe(st.tuples(*[several(seconds)] * len(repetitions))),
        start=st.sampled_from(["window", "barrier", "local", "unknown"]),
        late_starts=st.integers(0, 9),
        stopped=maybe(st.sampled_from(["precision", "max_repetitions", "max_seconds"])),
        interval_relative=maybe(positive),
        precision=maybe(st.floats(1e-9, 1)),
        provenance=provenances,
    )


samples = times.flatmap(samples_of)
units = st.sampled_from(["s", "B", "s/B", "1"])


def quantities_of(values):
    return st.builds(Quantity, value=values, unit=units, low=maybe(values), high=maybe(values))


def table_of(length, values=finite):
    return quantities_of(st.tuples(*[values] * length))


numbers = quantities_of(finite)
quantities = numbers | st.integers(1, 3).flatmap(table_of)
pairs = st.tuples(finite, finite)
lines = st.builds(
    Hockney,
    alpha=numbers,
    beta=numbers,
    covariance=maybe(st.tuples(pairs, pairs)),
    relative_residual=maybe(finite),
    sizes_seen=several(sizes),
)
doubts = st.builds(QualityWarning, kind=st.just("bimodal"), where=word, message=word, hint=word)


def tables_over(length):
    ascending = st.just(tuple(float(number) for number in range(length)))
    return st.builds(
        PLogP,
        latency=quantities_of(positive),
        size=st.builds(Quantity, value=ascending, unit=st.just("B")),
        gap=table_of(length, positive),
        send_overhead=table_of(length),
        receive_overhead=maybe(table_of(length)),
        method=st.sampled_from(["kielmann", "one_way"]),
        warnings=several(doubts),
    )


tables = st.integers(1, 3).flatmap(tables_over)
fits = st.builds(
    FittedForm,
    form=word,
    parameters=st.fixed_dictionaries({"gamma": numbers}, optional={"size": quantities}),
    covariance_of=st.just(("gamma",)),
    covariance=st.just(()) | st.tuples(st.tuples(finite)),
    relative_residual=positive,
    degrees_of_freedom=st.integers(0, 99),
    aic=maybe(finite),
    n_fitted=several(st.integers(2, 99), 1),
    m_fitted=several(sizes, 1),
)
errors = st.builds(
    ErrorSummary,
    regime=word,
    points=st.integers(1, 99),
    median=positive,
    percentile_90=positive,
    worst=positive,
    factor_90=st.floats(1, 1e9),
    factor_worst=st.floats(1, 1e9),
)
validated = st.builds(
    ValidatedForm,
    errors=several(errors, 1),
    n_seen=several(st.integers(2, 99), 1),
    m_seen=several(sizes, 1),
)
operations = st.builds(
    Operation,
    operation=word,
    algorithm=word,
    processes_per_node=maybe(st.integers(1, 99)),
    forms=st.dictionaries(word, fits, max_size=2),
    validation=st.dictionaries(word, validated, max_size=2),
)
origins = st.builds(
    Origin,
    contend_version=word,
    created=word,
    samples=word,
    samples_sha256=word,
    hosts=several(word),
)
networks = st.builds(
    Network,
    name=word,
    levels=several(st.builds(Level, name=word, hockney=maybe(lines), plogp=maybe(tables))),
    operations=several(operations),
    warnings=several(doubts),
    origin=origins,
)
KINDS = {Sample: ("samples", samples), Network: ("network", networks)}
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
# What no schema can say of several fields together.
RULES = (
    "every repetition took 0 s",
    "a time is 0 s, or ",
    "should be a date such as ",
    " is not within 0 and ",
    "rank_times_s of ",
    "a table of no values",
    "as many values as value",
    "is a table where one number is due",
    "does not ascend from 0 or more",
    " values where size has ",
    "which is no parameter",
    " is below 0 s",
    "the covariance of 1 parameters",
)
thorough = settings(max_examples=40, deadline=None)


def validator(kind):
    return Draft202012Validator(json.loads(schemas.generate(KINDS[kind][0])))


def read(kind, data):
    return read_document(kind, json.dumps(data), "here")


@kinds
@thorough
@given(data=st.data())
def test_what_is_written_is_read_back_equal_and_obeys_its_schema(kind, data):
    document = data.draw(KINDS[kind][1])
    written = json.loads(json.dumps(document.to_json(), allow_nan=False))
    assert read(kind, written) == document
    validator(kind).validate(written)
    assert list(written)[:2] == ["schema", "version"]


@pytest.mark.parametrize("name", schemas.FORMATS)
def test_the_published_schema_is_the_one_that_the_definition_gives(name):
    assert schemas.schema_text(name) == schemas.generate(name)
    Draft202012Validator.check_schema(json.loads(schemas.schema_text(name)))


def places(data, *path):
    """Paths to everything inside a JSON value."""
    inside = (
        list(data.items()) if isinstance(data, dict)
        else list(enumerate(data)) if isinstance(data, list)
        else []
    )  # fmt: skip
    return [found for key, part in inside for found in [(*path, key), *places(part, *path, key)]]


def mutated(data, draw):
    """The document with one part removed, added, or replaced by something of another kind."""
    result = copy.deepcopy(data)
    *way, last = draw.draw(st.sampled_from(places(result)))
    parent: Any = result
    for step in way:
        parent = parent[step]
    action = draw.draw(st.sampled_from(["remove", "add", "replace"]))
    if action == "remove":
        del parent[last]
    elif action == "add" and isinstance(parent, dict):
        parent["colour"] = "red"
    else:
        parent[last] = draw.draw(st.sampled_from([None, -1, 0.5, "text", [], {}, [[]], [-1]]))
    return result


@kinds
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_mutated_document_is_read_just_when_the_schema_allows_it(kind, data):
    document = mutated(data.draw(KINDS[kind][1]).to_json(), data)
    problems = list(validator(kind).iter_errors(document))
    try:
        assert read(kind, document).to_json()["schema"] == kind.schema_name
    except FileFormatError as error:
        assert str(error).startswith("here")
        assert error.remedy
        assert problems or any(rule in str(error) for rule in RULES)
    else:
        assert not problems


@pytest.mark.parametrize("field", ["gamma", "aic"])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_finite_are_not_read(fitted, field, number):
    _, path = fitted
    data = json.loads(path.read_text())
    signature = data["operations"][0]["forms"]["hockney_2007"]
    if field == "aic":
        signature["aic"] = float(number)
    else:
        signature["parameters"]["gamma"]["value"] = float(number)
    path.write_text(json.dumps(data))
    with pytest.raises(FileFormatError, match="finite number"):
        Network.load(path)


@pytest.fixture
def fitted(tmp_path):
    """A network with point-to-point parameters and every form, saved."""
    truth = (lambda m: 5e-6 + 1e-9 * m), (lambda m: 2e-6 + 5e-10 * m, lambda m: 3e-6 + 5e-10 * m)
    measured = [
        *alltoall((4, 8), lambda n, m: (n - 1) * (2e-5 + 3e-9 * m)),
        *pingpong(1e-5, 1e-9),
        *plogp(1e-5, *truth),
    ]
    source = save(measured, tmp_path / "samples.jsonl")
    network = fit_network(read_samples(source), source, FitOptions())
    network.save(tmp_path / "network.json")
    return network, tmp_path / "network.json"


def test_a_fitted_network_is_loaded_equal_and_says_where_its_samples_come_from(fitted):
    network, path = fitted
    assert Network.load(path) == network
    validator(Network).validate(json.loads(path.read_text()))
    assert network.origin.samples == "samples.jsonl"
    assert network.origin.sources == (PROVENANCE.source,)
    assert len(network.origin.samples_sha256) == 64


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "contend.samples", "version": 1}'])
def test_another_file_is_no_network(tmp_path, text):
    path = tmp_path / "network.json"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=r"network\.json"):
        Network.load(path)
    with pytest.raises(FileFormatError, match=r"there is no file .*; name a network file"):
        Network.load(tmp_path / "absent")
    with pytest.raises(FileFormatError, match="cannot read"):
        Network.load(tmp_path)


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(fitted, monkeypatch):
    network, path = fitted
    before = sorted(path.parent.iterdir()), path.read_text()

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError, match="No space left on device"):
        network.model_copy(update={"name": "other"}).save(path)
    assert (sorted(path.parent.iterdir()), path.read_text()) == before


def test_an_operation_is_found_by_as_much_as_tells_it_apart():
    known = [("alltoall", "native", 1), ("alltoall", "native", 4), ("alltoall", "ring", 1)]
    network = Network(
        name="net",
        operations=tuple(
            Operation(operation=operation, algorithm=algorithm, processes_per_node=placed, forms={})
            for operation, algorithm, placed in known
        ),
        origin=Origin(contend_version="0", created="", samples="", samples_sha256=""),
    )
    assert network.find("alltoall", "ring").processes_per_node == 1
    assert network.find("alltoall", processes_per_node=1).algorithm == "native"
    assert network.find("alltoall", "native", 4) == network.operations[1]
    for question in [("alltoall",), ("bcast",), ("alltoall", "native"), ("alltoall", "ring", 4)]:
        with pytest.raises(InvalidInputError, match="there is: alltoall/native, 1 per node; "):
            network.find(*question)


def test_a_quantity_is_a_number_or_a_table():
    table = Quantity(value=(1.0, 2.0), unit="s")
    assert table.array.tolist() == [1.0, 2.0]
    assert Quantity(value=3.0, unit="s").array.tolist() == [3.0]
    with pytest.raises(TypeError, match="not one number"):
        float(table)
