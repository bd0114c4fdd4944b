"""Files of samples: only ever added to, by one writer, and nothing is lost."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base import records
from contend.base.errors import FileFormatError, StorageError
from contend.base.records import RecordStore, TornLineWarning
from contend.samples import SampleStore, read_samples
from contend.samples.messages import MessageSample
from support.processes import completed
from support.synthesis import PROVENANCE, sample, save


@pytest.fixture
def path(tmp_path):
    return tmp_path / "samples.jsonl"


@pytest.fixture
def two(path):
    """A file of two samples."""
    return save([sample(8), sample(16)], path)


def sizes(path):
    return [one.m for one in read_samples(path)]


def full(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_is_appended_is_on_the_disk_and_read_back_in_order(tmp_path):
    path = tmp_path / "a" / "b" / "s.jsonl"  # folders on the way are made
    written = [sample(m, launch=launch) for m in (64, 8) for launch in (0, 1)]
    with SampleStore(path) as opened:
        assert opened.existing() == []
        assert opened.extend(written[:3]) == 3
        assert read_samples(path) == written[:3]
    with SampleStore(path) as opened:
        assert opened.existing() == written[:3]
        opened.append(written[3])
    assert read_samples(path) == written
    path.write_text(path.read_text().replace("\n", "\n\n"))  # blank lines are no samples
    assert read_samples(path) == written


@given(keep=st.integers(1, 10**6))
def test_a_torn_last_line_is_reported_skipped_and_then_removed(tmp_path_factory, keep):
    path = save([sample(8), sample(16)], tmp_path_factory.mktemp("torn") / "samples.jsonl")
    whole, last, _ = path.read_bytes().split(b"\n")
    path.write_bytes(whole + b"\n" + last[: 1 + keep % (len(last) - 1)])
    with pytest.warns(TornLineWarning, match="line 2 is incomplete .* skipped"):
        assert sizes(path) == [8]
    with pytest.warns(TornLineWarning, match="line 2 is incomplete .* removed"):
        reopened = SampleStore(path)
    with reopened:
        assert path.read_bytes() == whole + b"\n"
        reopened.append(sample(32))
    assert sizes(path) == [8, 32]


def test_a_line_torn_within_a_character_is_skipped_and_alone_no_sample(two):
    two.write_bytes(two.read_bytes() + '{"schema": "µ'.encode()[:-1])
    with pytest.warns(TornLineWarning):
        assert sizes(two) == [8, 16]
    two.write_text('{"schema"')
    with pytest.warns(TornLineWarning), pytest.raises(FileFormatError, match="holds no sample"):
        read_samples(two)


NO_KIND = "does not say what it is, not 'contend.samples'"
BAD_LINES = [  # fields of line 2, dropped where they are None, or its text
    ("cut", "is not JSON"),
    ("[1, 2]", f"{NO_KIND} version 1"),
    ("[" * 100_000, "is not a document"),
    ('{"n":' + "1" * 5000 + "}", "is not a document"),
    ({"schema": None}, NO_KIND),
    ({"schema": "contend.network"}, "is 'contend.network', not 'contend.samples'"),
    ({"version": 2}, "has schema version 2, this contend reads .* version 1"),
    ({"version": None}, "has schema version None"),
    ({"n": None}, "n is missing"),
    ({"provenance": None}, "provenance is missing"),
    ({"colour": "red"}, "colour: extra inputs are not permitted, got 'red'"),
    ({"n": 1}, "n: input should be greater than or equal to 2, got 1"),
    ({"n": 2.5}, "n: input should be a valid integer"),
    ({"m": -1}, "m: input should be greater than or equal to 0, got -1"),
    ({"experiment": ""}, "experiment: string should have at least 1 character"),
    ({"times_s": []}, "times_s: tuple should have at least 1 item"),
    ({"times_s": [1e-3, -1e-3]}, r"times_s\.1: .* greater than or equal to 0, got -0\.001"),
    ({"times_s": [float("nan")]}, r"times_s\.0: .* finite number, got nan"),
    ({"times_s": [float("inf")]}, r"times_s\.0: .* finite number, got inf"),
    ({"times_s": [0.0, 0.0]}, r"times_s: every repetition took 0 s.*, got \[0\.0, 0\.0\]"),
    ({"launch": -1, "late_starts": -1}, r"launch: .* got -1 \(and 1 more\)"),
    ({"stopped": "tired"}, "stopped: input should be 'precision'"),
]


@pytest.mark.parametrize(("change", "problem"), BAD_LINES, ids=[text for _, text in BAD_LINES])
def test_a_bad_line_is_an_error_with_its_number(two, change, problem):
    first, second, _ = two.read_text().split("\n")
    if change == "cut":
        change = second[:-20]
    elif isinstance(change, dict):
        fields = json.loads(second) | change
        change = json.dumps({name: value for name, value in fields.items() if value is not None})
    two.write_text(f"{first}\n{change}\n{first}\n")
    with pytest.raises(FileFormatError, match=f"samples.jsonl line 2:? ?{problem}") as caught:
        read_samples(two)
    assert caught.value.remedy


def test_a_second_writer_is_refused_until_the_first_ends(path):
    with SampleStore(path) as first:
        with pytest.raises(StorageError, match="is being written by another contend"):
            SampleStore(path)
        first.append(sample(8))
    with SampleStore(path) as second:
        second.append(sample(16))
    assert sizes(path) == [8, 16]


def test_what_cannot_be_flushed_is_taken_back(two, monkeypatch):
    before = two.read_bytes()
    with SampleStore(two) as opened:
        monkeypatch.setattr(records.os, "fsync", full)
        with pytest.raises(StorageError, match="No space left on device; free some space"):
            opened.append(sample(32))
        with pytest.raises(StorageError, match="No space left"):
            opened.extend([sample(16), sample(32)])
        assert two.read_bytes() == before
        with pytest.raises(ZeroDivisionError):
            opened.extend(sample(1 // m) for m in (1, 0))
        assert two.read_bytes() == before
        monkeypatch.undo()
        opened.append(sample(64))
    assert sizes(two) == [8, 16, 64]


def test_many_samples_wait_for_the_disk_once(path, monkeypatch):
    calls, fsync = [], os.fsync
    monkeypatch.setattr(records.os, "fsync", lambda one: (calls.append(one), fsync(one)))
    with SampleStore(path) as opened:
        assert opened.extend(sample(m) for m in range(3000)) == 3000
    assert len(calls) == 1


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from support.synthesis import sample
from contend.base.errors import StorageError
from contend.samples import SampleStore, read_samples

path = Path(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
with SampleStore(path) as store:
    store.append(sample(8))
    before = path.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + int(sys.argv[2]), unlimited[1]))
    for _ in range(2):
        try:
            store.append(sample(16, times_s=[1e-3] * 100))
        except StorageError as error:
            print(error)
        assert path.read_bytes() == before
        assert read_samples(path) == [sample(8)]
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    store.append(sample(32))
assert read_samples(path) == [sample(8), sample(32)]
"""


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk_keeps_all_samples_before_and_takes_more_when_there_is_room(path, room):
    """The limit on file sizes makes real short writes."""
    done = completed(
        [sys.executable, "-c", FULL_DISK, str(path), str(room)],
        env={"PYTHONPATH": str(Path(__file__).parents[1])},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"cannot write {path}: File too large; free some space") == 2


