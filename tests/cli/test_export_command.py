"""contend export: every format by its command, and what it refuses."""

import pytest

from contend.export import FORMATS
from contend.export.format import NetworkFormat
from contend.programs.replay import LogGOPS
from contend.samples import read_samples
from support import networks
from support.networks import by_loggops, network


@pytest.fixture
def files(tmp_path, samples_file):
    """A samples file, and a network file with hosts, overheads and an operation."""
    return {"samples": samples_file(), "network": tmp_path / "network.json"}


@pytest.fixture
def fitted(contend, files):
    """The same, after a fit and with pLogP parameters of a law that is known."""
    contend("fit", files["samples"], "--at", 8, "-o", files["network"])
    law = LogGOPS(L=5e-5, o=1e-6, g=2e-5, G=8e-8, O=1e-9, S=16384)
    network(by_loggops(law)).merge_into(files["network"])
    return files


def test_help_names_every_format(contend):
    text = " ".join(contend("export", "--help").out.split())
    assert all(name in text for name in FORMATS.names())


@pytest.mark.parametrize("name", FORMATS.names())
def test_what_is_written_is_what_is_shown_and_may_be_replaced(contend, fitted, tmp_path, name):
    of_network = isinstance(FORMATS.get(name), NetworkFormat)
    words = (name, fitted["network" if of_network else "samples"])
    if name == "extrap":
        words = (*words, "--operation", "alltoall")
    out = tmp_path / "written"
    for _ in range(2):
        outcome = contend("export", *words, "-o", out)
        assert outcome.code == 0, outcome.err
    shown = contend("export", *words)
    assert shown.out.rstrip("\n") == out.read_text().rstrip("\n")
    told = contend("export", *words, "--json").json
    assert told["format"] == name
    assert told["text"] == out.read_text()
    for behind, text in told["beside"].items():
        assert (tmp_path / f"written{behind}").read_text() == text


@pytest.mark.parametrize("name", FORMATS.names())
def test_the_example_of_each_format_runs(contend, fitted, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    outcome = contend("export", name, *FORMATS.get(name).example.split())
    assert outcome.code == 0, outcome.err
    assert (tmp_path / FORMATS.get(name).example.split()[-1]).is_file()


def test_csv_comes_back_by_import(contend, files, tmp_path):
    table, again = tmp_path / "samples.csv", tmp_path / "again.jsonl"
    assert contend("export", "csv", files["samples"], "-o", table).code == 0
    assert contend("import", table, "-o", again).code == 0

    def without_checksum(sample):
        told = sample.provenance.model_copy(update={"file_sha256": None})
        return sample.model_copy(update={"provenance": told})

    assert list(map(without_checksum, read_samples(again))) == read_samples(files["samples"])
    assert "there already" in contend("import", table, "-o", again).err


def test_the_commands_told_at_the_end_name_the_file(contend, fitted, tmp_path):
    out = tmp_path / "with blank.xml"
    outcome = contend("export", "simgrid", fitted["network"], "--hosts", 4, "-o", out)
    assert f"smpirun $(cat '{out}'.smpi) -platform '{out}' -np 4" in outcome.err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("nothing", "SAMPLES"), "no format of other tools is named 'nothing'"),
        (("csv", "NETWORK"), "is a network file, and a samples file is due"),
        (("loggops", "SAMPLES"), "is a samples file, and a network file is due"),
        (("csv", "SAMPLES", "--hosts", "4"), "csv has no use for --hosts"),
        (("csv", "SAMPLES", "--hosts", "4"), "as in: contend export csv samples.jsonl -o"),
        (("csv", "SAMPLES", "-m", "4"), "csv has no use for -m"),
        (("extrap", "SAMPLES", "--operation", "bcast"), "no sample of what is asked for"),
        (("csv", "SAMPLES", "-o", "NETWORK"), "exists and is no csv file"),
        (("csv", "MISSING"), "there is no file"),
        (("simgrid", "NETWORK", "--topology", "ring"), "is no topology"),
    ],
)
def test_what_is_refused_says_why(contend, files, tmp_path, words, problem):
    networks.write(files["network"], networks.plogp())
    before = files["network"].read_bytes()
    places = {
        "SAMPLES": files["samples"], "NETWORK": files["network"], "MISSING": tmp_path / "missing"
    }  # fmt: skip
    contend("export", *(places.get(word, word) for word in words)).fails(problem)
    assert files["network"].read_bytes() == before
