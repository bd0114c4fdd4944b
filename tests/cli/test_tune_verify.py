"""Rules that a library obeys are found in effect, and rules that it ignores are found out."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contend.base.errors import InvalidInputError
from contend.measure.mpi import MPI
from contend.schedules.libraries import library_of
from contend.tune.choose.rules import Decisions, Rule
from contend.tune.choose.verified_gains import VerifiedGains
from contend.tune.exports import FORMATS, Request
from contend.tune.exports.csel.library_trees import installed, shipped
from support.mpis import any_mpi, launch_settings, probe_launch

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

ALGORITHMS = {
    "openmpi": ("linear_sync", "pairwise"),
    "mpich": ("brucks", "pairwise"),
    "intel": ("bruck", "pairwise"),
}
mpi = any_mpi
SMALL, LARGE = "alltoall:64:2", "alltoall:4096:2"


@dataclass(frozen=True)
class Made:
    """A file of rules for all-to-alls, and variables that it needs beside it."""

    path: Path
    library: str
    variable: str  # that names the file


@pytest.fixture
def export(mpi: MPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Made]:
    """A function that writes rules for the library, and sets what they need beside the file."""
    library, version = library_of(mpi.title)
    if library.name not in ALGORITHMS:
        pytest.skip(f"nothing is exported for {mpi.title}")
    form = next(
        one for one in FORMATS.all() if one.library_name == library.name and one.serves(version)
    )
    own = str(installed(mpi.mpicc)) if library.name == "mpich" else None

    def write(*rules: Rule) -> Made:
        decisions = Decisions(
            network="test", date="2026-01-01", contend="1", library=library.name,
            library_version=mpi.version, rules=rules,
        )  # fmt: skip
        export = form.write(Request(decisions, version, library_rules=own))
        for name, value in export.settings.items():
            monkeypatch.setenv(name, value)
        path = tmp_path / "rules"
        path.write_text(export.text)
        for behind, text in export.beside.items():
            Path(f"{path}{behind}").write_text(text)
        named = form.settings(str(path), version)
        names = (name for name, value in named.items() if value == str(path))
        variable = next(names, "I_MPI_ADJUST_ALLTOALL")
        return Made(path, library.name, variable)

    return write


@pytest.fixture
def rules(mpi: MPI, export: Callable[..., Made]) -> Made:
    """Bruck's algorithm below 1 KiB, and pairwise exchanges from there on."""
    small, large = ALGORITHMS[library_of(mpi.title)[0].name]
    return export(
        Rule(operation="alltoall", n=2, m=0, m_to=1024, algorithm=small, why="a test"),
        Rule(operation="alltoall", n=2, m=1024, algorithm=large, why="a test"),
    )


@pytest.fixture
def verify(
    mpi: MPI, monkeypatch: pytest.MonkeyPatch, contend: Callable[..., Any]
) -> Callable[..., Any]:
    """contend tune verify of a command that makes some calls."""

    for name, value in launch_settings(mpi).items():
        monkeypatch.setenv(name, value)

    def run(
        path: Path,
        *calls: str,
        pairs: int = 0,
        ranks: int = 4,
        options: tuple[str, ...] = (),
        own: tuple[object, ...] = (),
    ) -> Any:
        words = probe_launch(mpi, *calls, ranks=ranks, options=options).words
        own = ("--repeat", f"pairs={pairs}", "--mpicc", mpi.mpicc, "--json", *own)
        return contend("tune", "verify", path, *own, "--", *words)

    return run


def overriding(made: Made, mpi: MPI, tmp_path: Path) -> tuple[str, ...]:
    """Options of a launcher by which the file is not read, whatever the environment says."""
    if made.library == "openmpi":
        return ("--mca", "coll", "^tuned")
    if made.library == "intel":
        return ("-genv", made.variable, "2")
    other = tmp_path / "own.json"
    other.write_text(json.dumps(shipped(installed(mpi.mpicc)).tree) + "\n")
    return ("-genv", made.variable, str(other))


def verdicts(done: Any) -> dict[str, str]:
    """Of each algorithm: formats may have a rule for every number of processes."""
    found: dict[str, str] = {}
    for rule in done.json["rules"]:
        name, verdict = rule["algorithm"], rule["verdict"]
        if verdict != "never used" or name not in found:
            found[name] = verdict
    return found


