import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.errors import FileFormatError, StorageError
from contend.samples import SampleStore, read_samples, store
from contend.samples.store import TornLineWarning
from support.synthesis import PROVENANCE, sample, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


@pytest.fixture
def two(path: Path) -> Path:
    """A file of two samples."""
    with SampleStore(path) as opened:
        opened.extend([sample(8), sample(16)])
    return path


def test_what_is_appended_is_read_back_in_order(path: Path) -> None:
    written = [sample(m, launch=launch) for m in (64, 8) for launch in (0, 1)]
    with SampleStore(path) as opened:
        assert opened.existing() == []
        assert opened.extend(written[:3]) == 3
    with SampleStore(path) as opened:
        assert opened.existing() == written[:3]
        opened.append(written[3])
    assert read_samples(path) == written


def test_a_sample_is_on_the_disk_when_append_returns(path: Path) -> None:
    with SampleStore(path) as opened:
        opened.append(sample(8))
        assert [s.m for s in read_samples(path)] == [8]


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    with SampleStore(tmp_path / "a" / "b" / "s.jsonl") as opened:
        opened.append(sample())
    assert read_samples(tmp_path / "a" / "b" / "s.jsonl") == [sample()]


def test_blank_lines_are_not_samples(two: Path) -> None:
    two.write_text(two.read_text().replace("\n", "\n\n"))
    assert [s.m for s in read_samples(two)] == [8, 16]


@given(keep=st.integers(1, 10**6))
def test_a_torn_last_line_is_reported_skipped_and_then_removed(
    tmp_path_factory: pytest.TempPathFactory, keep: int
) -> None:
    path = tmp_path_factory.mktemp("torn") / "samples.jsonl"
    with SampleStore(path) as opened:
        opened.extend([sample(8), sample(16)])
    whole, last, _ = path.read_bytes().split(b"\n")
    path.write_bytes(whole + b"\n" + last[: 1 + keep % len(last)])
    with pytest.warns(TornLineWarning, match="line 2 is incomplete .* skipped"):
        assert [s.m for s in read_samples(path)] == [8]
    with pytest.warns(TornLineWarning, match="line 2 is incomplete .* removed"):
        reopened = SampleStore(path)
    with reopened:
        assert path.read_bytes() == whole + b"\n"
        reopened.append(sample(32))
    assert [s.m for s in read_samples(path)] == [8, 32]


def test_a_line_torn_within_a_character_is_skipped_too(two: Path) -> None:
    two.write_bytes(two.read_bytes() + '{"schema": "µ'.encode()[:-1])
    with pytest.warns(TornLineWarning):
        assert [s.m for s in read_samples(two)] == [8, 16]


def test_a_file_of_one_torn_line_holds_no_sample(path: Path) -> None:
    path.write_text('{"schema"')
    with pytest.warns(TornLineWarning), pytest.raises(FileFormatError, match="holds no sample"):
        read_samples(path)


Change = Callable[[dict[str, object]], object]


def changed(path: Path, change: Change) -> None:
    """Apply `change` to the sample in line 2, or replace it by what the change returns."""
    first, second, _ = path.read_text().split("\n")
    data = json.loads(second)
    result = change(data)
    text = result if isinstance(result, str) else json.dumps(data)
    path.write_text(f"{first}\n{text}\n{first}\n")


def setter(**fields: object) -> Change:
    return lambda data: data.update(fields)


def dropper(field: str) -> Change:
    return lambda data: [data.pop(field)]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: json.dumps(data)[:-20], "is not JSON"),
        (lambda data: "[1, 2]", "does not say what it is, not 'contend.samples' version 1"),
        (lambda data: "[" * 100_000, "is not a document"),
        (lambda data: '{"n":' + "1" * 5000 + "}", "is not a document"),
        (dropper("schema"), "does not say what it is, not 'contend.samples'"),
        (setter(schema="contend.network"), "is 'contend.network', not 'contend.samples'"),
        (setter(version=2), "has schema version 2, this contend reads .* version 1"),
        (dropper("version"), "has schema version None"),
        (dropper("n"), "n is missing"),
        (dropper("provenance"), "provenance is missing"),
        (setter(colour="red"), "colour: extra inputs are not permitted, got 'red'"),
        (setter(n=1), "n: input should be greater than or equal to 2, got 1"),
        (setter(n=2.5), "n: input should be a valid integer"),
        (setter(m=-1), "m: input should be greater than or equal to 0, got -1"),
        (setter(experiment=""), "experiment: string should have at least 1 character"),
        (setter(times_s=[]), "times_s: tuple should have at least 1 item"),
        (setter(times_s=[1e-3, -1e-3]), r"times_s\.1: .* greater than or equal to 0, got -0\.001"),
        (setter(times_s=[float("nan")]), r"times_s\.0: .* finite number, got nan"),
        (setter(times_s=[float("inf")]), r"times_s\.0: .* finite number, got inf"),
        (setter(times_s=[0.0, 0.0]), r"times_s: every repetition took 0 s.*, got \[0\.0, 0\.0\]"),
        (setter(launch=-1, late_starts=-1), r"launch: .* got -1 \(and 1 more\)"),
        (setter(stopped="tired"), "stopped: input should be 'precision'"),
    ],
)
def test_a_bad_line_is_an_error_with_its_number(two: Path, change: Change, problem: str) -> None:
    changed(two, change)
    with pytest.raises(FileFormatError, match=f"samples.jsonl line 2:? ?{problem}") as caught:
        read_samples(two)
    assert caught.value.remedy


