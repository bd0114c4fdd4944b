"""A samples file that is removed or replaced while it is written: said, and nothing is lost."""

from pathlib import Path

import pytest

from contend.errors import StorageError
from contend.samples import SampleStore, read_samples
from contend.samples.messages import MessageSample
from contend.samples.store import RecordStore
from support.synthesis import sample


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


def take_away(path: Path, how: str) -> None:
    if how == "removed":
        path.unlink()
    else:
        path.rename(path.with_name("moved"))
        path.write_text("mine\n")


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_the_next_sample_is_an_error_that_names_where_all_are(path: Path, how: str) -> None:
    with SampleStore(path) as opened:
        opened.append(sample(8))
        take_away(path, how)
        with pytest.raises(StorageError, match=r"while it was written; .*rescued-1\.jsonl"):
            opened.append(sample(16))
    assert [one.m for one in read_samples(path.with_name("samples.rescued-1.jsonl"))] == [8, 16]
    assert path.exists() == (how == "replaced")
    assert not path.exists() or path.read_text() == "mine\n"


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_file_that_is_gone_at_the_end_is_an_error_too(path: Path, how: str) -> None:
    path.with_name("samples.rescued-1.jsonl").write_text("of another time")
    with pytest.raises(StorageError, match=r"rescued-2\.jsonl"), SampleStore(path) as opened:
        opened.append(sample(8))
        take_away(path, how)
    assert len(read_samples(path.with_name("samples.rescued-2.jsonl"))) == 1


def test_another_error_stays_and_the_loss_is_a_warning(path: Path) -> None:
    with (
        pytest.warns(UserWarning, match=r"rescued-1\.jsonl"),
        pytest.raises(KeyboardInterrupt),
        SampleStore(path) as opened,
    ):
        opened.append(sample(8))
        path.unlink()
        raise KeyboardInterrupt
    assert len(read_samples(path.with_name("samples.rescued-1.jsonl"))) == 1


def test_what_the_locked_file_holds_is_read_though_another_is_in_its_place(path: Path) -> None:
    opened = SampleStore(path)
    opened.append(sample(8))
    take_away(path, "replaced")
    assert opened.existing() == [sample(8)]
    opened.close()


def test_an_empty_file_that_is_removed_is_no_loss(path: Path) -> None:
    with RecordStore(MessageSample, path):
        path.unlink()
    assert not path.exists()


def test_a_new_file_that_gets_nothing_is_not_left_behind(path: Path) -> None:
    with pytest.raises(KeyError), SampleStore(path):
        raise KeyError("a wrong option")
    assert not path.exists()


def test_an_empty_file_that_was_there_stays(path: Path) -> None:
    path.touch()
    with SampleStore(path):
        pass
    assert path.exists()
