"""From a network file to rules in effect in one command, or to "leave it"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contend.measure.build import cache_folder
from contend.measure.mpi import MPI
from contend.measure.runner import Listener
from contend.models.network import Network
from contend.schedules.libraries import library_of
from contend.tune import apply
from contend.tune.choose.rules import Decisions, Rule
from contend.tune.choose.verified_gains import VerifiedGains
from contend.tune.exports import FORMATS
from contend.tune.exports.csel.library_trees import installed
from contend.tune.verification.gain import Gain, Pair, gain_of
from contend.tune.verification.verify import Trial, Verified
from support.mpis import any_mpi, launch_settings, probe_launch
from support.networks import network, saved

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
mpi = any_mpi
DEPARTURES = {"openmpi": "pairwise", "mpich": "pairwise", "intel": "pairwise"}
CALL = "alltoall:64:3"
FASTER = gain_of([Pair(2.0, 1.0), Pair(2.1, 1.0), Pair(1.9, 1.0)])
SLOWER = gain_of([Pair(1.0, 2.0), Pair(1.01, 2.0), Pair(1.0, 2.01)])


@pytest.fixture
def decide(mpi: MPI, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[VerifiedGains]]:
    """Decisions for an all-to-all, and for the default once gains say that it is slower."""
    library, _ = library_of(mpi.title)
    if library.name not in DEPARTURES:
        pytest.skip(f"nothing is exported for {mpi.title}")
    asked: list[Sequence[VerifiedGains]] = []

    def made(network: Network, *, verified: Sequence[VerifiedGains], **_: object) -> Decisions:
        asked.append(tuple(verified))
        name = "default" if verified else DEPARTURES[library.name]
        rule = Rule(operation="alltoall", n=2, m=0, algorithm=name, why="a test")
        return Decisions(
            network="test", date="2026-01-01", contend="1", library=library.name,
            library_version=mpi.version, rules=(rule,),
        )  # fmt: skip

    monkeypatch.setattr("contend.tune.apply.decide", made)
    return asked


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Path]]:
    """Runs are real, and their gains are what a test says; returns the files that were tried."""
    tried: list[Path] = []

    def give(*gains: Gain | None) -> list[Path]:
        left, real = list(gains), apply.run_trial

        def run(trial: Trial, listener: Listener) -> Verified:
            tried.append(trial.path)
            gain = left.pop(0)
            found = real(replace(trial, pairs=0), listener)
            return replace(
                found,
                program=gain,
                collectives=gain,
                cells=dict.fromkeys(
                    (one.cell for one in found.served if not one.cell.is_default), gain
                ),
            )

        monkeypatch.setattr(apply, "run_trial", run)
        return tried

    return give


@pytest.fixture
def applied(
    mpi: MPI,
    decide: object,
    contend: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    for name, value in launch_settings(mpi).items():
        monkeypatch.setenv(name, value)

    network_file = saved(tmp_path / "network.json", network(None))

    def run(*own: object, options: tuple[str, ...] = (), call: str = CALL) -> Any:
        words = probe_launch(mpi, call, options=options).words
        own = ("-o", tmp_path / "rules", "--mpicc", mpi.mpicc, "--default", mpi_library(mpi), *own)
        return contend("tune", "apply", network_file, *own, "--", *words)

    return run


def mpi_library(mpi: MPI) -> str:
    return str(installed(mpi.mpicc)) if mpi.family == "MPICH" else mpi.mpicc


def rules_in(path: Path, mpi: MPI) -> set[str]:
    """Algorithms of the all-to-all that a file names."""
    library, version = library_of(mpi.title)
    forms = [one for one in FORMATS.all() if one.library_name == library.name]
    form = next(one for one in forms if one.serves(version))
    rules = form.read(path.read_text(), version) if path.read_text().strip() else ()
    return {one.algorithm for one in rules if one.operation == "alltoall" and not one.is_default}


def test_rules_that_gain_are_written_with_the_gain_and_its_interval(
    applied: Callable[..., Any], timed: Callable[..., list[Path]], mpi: MPI, tmp_path: Path
) -> None:
    tried = timed(FASTER)
    done = applied()
    assert done.code == 0, done.err
    assert "pairwise" in rules_in(tmp_path / "rules", mpi)
    last = done.out.splitlines()[-1]
    assert re.search(
        r"rules: gain in collective calls 1\.99\d \(1\.\d+ to 2\.\d+, 95 %\)", done.out
    )
    assert "of the whole program 1.99" in done.out + last
    assert "export " in done.out
    assert tried[0].parent != tmp_path
    assert not tried[0].exists()


def test_what_is_slower_is_taken_back_and_the_file_leaves_all_to_the_library(
    applied: Callable[..., Any],
    timed: Callable[..., list[Path]],
    decide: list[Sequence[VerifiedGains]],
    mpi: MPI,
    tmp_path: Path,
) -> None:
    timed(SLOWER)
    done = applied()
    assert done.code == 0, done.err
    assert [len(one) for one in decide] == [0, 1]
    assert "leave it: nothing beats the library's default" in done.out
    assert "taken back once" in done.err
    library = library_of(mpi.title)[0].name
    assert rules_in(tmp_path / "rules", mpi) == set() or library == "mpich"  # has its own tree


def test_rules_that_are_not_in_effect_are_not_written(
    applied: Callable[..., Any], timed: Callable[..., list[Path]], mpi: MPI, tmp_path: Path
) -> None:
    if mpi.family != "Open MPI":
        pytest.skip("options that keep rules out are Open MPI's")
    timed(FASTER)
    done = applied(options=("--mca", "coll", "^tuned"))
    assert done.code == 1
    assert "1 of 1 rules not in effect" in done.err
    assert "leaves out coll/tuned, which reads the file" in done.err
    assert not (tmp_path / "rules").exists()
    assert "is left as it was" in done.err


def test_a_run_that_is_ended_leaves_a_file_that_exists_as_it_was(
    applied: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, mpi: MPI, tmp_path: Path
) -> None:
    if mpi.family != "Open MPI":
        pytest.skip("one library will do")
    path = tmp_path / "rules"
    path.write_text(old := "1\n7\n1\n2\n1\n0 6 0 0\n")
    seen = []

    def ended(trial: Trial, _: object) -> Verified:
        seen.append(trial.path.read_text())
        raise KeyboardInterrupt

    monkeypatch.setattr(apply, "run_trial", ended)
    try:
        done = applied()
    except KeyboardInterrupt:
        pass
    else:
        assert done.code != 0
    assert path.read_text() == old
    assert [one.name for one in tmp_path.iterdir() if "rules" in one.name] == ["rules"]
    assert not list(cache_folder().glob("apply-*"))
    assert "bcast" in seen[0], "the rules that it had are tried too"


def test_a_program_without_such_calls_is_told(
    applied: Callable[..., Any], timed: Callable[..., list[Path]], tmp_path: Path
) -> None:
    timed(FASTER)
    done = applied("--json", call="barrier:0:2")
    assert done.code == 1
    assert done.json["file"] is None
    assert done.json["reasons"] == ["no rule is ever used by the program"]
    assert not (tmp_path / "rules").exists()