def test_what_is_no_file_of_text_is_neither_read_nor_written(two, tmp_path):
    with pytest.raises(FileFormatError, match="there is no file"):
        read_samples(tmp_path / "absent")
    with pytest.raises(FileFormatError, match="it is a folder"):
        read_samples(tmp_path)
    with pytest.raises(StorageError, match="Is a directory"):
        SampleStore(tmp_path)
    with pytest.raises(StorageError, match=r"File exists|Not a directory"):
        SampleStore(two / "samples.jsonl")
    two.write_bytes(b"\xff\xfe\n")
    for use in (read_samples, SampleStore):
        with pytest.raises(FileFormatError, match="is not text"):
            use(two)


NO_SAMPLES = [
    b"my only notes", b'{"precious": true}', b"\x00\xff\x00", b'one line\n{"schema":"con', None
]  # fmt: skip


@pytest.mark.parametrize("content", NO_SAMPLES)
def test_a_file_that_holds_no_samples_is_refused_and_left_as_it_is(two, content):
    # None: a whole last line of another version.
    of_later = two.read_bytes().replace(b'"version":1', b'"version":2').rstrip(b"\n")
    two.write_bytes(content or of_later)
    with pytest.raises(FileFormatError, match="version" if content is None else "."):
        SampleStore(two)
    assert two.read_bytes() == (content or of_later)


