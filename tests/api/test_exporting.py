"""Files of other tools from Python."""

import pytest

import contend
from support.synthesis import sample, save


@pytest.fixture
def samples(tmp_path):
    """A file of three sizes of an all-to-all."""
    return save([sample(m, 8) for m in (64, 1024, 4096)], tmp_path / "samples.jsonl")


def test_what_is_written_is_what_comes_back(samples, tmp_path):
    found = contend.export_as("csv", samples, str(tmp_path / "a" / "samples.csv"), by="point")
    assert (tmp_path / "a" / "samples.csv").read_text() == found.text
    assert len(found.text.splitlines()) == 4
    assert contend.export_as("csv", samples).text != found.text


def test_another_file_is_not_replaced(samples):
    before = samples.read_text()
    with pytest.raises(contend.ContendError, match="exists and is no csv file"):
        contend.export_as("csv", samples, samples)
    assert samples.read_text() == before


@pytest.mark.parametrize(
    ("given", "problem"),
    [({"format": "cvs"}, "cvs"), ({"hosts": 4}, "no use for --hosts"), ({"by": 1}, "by = 1")],
)
def test_what_is_wrong_is_named(samples, given, problem):
    with pytest.raises(contend.ContendError, match=problem):
        contend.export_as(**({"format": "csv", "file": samples} | given))
