"""Every collective operation, from samples to a report, by the commands."""

import numpy as np
import pytest

from contend.models.network import Network
from contend.models.signature import EXCHANGES
from contend.samples import Provenance, Sample, SampleStore
from contend.schedules import COLLECTIVES

ALPHA, BETA = 2e-6, 1e-9
SIZES = [64, 1024, 16384, 262144]
BYTES = {  # that pass one after another, and start-ups
    "alltoall": lambda n: (n - 1, n - 1),
    "alltoallv": lambda n: (n - 1, n - 1),
    "allgather": lambda n: (n - 1, n - 1),
    "gather": lambda n: (n - 1, np.log2(n)),
    "scatter": lambda n: (n - 1, np.log2(n)),
    "reduce_scatter": lambda n: (n - 1, np.log2(n)),
    "bcast": lambda n: (np.log2(n), np.log2(n)),
    "reduce": lambda n: (np.log2(n), np.log2(n)),
    "allreduce": lambda n: (2 * (n - 1) / n, 2 * np.log2(n)),
    "barrier": lambda n: (0, np.log2(n)),
}


def samples_of(operation, path, counts=(4, 8, 16), sizes=SIZES):
    noise, found = np.random.default_rng(2), []
    for n in counts:
        for m in sizes if operation != "barrier" else [0]:
            volume, startups = BYTES[operation](n)
            seconds = startups * ALPHA + volume * m * BETA
            found.append(
                Sample(
                    experiment=operation, algorithm="native", n=n, processes_per_node=1, m=m,
                    times_s=tuple((seconds * noise.normal(1, 0.01, 5)).tolist()),
                    provenance=Provenance(source="test"),
                )
            )  # fmt: skip
    with SampleStore(path) as store:
        store.extend(found)
    return path


@pytest.mark.parametrize("operation", COLLECTIVES)
def test_an_operation_goes_all_the_way_to_a_report(contend, quick_reports, tmp_path, operation):
    samples, network = samples_of(operation, tmp_path / "s.jsonl"), tmp_path / "n.json"
    outcome = contend("fit", samples, "--operation", operation, "--at", 8, "-o", network)
    assert outcome.code == 0, outcome.err
    known = Network.load(network).find(operation)
    assert ("hockney_2007" in known.forms) == (operation in EXCHANGES)
    size = ("-m", "0") if operation == "barrier" else ("-m", "16KiB")
    rows = contend("predict", network, operation, "-n", "16,64", *size, "--json").json
    volume, startups = BYTES[operation](64)
    truth = startups * ALPHA + volume * BETA * (16384 if operation != "barrier" else 0)
    assert rows[1]["low"] < truth < rows[1]["high"]
    assert rows[1]["seconds"] == pytest.approx(truth, rel=0.5)
    assert contend("validate", network, samples).code == 0
    assert Network.load(network).find(operation).validation
    assert contend("report", network, samples, "-o", tmp_path / "r").code == 0
    page = (tmp_path / "r" / "report.html").read_text()
    assert f"{operation}/native" in page
    assert "Every form on unseen points" in page


def test_without_being_named_the_only_operation_of_a_file_is_fitted(contend, tmp_path):
    samples, network = samples_of("scatter", tmp_path / "s.jsonl"), tmp_path / "n.json"
    assert contend("fit", samples, "-o", network).code == 0
    assert Network.load(network).find("scatter").forms


def test_of_several_operations_the_warning_names_those_to_choose_from(contend, tmp_path):
    path = tmp_path / "s.jsonl"
    for operation in ("scatter", "gather"):
        samples_of(operation, path)
    with SampleStore(path) as store:
        store.extend(
            Sample(
                experiment="pingpong", algorithm="half_round_trip", n=2, m=m,
                times_s=(ALPHA + BETA * m,), provenance=Provenance(source="test"),
            )
            for m in SIZES
        )  # fmt: skip
    outcome = contend("fit", path, "-o", tmp_path / "n.json")
    assert outcome.code == 0
    assert "no sample of alltoall: the file holds gather, scatter" in outcome.err
    assert "--operation" in outcome.err


def test_a_barrier_is_predicted_without_a_size(contend, tmp_path):
    samples, network = samples_of("barrier", tmp_path / "s.jsonl"), tmp_path / "n.json"
    contend("fit", samples, "-o", network)
    (row,) = contend("predict", network, "barrier", "-n", 64, "--json").json
    assert row["seconds"] == pytest.approx(6 * ALPHA, rel=0.1)


def test_operations_stand_side_by_side_in_a_file(contend, tmp_path):
    network = tmp_path / "n.json"
    for operation in ("bcast", "gather"):
        contend("fit", samples_of(operation, tmp_path / f"{operation}.jsonl"), "-o", network)
    titles = [one.title for one in Network.load(network).operations]
    assert titles == ["bcast/native, 1 per node", "gather/native, 1 per node"]


def test_few_sizes_are_fitted_with_one_line_on_what_is_missing(contend, tmp_path):
    samples = samples_of("alltoall", tmp_path / "s.jsonl", sizes=SIZES[:2])
    outcome = contend("fit", samples, "-o", tmp_path / "n.json")
    assert outcome.code == 0
    assert outcome.err.count("which is too few for") == 1
    rows = contend("predict", tmp_path / "n.json", "-n", 64, "-m", 1024, "--json").json
    assert rows[0]["form"] == "growth"


def test_a_second_network_is_for_exchanges_alone(contend, tmp_path):
    network = tmp_path / "n.json"
    contend("fit", samples_of("bcast", tmp_path / "s.jsonl"), "-o", network)
    outcome = contend(
        "predict", network, "bcast", "-n", 8, "-m", 1024, "--join",
        f"network={network},processes=8,alpha=1ms,beta=1GB/s",
    )  # fmt: skip
    assert outcome.code != 0
    assert "describes an all-to-all, which bcast is not" in outcome.err


def test_what_was_not_fitted_of_a_file_is_said(contend, tmp_path):
    samples = tmp_path / "samples.jsonl"
    for operation in ("alltoall", "bcast", "reduce"):
        samples_of(operation, samples)
    first = contend("fit", samples, "-o", tmp_path / "network.json")
    assert (
        f"{samples} holds bcast, reduce too: contend fit {samples} --operation bcast" in first.err
    )
    named = contend("fit", samples, "--operation", "bcast", "-o", tmp_path / "network.json")
    assert "too:" not in named.err


def test_operations_are_named_as_in_mpi_and_near_names_are_proposed(contend, tmp_path):
    samples_of("bcast", tmp_path / "s.jsonl")
    network = tmp_path / "network.json"
    fitted = contend("fit", tmp_path / "s.jsonl", "--operation", "MPI_Bcast", "-o", network)
    assert fitted.code == 0
    assert contend("predict", network, "MPI_Bcast", "-n", 8, "-m", "1KiB").code == 0
    assert contend("list", "algorithms", "MPI_Bcast").code == 0
    for words, near in (
        (("predict", network, "bcst", "-n", 8, "-m", 64), "bcast"),
        (("list", "algorithms", "alltoal"), "alltoall"),
        (("list", "formz"), "forms"),
        (("lab", "lossles", "--", "true"), "lossless"),
        (("draw", "bcast", "binomal"), "binomial"),
    ):
        assert f"did you mean '{near}'?" in contend(*words).err