def test_a_whole_last_line_without_its_break_is_a_sample(two):
    two.write_bytes(two.read_bytes().rstrip(b"\n"))
    assert sizes(two) == [8, 16]
    save([sample(32)], two)
    assert sizes(two) == [8, 16, 32]


def test_a_file_system_without_locks_is_written_all_the_same(path, monkeypatch):
    def no_lock(*_):
        raise OSError(errno.ENOSYS, "no locks here")

    monkeypatch.setattr("contend.base.records.fcntl.flock", no_lock)
    assert sizes(save([sample(8)], path)) == [8]


@pytest.mark.parametrize(
    ("program", "name"), [("alltoall_direct", "rotated"), ("execute", "direct")]
)
def test_the_rotated_exchange_of_old_files_has_its_name_now(program, name, path):
    """It was called direct; a schedule that is run was, and is, the catalogue's."""
    provenance = PROVENANCE.model_copy(update={"command": ("mpiexec", f"/cache/{program}", "-m")})
    save([sample(algorithm="direct", provenance=provenance)], path)
    assert [one.algorithm for one in read_samples(path)] == [name]


# A file that is removed or replaced while it is written.


def rescued(path, number):
    return sizes(path.with_name(f"samples.rescued-{number}.jsonl"))


def take_away(path, how):
    if how == "removed":
        path.unlink()
    else:
        path.rename(path.with_name("moved"))
        path.write_text("mine\n")


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_all_samples_are_rescued_at_the_next_and_at_the_end(path, how):
    with SampleStore(path) as opened:
        opened.append(sample(8))
        take_away(path, how)
        with pytest.raises(StorageError, match=r"while it was written; .*rescued-1\.jsonl"):
            opened.append(sample(16))
    assert rescued(path, 1) == [8, 16]
    assert (path.read_text() if path.exists() else "") == ("mine\n" if how == "replaced" else "")
    path.unlink(missing_ok=True)
    with pytest.raises(StorageError, match=r"rescued-2\.jsonl"), SampleStore(path) as opened:
        opened.append(sample(8))
        take_away(path, how)
    assert rescued(path, 2) == [8]


def test_another_error_stays_and_the_loss_is_a_warning(path):
    with (
        pytest.warns(UserWarning, match=r"rescued-1\.jsonl"),
        pytest.raises(KeyboardInterrupt),
        SampleStore(path) as opened,
    ):
        opened.append(sample(8))
        path.unlink()
        raise KeyboardInterrupt
    assert rescued(path, 1) == [8]


def test_what_the_locked_file_holds_is_read_though_another_is_in_its_place(path):
    opened = SampleStore(path)
    opened.append(sample(8))
    take_away(path, "replaced")
    assert opened.existing() == [sample(8)]
    opened.close()


def test_an_empty_file_is_no_loss_and_left_behind_only_where_it_was_there(path):
    with RecordStore(MessageSample, path):
        path.unlink()
    assert not path.exists()
    with pytest.raises(KeyError), SampleStore(path):
        raise KeyError("a wrong option")
    assert not path.exists()
    path.touch()
    with SampleStore(path):
        pass
    assert path.exists()
