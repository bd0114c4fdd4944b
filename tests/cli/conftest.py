import json
import sys
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from contend.cli.app import main
from contend.samples import Provenance, Sample, SampleStore
from contend.schedules import algorithms
from contend.schedules import barrier as barrier_algorithms
from support.synthesis import exchange_time


@dataclass(frozen=True)
class Outcome:
    """What a command left: exit code and both streams, white space folded in `err`."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    def fails(self, *words):
        """Assert that the command ended with an error that has each of these words."""
        assert (self.code, [word for word in words if word not in self.err]) == (1, []), self

    def prints(self, *words):
        """Assert that the command did its work and printed each of these words."""
        assert (self.code, [word for word in words if word not in self.out]) == (0, []), self


@pytest.fixture
def contend(monkeypatch, capsys):
    """Run the command line in this process: contend("fit", "samples.jsonl")."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["contend", *map(str, words)])
        code = 0
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # a user's warnings are shown, not raised
            try:
                main()
            except SystemExit as leaving:
                code = leaving.code or 0
        streams = capsys.readouterr()
        return Outcome(code, streams.out, " ".join(streams.err.split()))

    return run


def make_samples(experiments=("pingpong", "alltoall"), counts=(4, 8, 16), seed=1):
    noise = np.random.default_rng(seed)
    sizes = [64, 1024, 4096, 8192, 65536, 1048576]
    found = []

    def add(experiment, algorithm, n, m, seconds):
        times = tuple((seconds * noise.normal(1, 0.01, 11)).tolist())
        found.append(
            Sample(
                experiment=experiment, algorithm=algorithm, n=n, processes_per_node=1, m=m,
                times_s=times, provenance=Provenance(source="test"),
            )
        )  # fmt: skip

    for m in sizes:
        if "pingpong" in experiments:
            add("pingpong", "half_round_trip", 2, m, 1e-5 + 1e-9 * m)
        for n in counts if "alltoall" in experiments else ():
            add("alltoall", "native", n, m, exchange_time(n, m))
        if "bcast" in experiments:
            add("bcast", "native", 4, m, 1e-5 + 1e-9 * m)
    return found


@pytest.fixture
def samples_file(tmp_path):
    """Samples file of the network of `exchange_time`; call with other experiments or counts."""

    def write(**arguments):
        path = tmp_path / "samples.jsonl"
        with SampleStore(path) as store:
            store.extend(make_samples(**arguments))
        return path

    return write


DUMMY = '''
"""Dummy.

Source: nowhere.
Idea: everybody tells everybody.
Cost: (P-1) g(0) + L. So it is.
Restrictions: at least one rank.
"""

from contend.schedules.barrier.dissemination import Dissemination


class Dummy(Dissemination):
    name = "dummy"
    title = "everybody"
'''


@pytest.fixture
def dummy(tmp_path, monkeypatch):
    """A barrier that was added as one file."""
    package, registry = barrier_algorithms, algorithms("barrier")
    (tmp_path / "dummy.py").write_text(DUMMY)
    registry.names()  # what is cached now comes back afterwards
    monkeypatch.delitem(vars(registry), "_entries")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setitem(sys.modules, f"{package.__name__}.dummy", None)  # undone afterwards
    monkeypatch.delitem(sys.modules, f"{package.__name__}.dummy")
    monkeypatch.setattr(package, "dummy", None, raising=False)
