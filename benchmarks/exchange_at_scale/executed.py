"""The exchange library itself, executed on a simulated platform, beside the engine's times.

    python -m benchmarks.exchange_at_scale.executed [-m M ...]

Needs SimGrid with SMPI (Debian: libsimgrid-dev), whose smpicc compiles the library's sources, and
whose smpirun runs them with the ranks of 30 + 30 nodes in one process. Its network is CM02 without
factors and cross traffic: latency and max-min shares, as the engine has them. SMPI's own
algorithms, and its rules of Open MPI and MPICH, are run beside. All bytes are checked.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from benchmarks.exchange_at_scale.__main__ import joined
from benchmarks.exchange_at_scale.joined import Joined
from benchmarks.exchange_at_scale.pick import Pick
from benchmarks.exchange_at_scale.portfolio import seconds

from contend.alltoall.plan.link_queues import WIRE
from contend.base.units import format_bytes
from contend.cli.output import markdown
from contend.measure.build import source_folder

HERE = Path(__file__).parent
SIZES = (1, 64, 1024, 4096, 16384, 65536)
PLAN = "contend-exchange 1\nlevel cluster\ngroup a host a-*\ngroup b host b-*\n"
LINK = "link cluster latency_s {} bandwidth {} buffer 1048576 timeout_s 0.2\n"
OURS = {
    "lg": Pick("lg"),
    "lg_balanced": Pick("lg_balanced"),
    "paced window=4": Pick("paced", "window", 4),
    "paced window=16": Pick("paced", "window", 16),
    "spaced": Pick("spaced"),
    "throttled_pairwise window=4": Pick("throttled_pairwise", "window", 4),
}
NATIVE = {
    "basic_linear": Pick("rotated"),
    "ring": Pick("ring"),
    "bruck": Pick("bruck"),
    "ompi": None,
    "mpich": None,
}
MODEL = {
    "network/model": "CM02",
    "network/TCP-gamma": "0",
    "network/crosstraffic": "0",
    "smpi/simulate-computation": "no",
    "smpi/async-small-thresh": "16777216",
    "smpi/send-is-detached-thresh": "16777216",
    "smpi/iprobe": "1e-6",
    "smpi/grow-injected-times": "no",  # else each MPI_Iprobe in vain takes longer than the last
}


def platform(network: Joined) -> str:
    """Two clusters of SimGrid with a link between their routers."""
    near, far = network.near / 2, network.far - network.near
    clusters = "".join(
        f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-{size - 1}" speed="1Gf" '
        f'bw="{network.host}Bps" lat="{near}s" router_id="{name}-router"/>\n'
        for name, size in zip("ab", network.sizes, strict=True)
    )
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM '
        '"https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
        f'<zone id="grid" routing="Full">\n{clusters}'
        f'<link id="backbone" bandwidth="{network.backbone}Bps" latency="{far}s" '
        'sharing_policy="SPLITDUPLEX"/>\n'
        '<zoneRoute src="a" dst="b" gw_src="a-router" gw_dst="b-router">'
        '<link_ctn id="backbone" direction="UP"/></zoneRoute>\n</zone>\n</platform>\n'
    )


def build(folder: Path) -> Path:
    """The program with the library's sources in it."""
    source = source_folder() / "interpose"
    others = ("offsets.c", "operations.c", "communicators.c")
    parts = [*(source / "exchange").rglob("*.c"), *(source / name for name in others)]
    program = folder / "executed"
    flags = [
        "-std=gnu11",
        "-O2",
        f"-I{source}",
        "-Dgethostname=contend_simulated_name",
    ]
    flags += ["-DPMPI_Comm_get_parent=contend_simulated_parent"]
    command = ["smpicc", *flags, "-o", program, HERE / "executed.c", *parts, "-ldl"]
    subprocess.run(list(map(str, command)), check=True)
    return program


def run(program: Path, network: Joined, sizes: list[int], **choice: str) -> dict[int, float]:
    """Seconds by size; `choice` is an algorithm of ours, or one of SMPI's."""
    hosts = [
        f"{name}-{i}" for name, size in zip("ab", network.sizes, strict=True) for i in range(size)
    ]
    folder = program.parent
    (folder / "platform.xml").write_text(platform(network))
    (folder / "hosts").write_text("\n".join(hosts) + "\n")
    link = LINK.format(network.far, WIRE * network.backbone)  # others would set a window by it
    (folder / "plan").write_text(PLAN + link * (choice.get("ours") == "spaced"))
    model = dict(MODEL)
    model["smpi/os"] = model["smpi/ois"] = f"0:{network.overhead}:0"
    if "native" in choice:
        model["smpi/alltoall"] = choice["native"]
    command = ["smpirun", "-np", str(len(hosts)), "-platform", "platform.xml", "-hostfile", "hosts"]
    command += [f"--cfg={name}:{value}" for name, value in model.items()]
    command += [
        "--log=root.thresh:critical",
        "./executed",
        "contend" if "ours" in choice else "native",
    ]
    variables = {"CONTEND_EXCHANGE_PLAN": str(folder / "plan")}
    if "ours" in choice:
        variables["CONTEND_EXCHANGE_ALGORITHM"] = choice["ours"]
    done = subprocess.run(
        [*command, *map(str, sizes)],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    if done.returncode or len(rows) != len(sizes):
        raise RuntimeError(done.stderr + done.stdout)
    return {int(m): float(taken) for m, taken in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", type=int, nargs="*", default=list(SIZES))
    options = parser.parse_args()
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        print("SimGrid's smpicc and smpirun are not installed (Debian: libsimgrid-dev)")
        return
    network = joined(30, 30)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for kind, every in (("ours", OURS), ("native", NATIVE)):
            for name, pick in every.items():
                found = run(program, network, options.m, **{kind: name})
                rows.append(_row(f"{name}, executed", options.m, found.values()))
                if pick is not None:
                    solved = [seconds(network, pick, m) for m in options.m]
                    rows.append(_row("by the engine", options.m, solved))
    print(markdown(pd.DataFrame(rows)))


def _row(name: str, sizes: Iterable[int], times: Iterable[float]) -> dict[str, str]:
    shown = (f"{taken * 1e3:.4g}" for taken in times)
    return {"milliseconds": name, **dict(zip(map(format_bytes, sizes), shown, strict=True))}


if __name__ == "__main__":
    main()
