from pathlib import Path

import numpy as np
import pytest

from support import watching


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.fixture
def record(rng: np.random.Generator) -> watching.Record:
    """The record of a job of two kinds of calls."""
    rows = (watching.Row(), watching.Row("barrier", m=0, algorithm=None))
    return watching.job(rng, watching.Watched(rows))


@pytest.fixture
def site(tmp_path: Path, record: watching.Record, rng: np.random.Generator) -> Path:
    """A site's file of two jobs."""
    return watching.write_site(tmp_path / "site.jsonl", [record, watching.job(rng)])