def test_rules_that_are_obeyed_are_in_effect(rules: Made, verify: Callable[..., Any]) -> None:
    done = verify(rules.path, SMALL, LARGE)
    assert verdicts(done) == dict.fromkeys(ALGORITHMS[rules.library], "in effect")
    assert (done.code, done.json["is_passed"], done.json["reasons"]) == (0, True, [])
    ran = {one["m"]: (one["ran"], one["calls"]) for one in done.json["calls"]}
    small, large = ALGORITHMS[rules.library]
    assert ran[64] == (small, pytest.approx(2))
    assert ran[4096] == (large, pytest.approx(2))


def test_a_default_beside_a_departure_is_no_rule_that_cannot_be_told(
    mpi: MPI, export: Callable[..., Made], verify: Callable[..., Any]
) -> None:
    departure = {"openmpi": "chain", "mpich": "scatter_ring_allgather"}
    if (name := departure.get(library_of(mpi.title)[0].name)) is None:
        pytest.skip(f"{mpi.title} is told of all sizes or of none")
    made = export(
        Rule(operation="bcast", n=2, n_to=6, m=0, m_to=1024, algorithm="default", why="a test"),
        Rule(operation="bcast", n=2, n_to=6, m=1024, algorithm=name, why="a test"),
    )
    done = verify(made.path, "bcast:64:2", "bcast:4096:2")
    assert (done.code, done.json["reasons"]) == (0, [])
    found = {one["m"]: one["verdict"] for one in done.json["calls"]}
    assert found.keys() == {64, 4096}
    assert found[64] in {None, "in effect"}, "some files write the default out, where it shows"
    assert found[4096] == "in effect"


def test_a_rule_for_a_broadcast_is_told_from_the_librarys_own_broadcasts(
    mpi: MPI, export: Callable[..., Made], verify: Callable[..., Any]
) -> None:
    names = {
        "openmpi": ("binary_tree", "chain"),
        "mpich": ("binomial", "scatter_ring_allgather"),
        "intel": ("preset_1", "preset_2"),
    }
    small, large = names[library_of(mpi.title)[0].name]
    made = export(
        Rule(operation="bcast", n=2, m=0, m_to=1024, algorithm=small, why="a test"),
        Rule(operation="bcast", n=2, m=1024, algorithm=large, why="a test"),
    )
    done = verify(made.path, "bcast:100:2", "bcast:9000:2")
    assert verdicts(done) == {small: "in effect", large: "in effect"}
    assert done.code == 0


def test_rules_that_are_ignored_are_found_out(
    rules: Made, mpi: MPI, verify: Callable[..., Any], tmp_path: Path
) -> None:
    done = verify(rules.path, SMALL, LARGE, options=overriding(rules, mpi, tmp_path))
    assert verdicts(done) == dict.fromkeys(ALGORITHMS[rules.library], "not in effect")
    assert (done.code, done.json["is_passed"]) == (1, False)


def test_a_preset_that_does_not_serve_a_call_is_not_in_effect(
    mpi: MPI, verify: Callable[..., Any], tmp_path: Path
) -> None:
    """Plum's all-to-all of Intel MPI: another algorithm runs, without a word."""
    if library_of(mpi.title)[0].name != "intel":
        pytest.skip("presets are Intel MPI's")
    path = tmp_path / "rules.sh"
    path.write_text('export I_MPI_ADJUST_ALLTOALL="4:0-1023;3:1024-2147483647"\n')
    done = verify(path, SMALL, LARGE)
    assert verdicts(done) == {"plum": "not in effect", "pairwise": "in effect"}
    (why,) = {one["why"] for one in done.json["calls"] if one["verdict"] == "not in effect"}
    assert "plum does not serve it, and another runs in its place" in why
    assert done.code == 1


def test_a_file_that_begins_above_no_bytes_is_said_to_be_ignored(
    rules: Made, verify: Callable[..., Any]
) -> None:
    if rules.library != "openmpi":
        pytest.skip("a fault of Open MPI's files")
    text = rules.path.read_text()
    first = next(line for line in text.splitlines() if line.startswith("0 "))
    rules.path.write_text(text.replace(first, "8" + first[1:], 1))
    done = verify(rules.path, SMALL)
    assert done.code == 1
    assert "ignores the whole file" in done.err


