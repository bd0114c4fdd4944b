"""What workers of tests do in the place of a replay: some cases end the process that runs them."""

import os
import signal
from pathlib import Path

from contend.sweeps.case import Case
from contend.sweeps.record import Swept
from contend.sweeps.run import Files
from contend.sweeps.source import Source

SOURCE = Source("none", "0" * 64, "none")


def tasks(folder: Path, count: int, deaths: dict[int, int]) -> list[tuple[Case, Files]]:
    """Cases with a number; `deaths` says how many times each ends its worker before it is done."""
    return [
        (Case(network=str(folder), model=str(number), ranks=1 + deaths.get(number, 0)), ())
        for number in range(count)
    ]


def run(source: Source, case: Case, files: Files, attempt: int) -> Swept:
    """The number of the case as its seconds, after as many deaths as it is due."""
    assert case.ranks is not None
    for death in range(case.ranks - 1):
        mark = Path(case.network, f"{case.model}.{death}")
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    Path(case.network, f"{case.model}.done").touch()
    return Swept(
        trace=source.name,
        trace_sha256=source.sha256,
        case=case,
        seconds=float(case.model),
        attempts=attempt,
    )


def refuse(source: Source, case: Case, files: Files, attempt: int) -> Swept:
    """What no case may do: raise."""
    raise ArithmeticError(f"case {case.model}")
