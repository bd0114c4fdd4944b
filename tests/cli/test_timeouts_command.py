"""Time-outs on the command line: fit, validate, predict and report."""

import json

import numpy as np
import pytest

from support.synthesis import SIZES, pingpong, save
from support.timeouts import ALPHA, BETA, Lossy


@pytest.fixture
def files(contend, tmp_path):
    """Samples of a network with time-outs, and the network fitted to them."""
    samples = Lossy(noise=0.01).samples(np.random.default_rng(11), launches=2)
    path = save([*samples, *pingpong(ALPHA, BETA, SIZES)], tmp_path / "s.jsonl")
    contend("fit", path, "--at", 8, "-o", tmp_path / "n.json").prints("retransmission time-out")
    return tmp_path / "n.json", path


def test_errors_of_shares_and_modes_are_told(contend, files):
    said = contend("validate", *files)
    assert said.code == 0
    assert "percentage points" in said.err
    errors = contend("validate", *files, "--json").json["alltoall/native"]["timeouts"]
    assert errors["points"] == 18
    assert json.loads(files[0].read_text())["operations"][0]["timeout_errors"] == errors


def test_predictions_have_both_modes_and_their_share(contend, files):
    said = contend("predict", files[0], "-n", 16, "-m", "4KiB")
    assert said.code == 0
    assert "with a time-out" in " ".join(said.out.split())
    (row,) = contend("predict", files[0], "-n", 16, "-m", "4KiB", "--json").json
    assert row["share_low"] <= row["share"] <= row["share_high"]
    assert row["seconds"] <= row["mean"] <= row["with_timeout"] * 1.2
    assert row["median"] in (row["seconds"], row["with_timeout"])


def test_the_page_has_a_part_of_time_outs(contend, quick_reports, files, tmp_path):
    contend("validate", *files)
    assert contend("report", *files, "-o", tmp_path / "report").code == 0
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Time-outs of alltoall/native" in page
    assert "percentage points" in page
