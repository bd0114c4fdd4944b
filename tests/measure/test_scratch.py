"""Folders that go with the process that made them, and the shared memory noted in them."""

import fcntl
import mmap
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from contend.measure.scratch import (
    FOLDER,
    mapped_segments,
    record_segments,
    remove_segments,
    scratch,
    sweep,
)

needs_shared_memory = pytest.mark.skipif(not FOLDER.is_dir(), reason="no /dev/shm")
MAKE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from contend.measure.scratch import record_segments, scratch
with scratch(Path(sys.argv[1]), "run-") as folder:
    (folder / "file").touch()
    record_segments(folder, {Path(path) for path in sys.argv[2:]})
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(parent, *paths):
    subprocess.run([sys.executable, "-c", MAKE_AND_DIE, parent, *paths], check=False, timeout=60)
    (left,) = parent.iterdir()
    return left


@pytest.fixture
def segment():
    path = FOLDER / f"contend-test-{os.getpid()}"
    path.write_bytes(bytes(mmap.PAGESIZE))
    yield path
    path.unlink(missing_ok=True)


def test_a_folder_is_removed_at_the_end_even_after_an_error(tmp_path):
    with pytest.raises(ValueError, match="enough"), scratch(tmp_path, "run-") as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith("run-")
        raise ValueError("enough")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept_by_the_next_and_nothing_else(tmp_path):
    left = killed(tmp_path)
    other = tmp_path / "run-without-a-lock"
    other.mkdir()
    with scratch(tmp_path, "run-") as living, scratch(tmp_path, "run-"):
        assert not left.exists()
        assert living.exists()
    assert list(tmp_path.iterdir()) == [other]


def test_a_folder_that_is_a_link_is_left_alone(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "owner.lock").touch()
    (tmp_path / "run-link").symlink_to(elsewhere)
    sweep(tmp_path, "run-")
    assert elsewhere.is_dir()


def test_where_nothing_can_be_locked_nothing_is_swept(tmp_path, monkeypatch):
    left = killed(tmp_path)

    def refuse(*_):
        raise OSError("no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with scratch(tmp_path, "run-"):
        assert left.exists()


@needs_shared_memory
def test_noted_segments_go_with_the_folder(tmp_path, segment):
    killed(tmp_path, segment)
    assert segment.exists()
    sweep(tmp_path, "run-")
    assert not segment.exists()


@needs_shared_memory
def test_a_segment_that_somebody_uses_stays(tmp_path, segment):
    with segment.open("r+b") as file, mmap.mmap(file.fileno(), 0):
        assert mapped_segments([psutil.Process()]) >= {segment}
        with scratch(tmp_path, "run-") as folder:
            record_segments(folder, {segment})
        assert segment.exists()
    remove_segments({segment})
    assert not segment.exists()


def test_nothing_outside_shared_memory_is_removed(tmp_path):
    file = tmp_path / "file"
    file.touch()
    remove_segments({file, Path(FOLDER / ".." / "null")})
    assert file.exists()
