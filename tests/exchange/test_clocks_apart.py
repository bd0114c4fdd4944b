"""The check of hosts whose clocks show different times."""

import re
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.lab.programs import SHIM
from contend.measure.lab.session import start, why_impossible
from contend.measure.lab.specification import parse_lab
from support.processes import completed
from support.synthesis import lab_of_two_clusters

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.timeout(120),
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]

HERE = Path(__file__).parent
APART = "left1:11,left2:-7,right1:5,right2:3"  # seconds
LATE = 0.1  # seconds
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def test_clocks_that_are_seconds_apart_do_not_count(mpi, compiled):
    """Nor does waiting for those that come late: all but the one whose clock is ahead of all."""
    program = compiled(mpi.mpicc, "-std=c11", "-D_GNU_SOURCE", "-rdynamic", HERE / "late.c", "-ldl")
    text = lab_of_two_clusters(2, 2, delay="1ms", buffer="64KiB")
    with start(parse_lab(text, "apart", "apart")) as running:
        mine = running.variables | {
            "CONTEND_CLOCK_OFFSET": APART,
            "CONTEND_EXCHANGE_EXPLAIN": "1",
            "CONTEND_EXCHANGE": "1",
            "LD_PRELOAD": f"{SHIM}:{preloaded_library(mpi)}",
        }
        each = ["env", *(f"{key}={value}" for key, value in mine.items())]
        late = f'[ "$(hostname)" = left1 ] || export LATE_NS={LATE * 1e9:.0f}; exec "$@"'
        done = completed(
            [
                *running.command(),
                *mpi.launcher,
                "-n",
                "4",
                *each,
                "sh",
                "-c",
                late,
                "sh",
                str(program),
                "150",
                "10000",
                "equal",
            ],
            env=settings(mpi, 4, LaunchOptions()) | running.variables,
        )
    assert done.returncode == 0, done.stderr
    told = re.search(r"\((?:measured:|the library takes) ([^;)]*)[;)]", done.stderr)
    assert told is not None, done.stderr
    times = re.findall(r"([\d.e+-]+) (us|ms|s)\b", told[1])
    assert times
    for number, unit in times:
        assert 1e-3 < float(number) * SECONDS[unit] < LATE / 2, told[1]