def test_a_second_writer_is_refused_until_the_first_ends(path: Path) -> None:
    with SampleStore(path) as first:
        with pytest.raises(StorageError, match="is being written by another contend"):
            SampleStore(path)
        first.append(sample(8))
    with SampleStore(path) as second:
        second.append(sample(16))
    assert [s.m for s in read_samples(path)] == [8, 16]


def test_a_sample_that_cannot_be_flushed_is_taken_back(
    two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = two.read_bytes()
    with SampleStore(two) as opened:
        monkeypatch.setattr(store.os, "fsync", full)
        with pytest.raises(StorageError, match="No space left on device; free some space"):
            opened.append(sample(32))
        assert two.read_bytes() == before
        monkeypatch.undo()
        opened.append(sample(64))
    assert [s.m for s in read_samples(two)] == [8, 16, 64]


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from support.synthesis import PROVENANCE, sample, save
from contend.errors import StorageError
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
def test_a_full_disk_keeps_all_samples_before_and_takes_more_when_there_is_room(
    path: Path, room: int
) -> None:
    """The limit on file sizes makes real short writes."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(room)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"cannot write {path}: File too large; free some space") == 2


def test_a_file_that_is_not_there_is_an_error(path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no file"):
        read_samples(path)


def test_a_file_that_is_not_text_is_an_error(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\n")
    for use in (read_samples, SampleStore):
        with pytest.raises(FileFormatError, match="is not text"):
            use(path)


def test_a_folder_is_neither_read_nor_written(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="it is a folder"):
        read_samples(tmp_path)
    with pytest.raises(StorageError, match="Is a directory"):
        SampleStore(tmp_path)


def test_a_file_in_the_place_of_a_folder_is_an_error(two: Path) -> None:
    with pytest.raises(StorageError, match=r"File exists|Not a directory"):
        SampleStore(two / "samples.jsonl")


@pytest.mark.parametrize(
    "content",
    [b"my only notes", b'{"precious": true}', b"\x00\xff\x00", b'one line\n{"schema":"con'],
)
def test_a_file_that_holds_no_samples_is_refused_and_left_as_it_is(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    with pytest.raises(FileFormatError):
        SampleStore(path)
    assert path.read_bytes() == content


def test_a_whole_last_line_of_another_version_is_refused_and_left_as_it_is(two: Path) -> None:
    content = two.read_bytes().replace(b'"version":1', b'"version":2').rstrip(b"\n")
    two.write_bytes(content)
    with pytest.raises(FileFormatError, match="version 2"):
        SampleStore(two)
    assert two.read_bytes() == content


def test_a_whole_last_line_without_its_break_is_a_sample(path: Path) -> None:
    with SampleStore(path) as store:
        store.append(sample())
        store.append(sample(launch=1))
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert len(read_samples(path)) == 2
    with SampleStore(path) as store:
        store.append(sample(launch=2))
    assert [one.launch for one in read_samples(path)] == [0, 1, 2]


def test_a_file_system_without_locks_is_written_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_lock(*_: object) -> None:
        raise OSError(errno.ENOSYS, "no locks here")

    monkeypatch.setattr("contend.samples.store.fcntl.flock", no_lock)
    with SampleStore(path) as store:
        store.append(sample())
    assert len(read_samples(path)) == 1


@pytest.mark.parametrize(
    ("program", "name"),
    [("alltoall_direct", "rotated"), ("execute", "direct")],
)
def test_the_rotated_exchange_of_old_files_has_its_name_now(
    program: str, name: str, tmp_path: Path
) -> None:
    """It was called direct; a schedule that is run was, and is, the catalogue's."""
    provenance = PROVENANCE.model_copy(update={"command": ("mpiexec", f"/cache/{program}", "-m")})
    path = save([sample(algorithm="direct", provenance=provenance)], tmp_path / "old.jsonl")
    assert [one.algorithm for one in read_samples(path)] == [name]
