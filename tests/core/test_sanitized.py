"""Tests of the C++ core itself, built with sanitizers: what they find is an error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(1800)
def test_the_core_passes_its_tests_with_sanitizers():
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if (cmake := shutil.which("cmake", path=places)) is None:
        pytest.skip("there is no cmake")
    done = subprocess.run(
        [cmake, "--workflow", "--preset", "sanitize"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
