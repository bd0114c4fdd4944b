"""What commands write over what is there: parts that are kept, pictures that are whole."""

import json
import resource
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from contend.api import studies
from contend.measure.study.files import StudyFiles
from contend.models.network import Network
from contend.samples import SampleStore, read_samples
from contend.schedules import algorithms
from support import networks
from support.synthesis import sample, save

PARTS = ("levels", "operations", "schedules")


@pytest.fixture
def schedules_file(tmp_path):
    """Times of two algorithms of a broadcast."""
    plogp = networks.plogp()
    sizes = [64, 1024, 16384, 65536]
    return save(
        [
            sample(m, n, [time], experiment="bcast", algorithm=name)
            for name in ("binomial", "flat")
            for n in (4, 8)
            for m, time in zip(
                sizes, algorithms("bcast").get(name).seconds(plogp, n, sizes), strict=True
            )
        ],
        tmp_path / "schedules.jsonl",
    )


def parts(path):
    data = json.loads(path.read_text())
    return {name: data.get(name) for name in PARTS}


@pytest.mark.parametrize("is_fit_first", [True, False])
def test_fit_and_fit_schedules_keep_what_the_other_found(
    contend, samples_file, schedules_file, tmp_path, is_fit_first
):
    path, samples = tmp_path / "network.json", samples_file()
    fit = [("fit", samples, "-o", path, "--at", "8"), ("validate", path, samples)]
    schedules = [("fit", "--schedules", schedules_file, "-o", path)]
    for words in [*fit, *schedules] if is_fit_first else [*schedules, *fit]:
        outcome = contend(*words)
        assert outcome.code == 0, outcome.err
    found = Network.load(path)
    assert found.operations[0].validation
    assert all(parts(path).values())
    assert len(found.all_origins) == 2
    before = parts(path)
    outcome = contend("fit", samples, "-o", path, "--at", "8")
    assert "replaced hockney (all), alltoall/native" in outcome.err
    assert "kept schedules of all operations, schedules of bcast" in outcome.err
    assert parts(path) == before  # the same fit again keeps its errors
    contend("fit", samples, "-o", path, "--at", "4")
    assert Network.load(path).operations[0].validation == {}
    assert Network.load(path).schedules == found.schedules


def test_a_study_that_goes_on_keeps_what_was_added_to_its_network(
    contend, quick_reports, samples_file, schedules_file, tmp_path
):
    files, chosen = StudyFiles(tmp_path), SimpleNamespace(n_fit=8, sizes=None)
    samples = read_samples(samples_file())
    studies.learn(samples, files, chosen, "mine")
    first = Network.load(files.network)
    contend("fit", "--schedules", schedules_file, "-o", files.network)
    other = save(renamed(samples, "alltoallv"), tmp_path / "other.jsonl")
    contend("fit", other, "-o", files.network, "--operation", "alltoallv")
    merged = studies.learn(samples, files, chosen, "mine")
    found = Network.load(files.network)
    assert found == merged.network
    assert found.schedules
    assert found.operations[0] == first.operations[0]
    assert [one.operation for one in found.operations] == ["alltoall", "alltoallv"]
    assert studies.publish(found, samples, files).exists()


def renamed(samples, operation):
    return [
        one.model_copy(update={"experiment": operation}) if one.experiment == "alltoall" else one
        for one in samples
    ]


def test_a_network_file_that_is_broken_is_left_as_it_is(contend, samples_file, tmp_path):
    path = tmp_path / "network.json"
    path.write_text('{"schema": "contend.network", "version": 1, "name": "mine"}')
    before = path.read_text()
    outcome = contend("fit", samples_file(), "-o", path)
    assert outcome.code != 0
    assert "was left as it is: move it away, or name another with -o" in outcome.err
    assert path.read_text() == before


def test_a_report_leaves_out_operations_of_other_samples(
    contend, quick_reports, samples_file, tmp_path
):
    path, other = tmp_path / "network.json", tmp_path / "other.jsonl"
    samples = samples_file()
    contend("fit", samples, "-o", path)
    text = samples.read_text().replace('"alltoall"', '"alltoallv"')
    other.write_text(text)
    contend("fit", other, "-o", path, "--operation", "alltoallv")
    assert len(Network.load(path).operations) == 2
    outcome = contend("report", path, samples, "-o", tmp_path / "report")
    assert outcome.code == 0, outcome.err
    text = (tmp_path / "report" / "report.html").read_text()
    assert "also holds alltoallv/native" in text


@pytest.fixture
def small_files():
    """Call it, and from then on no file can grow beyond 1000 bytes, as on a full disk."""
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, ignored)


PICTURES = [
    *(("draw", "bcast", "binomial", "-n", "8", "-o", f"x.{end}") for end in ("svg", "html", "png")),
    *(
        ("draw", "flows.csv", "--bandwidth", "1Gbit/s", "-o", f"x.{end}")
        for end in ("svg", "html", "png")
    ),
    ("draw", "lab:two-clusters", "-o", "x.svg"),
    ("report", "network.json", "samples.jsonl", "-o", "."),
    ("choose", "plogp.json", "bcast", "--plot", "-o", "x.svg"),
]


@pytest.mark.parametrize("words", PICTURES, ids=lambda words: " ".join(words[:2] + words[-1:]))
def test_a_picture_is_written_whole_or_not_at_all(
    contend, samples_file, small_files, tmp_path, monkeypatch, words
):
    monkeypatch.chdir(tmp_path)
    if words[0] == "report":
        contend("fit", samples_file(), "-o", "network.json")
    networks.write(tmp_path / "plogp.json", networks.plogp())
    (tmp_path / "flows.csv").write_text("src,dst,bytes\n0,1,1000\n0,2,1000\n")
    target = tmp_path / ("report.html" if words[0] == "report" else words[-1])
    target.write_text("old")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    small_files()
    contend(*words).fails("File too large")
    assert target.read_text() == "old"
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_second_run_with_equal_digits_is_added(contend, tmp_path):
    target = tmp_path / "samples.jsonl"
    words = ["--as", "experiment=alltoall,algorithm=native", "-o", target, "--json"]
    for name in ("first.csv", "second.csv"):
        (tmp_path / name).write_text("m,n,time\n64,4,1e-5\n1024,4,2e-5\n")
        assert contend("import", tmp_path / name, *words).json["new"] == 2
    placed = contend("import", tmp_path / "first.csv", "--ppn", "2", *words)
    assert placed.json["new"] == 2
    assert contend("import", tmp_path / "first.csv", *words).json["new"] == 0
    with SampleStore(Path(target)) as store:
        points = [sample.point for sample in store.existing()]
    assert len(set(points)) == len(points) == 6