def test_a_rule_without_a_call_is_never_used_and_none_at_all_fails(
    rules: Made, verify: Callable[..., Any]
) -> None:
    small, large = ALGORITHMS[rules.library]
    done = verify(rules.path, SMALL)
    assert verdicts(done) == {small: "in effect", large: "never used"}
    assert done.code == 0
    assert verify(rules.path, "barrier:0:1").code == 1


def test_pairs_give_gains_of_the_program_and_of_each_rule(
    rules: Made, verify: Callable[..., Any]
) -> None:
    done = verify(rules.path, SMALL, LARGE, pairs=2)
    gains = done.json["gains"]
    assert gains["program"]["pairs"] == 2
    assert gains["program"]["low"] <= gains["program"]["gain"] <= gains["program"]["high"]
    assert len([one for one in gains["cells"] if one["n"] == 4]) == 2
    assert done.code == (1 if done.json["reasons"] else 0)


def test_a_rule_that_is_many_times_slower_is_called_slower_and_fails(
    export: Callable[..., Made], verify: Callable[..., Any], tmp_path: Path
) -> None:
    options = {"segment": 16}
    rule = Rule(operation="bcast", n=2, m=0, algorithm="pipeline", options=options, why="a test")
    try:
        made = export(rule)
    except InvalidInputError as error:
        pytest.skip(f"no pipeline: {error}")
    gains = tmp_path / "gains.json"
    done = verify(made.path, "bcast:100000:40", pairs=5, ranks=2, own=("-o", gains))
    (cell,) = done.json["gains"]["cells"]
    assert cell["is_slower"]
    assert cell["high"] < 0.98
    assert "in effect" in verdicts(done).values()
    assert done.code == 1
    assert done.json["gains"]["collectives"]["is_slower"]
    assert any("slower" in reason for reason in done.json["reasons"])
    assert "all collective calls together take longer than by default" in done.json["reasons"]
    assert VerifiedGains.load(gains).programs == ()  # the departure alone is to blame
    (calls,) = VerifiedGains.load(gains).calls
    assert (calls.operation, calls.n, calls.m, calls.m_last) == ("bcast", 2, 100000, 100000)
    assert (calls.algorithm, calls.gain, calls.is_slower) == ("pipeline", cell["gain"], True)
    assert f"--verified {gains}" in done.err


def test_a_file_that_gains_cannot_be_added_to_is_said_before_anything_runs(
    rules: Made, verify: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "else.json"
    path.write_text("{}\n")
    done = verify(rules.path, SMALL, pairs=1, own=("-o", path))
    assert done.code == 1
    assert "not 'contend.verified' version 1" in done.err
    assert path.read_text() == "{}\n"
    VerifiedGains(library="none", library_version="1").save(path)
    done = verify(rules.path, SMALL, pairs=1, own=("-o", path))
    assert done.code == 1
    assert "else.json has verified gains by none 1" in done.err
    done = verify(rules.path, SMALL, own=("-o", tmp_path / "gains.json"))
    assert "leave --repeat pairs=0 out" in done.err


def test_rules_of_ucc_are_said_not_to_be_seen(
    mpi: MPI, verify: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "rules.sh"
    path.write_text('export UCC_TL_UCP_TUNE="alltoall:host:0-1027:[4-4]:inf:@bruck"\n')
    for own in ((), ("--library", "ucc")):
        done = verify(path, SMALL, own=own)
        assert done.code == 1
        assert "is not seen here" in done.err
        assert "UCC_COLL_TRACE=info" in done.err


def test_a_program_that_fails_is_an_error(rules: Made, verify: Callable[..., Any]) -> None:
    done = verify(rules.path, "no_such_operation:8:1")
    assert done.code == 1
    assert "with the rules" in done.err


def test_an_unknown_reason_to_fail_is_an_error(contend: Callable[..., Any]) -> None:
    words = ("tune", "verify", "rules", "--fail-on", "sloth", "--", sys.executable)
    assert "choose from ignored, unknown, unused, slower" in contend(*words).err
