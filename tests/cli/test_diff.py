"""contend diff: what it shows, what its exit code says, and what it refuses."""

import json

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.cli.pairs import parse_limit
from contend.samples import SampleStore
from support import synthesis
from support.synthesis import sample

SIZES = (64, 1024, 16384, 262144)
OSU = """# OSU MPI All-to-All Personalized Exchange Latency Test v7.4
# Size       Avg Latency(us)
{rows}
"""


@pytest.fixture
def campaign(tmp_path):
    def write(name, seed, slow=1.0, launches=3, counts=(4, 8)):
        rng, path = np.random.default_rng(seed), tmp_path / name
        with SampleStore(path) as store:
            store.extend(
                sample(m, n, tuple(1e-6 * (n + m) * (slow if m > 9999 else 1.0)
                                   * np.exp(0.01 * rng.standard_normal(5))),
                       launch=launch, processes_per_node=1)
                for launch in range(launches) for n in counts for m in SIZES
            )  # fmt: skip
        return path

    return write


def test_the_exit_code_tells_whether_something_is_surely_worse(contend, campaign):
    old, same, slow = campaign("a", 1), campaign("b", 2), campaign("c", 3, slow=1.3)
    assert contend("diff", old, same, "--fail-on", "10%").code == 0
    outcome = contend("diff", old, slow, "--fail-on", "10%")
    assert outcome.code == 1
    assert "worse, beyond the limit" in outcome.out
    assert contend("diff", old, slow, "--fail-on", "60%").code == 0
    assert contend("diff", slow, old, "--fail-on", "10%").code == 0
    assert contend("diff", old, slow).code == 0


def test_what_matters_most_comes_first_and_the_rest_is_counted(contend, campaign):
    outcome = contend("diff", campaign("a", 1), campaign("c", 3, slow=1.3), "--fail-on", "10%")
    lines = [line for line in outcome.out.splitlines() if "alltoall/native" in line]
    is_worse = ["beyond" in line for line in lines]
    assert is_worse == sorted(is_worse, reverse=True) and sum(is_worse) >= 4
    assert "10 compared, 10 judged" in outcome.out
    assert "Before correction for 10 comparisons" in outcome.out
    assert "leave 1 out; 0 would by chance" in outcome.out or "1 would by chance" in outcome.out


def test_json_holds_every_row_and_what_is_in_one_file_alone(contend, campaign):
    found = contend("diff", campaign("a", 1), campaign("b", 2, counts=(8, 16)), "--json").json
    assert {row["n"] for row in found["rows"]} == {8}
    assert {(one["n"], one["m"]) for one in found["only_old"]} == {(4, m) for m in SIZES}
    assert {row["m"] for row in found["rows"]} == {None, *SIZES}
    assert (found["limit"], found["worse"], found["judged"]) == (None, 0, 5)
    shown = contend("diff", campaign("a2", 1), campaign("b2", 2, counts=(8, 16)))
    assert "4 points in" in shown.err and "alone: alltoall/native n=4, 1 per node" in shown.err


def test_tables_are_printed_as_markdown(contend, campaign):
    outcome = contend("--markdown", "diff", campaign("a", 1), campaign("b", 2))
    assert "| algorithm | n | ppn | m | launches | old | new | new/old | verdict |" in outcome.out


def test_two_networks_are_compared_by_content(contend, samples_file, tmp_path):
    files = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, seed in zip(files, (1, 2), strict=True):
        samples = samples_file(seed=seed)
        assert contend("fit", samples, "-o", path).code == 0
        samples.unlink()
    contend("--markdown", "diff", *files, "--fail-on", "25%").prints(
        "predicted alltoall/native, 1 per node"
    )
    data = json.loads(files[1].read_text())
    for operation in data["operations"]:
        operation["operation"] = "bcast"
    files[1].write_text(json.dumps(data))
    assert "not compared: alltoall/native, 1 per node is in the old" in contend("diff", *files).err


def test_output_of_benchmarks_is_compared_and_of_one_launch_not_judged(contend, tmp_path):
    files = [tmp_path / "before.txt", tmp_path / "after.txt"]
    for path, factor in zip(files, (1, 2), strict=True):
        rows = "\n".join(f"{m:<12} {factor * (10 + m / 100):.2f}" for m in SIZES)
        path.write_text(OSU.format(rows=rows))
    outcome = contend("diff", *files, "-n", 8)
    assert outcome.code == 0, outcome
    assert outcome.out.count("not judged: no bounds over launches") == len(SIZES) + 1
    assert "2.000" in outcome.out
    assert "measure several: contend measure --launches 3" in " ".join(outcome.out.split())
    gate = contend("diff", *files, "-n", 8, "--fail-on", "10%")
    assert gate.code == 2
    assert "nothing could be judged" in gate.err and "--launches 3" in gate.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["SAMPLES", "NETWORK"], "is a network file, the other holds samples"),
        (["SAMPLES", "nowhere.jsonl"], "there is no file nowhere.jsonl"),
        (["SAMPLES", "OTHERS"], "no point is in both"),
        (["SAMPLES", "SAMPLES", "--fail-on", "much"], "--fail-on 'much'"),
        (["SAMPLES", "SAMPLES", "--fail-on", "-5%"], "--fail-on '-5%'"),
        (["SAMPLES", "GRAPHS"], "is a file of measured graphs"),
        (["SAMPLES"], "Missing argument"),
        (["SAMPLES", "SAMPLES", "--nothing"], "No such option"),
    ],
)
def test_what_cannot_be_compared_ends_with_2(contend, campaign, tmp_path, words, said):
    samples, network = campaign("a", 1), tmp_path / "network.json"
    (tmp_path / "graphs").write_text('{"schema": "contend.graphs", "version": 1}\n')
    network.write_text('{"schema": "contend.network"}')
    if "NETWORK" in words:
        path = tmp_path / "fitted"
        with SampleStore(path) as store:
            store.extend(
                [
                    *synthesis.pingpong(1e-5, 1e-9),
                    *synthesis.alltoall((4, 8), synthesis.exchange_time),
                ]
            )
        contend("fit", path, "-o", tmp_path / "fitted.json")
        network = tmp_path / "fitted.json"
    names = {
        "SAMPLES": samples, "NETWORK": network, "OTHERS": campaign("b", 2, counts=(16,)),
        "GRAPHS": tmp_path / "graphs",
    }  # fmt: skip
    outcome = contend("diff", *(names.get(word, word) for word in words))
    assert outcome.code == 2, outcome
    assert said in outcome.err


def test_a_limit_is_a_share():
    assert parse_limit("7.5%") == pytest.approx(0.075)
    for text in ("", "nan", "-1", "x%"):
        with pytest.raises(InvalidInputError, match="--fail-on"):
            parse_limit(text)
