"""Runs with and without rules differ by the rules alone: other variables are the same in both."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.tune.exports import FORMATS, Format
from contend.tune.exports.formats.mpich import VARIABLE
from contend.tune.verification import verify
from contend.tune.verification.calls import Watched
from contend.tune.verification.verify import WITH, WITHOUT, Trial

MPICH, OPEN_MPI = FORMATS.get("mpich"), FORMATS.get("openmpi-4")
Given = dict[str, dict[str, str]]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    """Variables that a run is given, by its arm; nothing runs."""
    found: Given = {}

    def noted(_1: object, _2: object, settings: Mapping[str, str], _3: float, arm: str) -> None:
        found[arm] = dict(settings)

    monkeypatch.setattr(verify, "run_watched", noted)
    for name in MPICH.library.alongside:
        monkeypatch.delenv(name, raising=False)
    return found


def trial(path: Path, form: Format) -> Trial:
    path.write_text("{}")
    launch, mpi = parse_launch(["mpiexec", "-n", "2", "./my_app"]), cast(MPI, None)
    return Trial(launch, path, mpi, path, form, form.first, 5, 1, 60.0)


@pytest.mark.parametrize("form", [MPICH, OPEN_MPI], ids=lambda form: form.name)
def test_without_the_rules_is_all_that_is_not_the_rules(
    tmp_path: Path, form: Format, given: Given
) -> None:
    tried = trial(tmp_path / "rules", form)
    for arm in (WITH, WITHOUT):
        tried.run(arm)
    assert given[WITHOUT] == form.library.alongside
    assert given[WITH] == {**form.library.alongside, **tried.settings}
    assert given[WITH] != given[WITHOUT]


def test_a_heap_keeps_what_it_would_after_a_large_block(tmp_path: Path, given: Given) -> None:
    trial(tmp_path / "rules", MPICH).run(WITH)
    assert given[WITH][VARIABLE] == str(tmp_path / "rules")
    block, kept = (int(given[WITH][f"MALLOC_{what}_THRESHOLD_"]) for what in ("MMAP", "TRIM"))
    assert kept == 2 * block  # as glibc does by itself when a block of this size is freed


def test_what_the_user_has_set_stays(
    tmp_path: Path, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *others = MPICH.library.alongside
    monkeypatch.setenv(name, "4096")
    for arm in (WITH, WITHOUT):
        trial(tmp_path / "rules", MPICH).run(arm)
        assert name not in given[arm]
        assert set(others) <= given[arm].keys()


def test_the_notes_say_what_is_the_same_in_all_runs(
    tmp_path: Path, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, other = MPICH.library.alongside
    watched = [Watched((), 2, 2, "MPICH 4.0.2", False, 0, 2)]
    (said,) = _same_notes(trial(tmp_path / "rules", MPICH), watched)
    assert f"{name}=" in said
    assert f"{other}=" in said
    monkeypatch.setenv(name, "4096")
    notes = _same_notes(trial(tmp_path / "rules", MPICH), watched)
    assert any(f"{name}: set already" in one for one in notes)
    assert not any(f"{name}=" in one for one in notes)


def _same_notes(tried: Trial, watched: list[Watched]) -> list[str]:
    """Notes of a library that shows what it runs, and of which all ranks left a record."""
    return list(verify._notes(tried, watched, is_seen=True, is_probed=False))
