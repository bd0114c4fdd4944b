"""Every algorithm of some operations, measured: python -m benchmarks.collectives FOLDER [ON].

Each algorithm runs by its schedule, with some choices of its options, at three numbers of
processes; one samples file for each choice, as `contend validate --schedules` takes them. A run
that was stopped goes on where it was. ON is a lab or `here`; PREFIX in the environment is put
before each command, e.g. to keep other work away meanwhile.
"""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

from contend.schedules import choosable

OPERATIONS = ("bcast", "scatter", "gather", "alltoall")
CHOICES = {"segment": ("2KiB", "8KiB", "32KiB"), "degree": ("3",), "window": ("2", "4")}
LOCAL_CHOICES = {"segment": ("8KiB",), "degree": ("3",), "window": ("4",)}
COUNTS = {"here": (2, 4, 8)}  # else those of a lab of 12 hosts
LAB_COUNTS = (4, 8, 12)
BRIEF = {"here": ("--launches", "2", "--max-seconds", "0.2")}
SIZES = "1KiB,2KiB,4KiB,16KiB,64KiB"
LONGER = {"bcast": ",256KiB"}  # of a message as a whole; of blocks 64 KiB are as many bytes


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder, on = Path(sys.argv[1]), (sys.argv[2:] or ["lab:fast-ethernet"])[0]
    folder.mkdir(parents=True, exist_ok=True)
    choices = LOCAL_CHOICES if on == "here" else CHOICES
    for operation in OPERATIONS:
        for algorithm in choosable(operation, None):
            counts = [n for n in COUNTS.get(on, LAB_COUNTS) if algorithm.restriction(n) is None]
            for values in product(*(choices[name] for name in algorithm.options)):
                options = dict(zip(algorithm.options, values, strict=True))
                run(folder, on, operation, algorithm.name, counts, options)


def run(
    folder: Path, on: str, operation: str, name: str, counts: list[int], options: dict[str, str]
) -> None:
    """One file of samples."""
    path = folder / f"{'-'.join([operation, name, *options.values()])}.jsonl"
    given = [word for option, value in options.items() for word in (f"--{option}", value)]
    sizes = SIZES + LONGER.get(operation, "")
    subprocess.run(
        [*os.environ.get("PREFIX", "").split(), sys.executable, "-m", "contend", "measure",
         "schedule", operation, name, "-n", ",".join(map(str, counts)), "-m", sizes, *given,
         "--on", on, *BRIEF.get(on, ()), "-o", str(path)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    print(path, flush=True)


if __name__ == "__main__":
    main()
