"""Files that are written whole or not at all, and that there is no other way to write one."""

import ast
import errno
import os
import stat
import threading
from pathlib import Path

import pytest

import contend
from contend.base.errors import StorageError
from contend.base.wholefile import NO_LOCKS, locked, replacing, write_whole

ROOT = Path(contend.__file__).parent
# Files that are appended to, streams of processes, and files in the namespaces of a lab, where
# what is there is the kernel's or gone with the lab.
OTHERS = {
    "base/wholefile.py", "measure/lab/inside.py", "measure/lab/utilisation.py",
    "measure/scratch.py", "base/records.py",
}  # fmt: skip
WRITERS = {"write_text", "write_bytes"}


def test_a_text_and_bytes_are_written_where_there_is_a_folder(tmp_path):
    write_whole(tmp_path / "b.txt", "µ")
    write_whole(tmp_path / "c", b"\x00")
    assert (tmp_path / "b.txt").read_text(encoding="utf-8") == "µ"
    assert (tmp_path / "c").read_bytes() == b"\x00"
    with pytest.raises(StorageError, match="No such file or directory"):
        write_whole(tmp_path / "nowhere" / "c", b"")


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_fails_half_way_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "picture.png"
    path.write_text("old")
    with pytest.raises((KeyboardInterrupt, StorageError)), replacing(path) as new:
        assert new.suffix == ".png"
        new.write_text("half of")
        raise error
    assert [one.name for one in tmp_path.iterdir()] == ["picture.png"]
    assert path.read_text() == "old"


def test_a_link_stays_and_the_mode_of_its_target_too(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to("target")
    before = os.umask(0o027)
    try:
        write_whole(link, "first")
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    target.chmod(0o604)
    write_whole(link, "second")
    assert link.is_symlink()
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("second", 0o604)


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through")
    reader.join()
    assert (read, pipe.is_fifo()) == (["through"], True)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(StorageError, match="Is a directory"):
        write_whole(tmp_path, "text")


def is_direct(call):
    """Whether a call writes a file in place, or draws to what is neither a new file nor memory."""
    if not isinstance(call.func, ast.Attribute):
        return isinstance(call.func, ast.Name) and call.func.id == "open"
    if call.func.attr in WRITERS:
        return True
    if call.func.attr == "savefig":
        return not (isinstance(call.args[0], ast.Name) and call.args[0].id in ("new", "memory"))
    modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return call.func.attr == "open" and any(set("wax+") & set(str(mode)) for mode in modes)


def test_nothing_else_writes_files_in_place():
    found = [
        f"{name}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        if (name := path.relative_to(ROOT).as_posix()) not in OTHERS
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and is_direct(node)
    ]
    assert found == []


@pytest.mark.parametrize("number", NO_LOCKS)
def test_a_file_system_without_locks_is_written_all_the_same(tmp_path, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    monkeypatch.setattr("contend.base.wholefile.LOCK_TIMEOUT", 0.1)
    (tmp_path / ".network.json.lock").touch()  # of an earlier process
    with locked(tmp_path / "network.json"):
        write_whole(tmp_path / "network.json", "whole")
    assert (tmp_path / "network.json").read_text() == "whole"


def test_another_failure_of_a_lock_is_an_error(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with pytest.raises(StorageError, match="Permission denied"), locked(tmp_path / "network.json"):
        pass
