"""Commands that measure, launch or compile, made short, and what they find where they run."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from contend.measure.mpi import MPI

FEW = "-m 64,16KiB --launches 1 --repeat min=2,max=2,warmup=0"
GRAPH = "--launches 1 --repeat max=1,warmup=0 -m 16KiB"
BENCH = "-m 256 --launches 1 --repeat max=2,warmup=0"
TWO = "--algorithms native,auto"  # one of the commands has all of them
LAB_OF_3 = "--on lab:fast-ethernet,hosts=3"
SITE = "two-clusters,hosts=2,time_dilation=1"  # where launchers of a site launch
TWO_CLUSTERS = f"--on lab:{SITE}"

# Words put behind a command, or before the -- of a program, by how it begins: the last one of an
# option counts. What begins so is run by test_launching_commands.py, not by test_shell_snippets.py.
SHORTENED = {
    "contend doctor": "",
    "contend study": f"-n 2,3 --at 3 {FEW} -m 64,1KiB,4KiB,16KiB --max-minutes 0.1 {LAB_OF_3} "
    "--no-library-algorithms",
    "contend study -o": f"-n 2,3 --at 3 {FEW} -m 64,1KiB,4KiB,16KiB --max-minutes 0.1 "
    "--no-library-algorithms",
    "contend measure": f"-n 2,3 -e alltoall_native {FEW}",  # a study has all experiments
    "contend measure links": f"-n 4 {FEW}",
    "contend measure links --groups clusters.toml --on": f"-n 4 {FEW} {TWO_CLUSTERS}",
    "contend measure --plan": "--max-minutes 0.1",
    "contend measure -e": f"-n 2,4 {FEW}",
    "contend measure library": f"-n 2 --ppn 1 --collective bcast {FEW}",
    "contend measure collectives": f"-n 2,3 -e alltoall_native {FEW}",
    "contend measure collectives bcast": f"-n 4 {FEW}",
    "contend measure collectives alltoall": f"-n 4 {FEW}",
    "contend measure collectives alltoall leaders": f"-n 8 {FEW}",
    "contend measure messages": f"{GRAPH} --random 1",
    "contend measure messages my-graphs.json": GRAPH,
    "contend measure hosts": "-n 4 --repeat min=2,max=2",
    "contend alltoall bench --mpiexec": f"-n 4 --ppn 1 {BENCH} {TWO}",
    "contend alltoall bench --on lab:two-clusters": f"-n 4 {BENCH} {TWO_CLUSTERS}",
    "contend alltoall bench --on lab:two-clusters,buffer=24KiB": f"-n 4 {BENCH} {TWO} "
    f"{TWO_CLUSTERS}",
    "contend alltoall bench --on lab:fast-ethernet,hosts=4": f"-n 8 {BENCH} {TWO}",
    "contend alltoall run --library": "",
    "contend record": "",
    "contend alltoall run": "",
    "contend watch": "",
    "contend tune apply": "--repeat pairs=2 --library TARGET --mpicc MPICC",
    "contend tune verify": "--repeat pairs=0",
    "contend tune verify rules.conf -o": "--repeat pairs=1",
    "contend tune export decisions.json --library mpich-5.0.2": "--default LIBRARY --library mpich",
    "contend lab": "",
}

# Packages that a command needs, by a word of it.
NEEDED = {"my_app.py": "mpi4py"}

LAUNCHERS = ("srun", "mpiexec", "mpirun")
# Of a site: ranks are few, and of the options only variables and their number count.
LAUNCHER = """#!/bin/bash
[ "$1" != --version ] || exec {launcher} --version
n=1 kept=()
while :; do
  case $1 in
    -n) n=$2; shift 2 ;;
    -p | -f | -N | -ppn | --map-by) shift 2 ;;
    -x) kept+=("$1" "$2"); shift 2 ;;
    -env | -genv) kept+=("$1" "$2" "$3"); shift 3 ;;
    -*) shift ;;
    *) break ;;
  esac
done
exec {launcher} "${{kept[@]}}" -n $((n < 4 ? n : 4)) "$@"
"""

PROGRAMS = {
    "my_app.c": """
#include <mpi.h>
int main(int argc, char **argv)
{
    static char from[65536], to[65536];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 8; i++) {
        MPI_Bcast(from, 65536, MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Alltoall(from, 1024, MPI_CHAR, to, 1024, MPI_CHAR, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
""",
    "my_app.py": """
from mpi4py import MPI
MPI.COMM_WORLD.alltoall(range(MPI.COMM_WORLD.size))
""",
}
LAB = """
[[clusters]]
name = "left"
hosts = 3
rate = "100Mbit/s"
buffer = "128KiB"
latency = "50us"
"""


def start_of(command: str) -> str | None:
    """The longest entry of `SHORTENED` that a command begins with; None where there is none."""
    found = [start for start in SHORTENED if command == start or command.startswith(f"{start} ")]
    return max(found, key=len, default=None)


def shortened(command: str) -> list[str]:
    """Words behind `contend`, with those that make the command short."""
    start = start_of(command)
    words, added = shlex.split(command)[1:], shlex.split(SHORTENED[start] if start else "")
    end = words.index("--") if "--" in words else len(words)
    return [*words[:end], *added, *words[end:]]


def write(folder: Path, mpi: MPI, compile_it: Callable[..., Path]) -> None:
    """What the commands name and contend has not made, in a folder that others use too."""
    (folder / "bin").mkdir()
    for name in LAUNCHERS:
        path = folder / "bin" / name
        path.write_text(LAUNCHER.format(launcher=shlex.join(mpi.launcher)))
        path.chmod(0o755)
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text)
    shutil.copy(compile_it(mpi.mpicc, folder / "my_app.c"), folder / "my_app")
    (folder / "hosts").write_text("localhost:4\n")
    (folder / "my-network.toml").write_text(LAB)
    (folder / "my-graphs.json").write_text('{"fan": [["a", "b"], ["a", "c"]]}')
    (folder / "cases.csv").write_text("compute\n1\n0.5\n")
    for path in (*folder.glob("*.jsonl"), folder / "verified.json"):
        if path.name != "site.jsonl":
            path.unlink()  # each measures anew
