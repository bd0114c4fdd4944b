"""The table of errors at n that were left out."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.timeouts import main

from support.synthesis import SIZES, pingpong, save
from support.timeouts import ALPHA, BETA, Lossy


def test_each_n_is_left_out_and_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    samples = Lossy(noise=0.01).samples(rng, (4, 6, 8, 12), launches=1, repetitions=20)
    main(save([*samples, *pingpong(ALPHA, BETA, SIZES)], tmp_path / "samples.jsonl"))
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if "| " in line]
    found = {line[1]: float(line[3]) for line in lines if line[0].endswith("alltoall/native")}
    assert found.keys() == {"4", "6", "8", "12", "each"}
    assert found["each"] < 15
