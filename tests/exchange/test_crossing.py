"""Messages over a slow link, as the lab's switch counts them: what the exchange is for."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library, source_folder
from contend.measure.command import LaunchOptions, settings
from contend.measure.lab.session import start, why_impossible
from contend.measure.lab.specification import parse_lab
from support.processes import completed
from support.synthesis import lab_of_two_clusters
from support.timing import Timing, require_right

pytestmark = [
    pytest.mark.mpi,
    # a machine that is late sends segments again
    pytest.mark.timeout(120),
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]

BYTES = 300  # the largest message, of four blocks, is one segment of TCP
FEW, MANY = 1, 7
PLAN = "contend-exchange 1\nlevel cluster\ngroup left host left*\ngroup right host right*\n"
LINKS = ("backbone:left-right", "backbone:right-left")
# Each block in a message of its own: what the libraries do with blocks of this size on their own
# differs by library, number of processes and version.
ONE_BY_ONE = {
    "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
    "OMPI_MCA_coll_tuned_alltoall_algorithm": "1",
    "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": "scattered",
}
HEADERS = 14 + 20 + 32, 14 + 20 + 32 + 60  # of a frame: Ethernet, IP, TCP; and at most MPI's own


@pytest.fixture(scope="module")
def crossing(mpi, tmp_path_factory):
    """The program that reads the switch's counters around its calls."""
    program = tmp_path_factory.mktemp("crossing") / "crossing"
    common = source_folder() / "common"
    sources = [Path(__file__).with_name("crossing.c"), common / "counters.c", common / "json.c"]
    flags = ["-std=c11", "-O1", "-D_GNU_SOURCE", f"-I{common}", "-o", str(program)]
    subprocess.run([mpi.mpicc, *flags, *map(str, sources)], check=True, timeout=60)
    return program


def call_alltoall(mpi, running, words, n, **variables):
    """What the counters grew by in `MANY - FEW` calls under the library."""
    mine = {f"CONTEND_EXCHANGE_{key.upper()}": str(value) for key, value in variables.items()}
    mine |= {"LD_PRELOAD": str(preloaded_library(mpi)), "CONTEND_EXCHANGE": "1"}
    each = ["env", *(f"{key}={value}" for key, value in mine.items()), *words]
    chosen = settings(mpi, n, LaunchOptions()) | running.variables | ONE_BY_ONE
    done = completed(
        [*running.command(), *mpi.launcher, "-n", str(n), *each], env=chosen, timeout=60
    )
    said = re.search(r"\{.*\}", done.stdout)
    assert done.returncode == 0 and said is not None, done.stderr + done.stdout
    counted: dict[str, int] = json.loads(said[0])
    return counted


@pytest.mark.parametrize(
    ("name", "left", "right", "messages"),
    [
        ("native", 4, 2, 2 * 4 * 2),
        ("lg", 4, 2, 2 * 4),
        ("lg_balanced", 3, 2, 2 * 3 + 1),  # a partial group's blocks take one more
    ],
)
def test_messages_over_the_backbone(mpi, crossing, tmp_path, name, left, right, messages):
    """Native 2 n1 n2, LG 2 max(n1, n2) and what a partial group needs; each byte crosses once."""
    plan = tmp_path / "plan"
    plan.write_text(PLAN)
    counters = [f"{kind}:{link}" for link in LINKS for kind in ("data", "frames", "bytes")]
    words = [str(crossing), str(BYTES), str(FEW), str(MANY), *counters]

    def attempt():
        lab = parse_lab(
            lab_of_two_clusters(left, right, delay="1ms", buffer="128KiB"), "halves", ""
        )
        with start(lab) as running:
            n = left + right
            counted = call_alltoall(mpi, running, words, n, plan=plan, algorithm=name)
            after = running.counters()
        data, frames, crossed = (
            sum(counted[f"{kind}:{link}"] for link in LINKS) for kind in ("data", "frames", "bytes")
        )
        calls, again = MANY - FEW, after["retransmissions"]
        least, most = (calls * 2 * left * right * BYTES + frames * header for header in HEADERS)
        return Timing(
            data == calls * messages and least <= crossed <= most,
            f"{data} messages and {crossed} bytes in {frames} frames in {calls} calls",
            f"{again} segments were sent again" if again else "",
        )

    require_right(attempt)
