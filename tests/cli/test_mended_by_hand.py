"""A file that was mended by hand is used, or refused by one message: never a traceback."""

import copy
import json
import random

import pytest

from support.synthesis import alltoall, pingpong, plogp, save

SAMPLES = object()
COMMANDS = (
    ("predict", "-n", "4,64", "-m", "0,64,1MiB"),
    ("predict", "bcast", "-n", "8", "-m", "1KiB", "--algorithm", "binomial"),
    ("choose", "bcast", "-n", "8", "-m", "1KiB"),
    ("validate", SAMPLES),
)


def places(data, *path):
    inside = data.items() if isinstance(data, dict) else enumerate(data)
    for key, part in inside:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from places(part, *path, key)


def mended(data, rng):
    """One thing removed, emptied, shortened, lengthened, or put in place of another."""
    result = copy.deepcopy(data)
    *way, last = rng.choice(list(places(result)))
    parent = result
    for step in way:
        parent = parent[step]
    old = parent[last]
    if isinstance(old, list):
        parent[last] = rng.choice([[], old[:1], old[:-1], [*old, *old], old[::-1], [[1]], 3.0])
    elif isinstance(old, dict):
        parent[last] = rng.choice([{}, [], 1.0])
    elif isinstance(old, int | float):
        parent[last] = rng.choice([0, -1, 1e300, 5e-324, 2**70, [1.0, 2.0], "1"])
    else:
        parent[last] = rng.choice(["", "other", 1, []])
    if rng.random() < 0.3:
        del parent[last]
    return result


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2))]


@pytest.fixture
def samples(tmp_path):
    truth = (lambda m: 5e-6 + 1e-9 * m), (lambda m: 2e-6 + 5e-10 * m, lambda m: 3e-6 + 5e-10 * m)
    measured = [
        *alltoall((4, 8, 16), lambda n, m: (n - 1) * (2e-5 + 3e-9 * m)),
        *pingpong(1e-5, 1e-9),
        *plogp(1e-5, *truth),
    ]
    return save(measured, tmp_path / "samples.jsonl")


@pytest.fixture
def network(contend, samples, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", samples, "-o", path).code == 0
    assert contend("validate", path, samples).code == 0
    return path


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mended_network_is_used_or_refused(contend, network, samples, seed):
    data, rng = json.loads(network.read_text()), random.Random(seed)
    used = 0
    for _ in range(25):
        network.write_text(json.dumps(mended(data, rng)))
        for name, *words in COMMANDS:
            outcome = contend(
                name, network, *(samples if word is SAMPLES else word for word in words)
            )
            used += outcome.code == 0
            assert outcome.code in (0, 1), (outcome, network.read_text())
    assert used  # else the commands themselves are wrong


@pytest.mark.parametrize(
    ("mend", "said"),
    [
        (lambda form: form["parameters"].pop("alpha"), "hockney_2007 has no parameter 'alpha'"),
        (lambda form: form["parameters"].pop("gamma"), "a covariance of gamma, which is no"),
        (lambda form: form.update(n_fitted=[]), "n_fitted"),
        (lambda form: form["covariance"].pop(), "the covariance of"),
        (lambda form: form["covariance_of"].append("zeta"), "zeta, which is no parameter"),
    ],
)
def test_what_the_schema_cannot_say_is_refused_by_name(contend, network, mend, said):
    data = json.loads(network.read_text())
    mend(data["operations"][0]["forms"]["hockney_2007"])
    network.write_text(json.dumps(data))
    contend("predict", network, "-n", 8, "-m", 64).fails(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mended_samples_file_is_used_or_refused(contend, samples, tmp_path, seed):
    lines, rng = samples.read_text().splitlines(), random.Random(seed)
    used = 0
    for _ in range(25):
        changed = list(lines)
        for place in rng.sample(range(len(lines)), rng.choice([1, 1, len(lines) // 2])):
            changed[place] = json.dumps(mended(json.loads(lines[place]), rng))
        samples.write_text("\n".join(changed) + "\n")
        outcome = contend("fit", samples, "-o", tmp_path / "other.json")
        used += outcome.code == 0
        assert outcome.code in (0, 1), (outcome, changed)
    assert used
