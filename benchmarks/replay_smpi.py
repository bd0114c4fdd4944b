"""The same time-independent trace replayed here and by SMPI, side by side.

    python -m benchmarks.replay_smpi [--messages 20000 100000]

Steps of the first case of `benchmarks.replay`, as a trace of SMPI that both read. SMPI has
its factors off, and hosts of 125 MB/s with 5 us up and down that share by max-min fairness. What is
told is the time of the run, and processor time, without that of reading the trace here.
"""

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pandas as pd
from benchmarks.replay import permutations

from contend.base.number_text import signed_percent
from contend.cli.output import markdown
from contend.programs.replay import Line, replay
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import read_trace
from contend.programs.traces.writer import WRITERS

RANKS = 64
LATENCY, BANDWIDTH = 1e-5, 125e6
ADDED = 16  # bytes that SMPI adds to a message
PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-{RANKS - 1}" speed="1Gf" bw="125MBps" lat="5us"
    sharing_policy="SPLITDUPLEX"/>
</platform>
"""
OPTIONS = (
    "network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
    "network/bandwidth-factor:1", "network/latency-factor:1", "network/weight-S:0",
    "smpi/os:0:0:0", "smpi/or:0:0:0", "smpi/ois:0:0:0", "smpi/test:0", "smpi/wtime:0",
)  # fmt: skip


def theirs(folder: Path) -> tuple[float, float]:
    """Seconds that SMPI says, and that it took."""
    (folder / "platform.xml").write_text(PLATFORM, encoding="utf-8")
    hosts = "\n".join(f"h{rank}" for rank in range(RANKS))
    (folder / "hosts").write_text(hosts + "\n", encoding="utf-8")
    command = ["smpirun", "-np", str(RANKS), "-platform", "platform.xml", "-hostfile", "hosts",
               "-replay", "trace", *(f"--cfg={one}" for one in OPTIONS),
               "--log=smpi_replay.thres:info"]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = [line for line in done.stderr.splitlines() if "Simulation time" in line]
    if done.returncode or not said:
        raise SystemExit(f"smpirun: {done.stderr[-2000:]}")
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(said[-1].rsplit(maxsplit=1)[-1]), taken


def row(messages: int) -> dict[str, str]:
    """One size of trace."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = permutations(RANKS, messages, 0.5)
        given.bytes[given.kind == OpKind.RECEIVE] = 2_000_000  # as much as fits
        WRITERS.get("ti").write(given, folder / "trace")
        trace = read_trace(folder / "trace")
        trace.bytes[trace.bytes > 0] += ADDED
        begin = time.process_time()
        found = replay(trace, Line(LATENCY, BANDWIDTH, eager=65535), "maxmin", baseline="maxmin")
        taken = time.process_time() - begin
        seconds, other = theirs(folder)
    return {
        "messages": str(found.messages),
        "here": f"{found.seconds:.4f} s",
        "SMPI": f"{seconds:.4f} s",
        "difference": signed_percent(found.seconds / seconds - 1),
        "CPU s here": f"{taken:.2f}",
        "CPU s SMPI": f"{other:.2f}",
        "messages per s here": f"{found.messages / taken:,.0f}",
        "messages per s SMPI": f"{found.messages / other:,.0f}",
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, nargs="+", default=[20_000, 100_000])
    given = parser.parse_args()
    if shutil.which("smpirun") is None:
        raise SystemExit("there is no smpirun; install SimGrid")
    print(markdown(pd.DataFrame([row(messages) for messages in given.messages])))


if __name__ == "__main__":
    main()
