"""What the options of a sweep mean, and what it shows."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds
from contend.cli import output
from contend.cli.result import Cell, Part, Result, Table, is_unknown
from contend.programs.sweeps.case import Case, case_of
from contend.programs.sweeps.patterns import is_pattern
from contend.programs.sweeps.product import placements, product, read_cases
from contend.programs.sweeps.record import Swept

SHOWN = 40  # rows on the console
# What the base has of the choices: where the program runs, not what it might do otherwise.
SETTING = ("network", "model", "topology", "hosts", "eager", "ranks")
Choices = Mapping[str, str | list[str] | None]


def base_of(
    trace: str, choices: Choices, scaling: str, baseline: str, cases_file: Path | None
) -> Case:
    """The first of each choice of `SETTING`, or of the rows of a file; in all else as it ran.

    A pattern has no number of ranks of its own, a recorded program has.
    """
    usual = {"scaling": scaling, "baseline": baseline}
    first: dict[str, Any] = {name: words(choices[name])[:1] for name in SETTING}
    first = {name: given[0] for name, given in first.items() if given}
    if cases_file is not None:
        others = [name for name, given in choices.items() if given and name != "network"]
        if others:
            raise InvalidInputError(
                f"both --cases and a choice of {others[0]}", "write all choices into the file"
            )
        row = read_cases(cases_file, case_of(usual | first) if first else None)[0]
        first = {name: getattr(row, name) for name in SETTING}
    if "network" not in first:
        raise InvalidInputError("no network", "give --network network.json, or line:20us:1Gbit/s")
    if not is_pattern(trace):
        first["ranks"] = None
    return case_of(usual | first)


def cases_of(base: Case, choices: Choices) -> list[Case]:
    """The product of all choices."""
    given: dict[str, list[Any]] = {name: words(text) for name, text in choices.items()}
    given["placement"] = placements(given["placement"])
    return product(base, **given)


def words(text: str | list[str] | None) -> list[str]:
    """Words of an option, apart by commas.

    >>> words("a, b"), words(["a,b", "c"]), words(None)
    (['a', 'b'], ['a', 'b', 'c'], [])
    """
    texts = [text] if isinstance(text, str) else text or []
    return [word.strip() for one in texts for word in one.split(",") if word.strip()]


@contextmanager
def progress(count: int) -> Iterator[Callable[[Swept, int, int], None]]:
    """A bar on the terminal, and what to tell it."""
    with output.progress_bar() as bar:
        task = bar.add_task("cases", total=count)

        def told(_: Swept, done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield told


def swept(found: pd.DataFrame) -> Result:
    """Return all rows; show the fastest cases and the base, what failed, how many there are."""
    base, failed = found.attrs["base_seconds"], found["error"] != ""
    names = ("recorded_seconds", "varied", "shortfall")
    data = {"base_seconds": base, **{name: found.attrs[name] for name in names}, "cases": found}
    shortfall = found.attrs["shortfall"]
    warnings = [shortfall] if shortfall else []
    return Result(data, _parts(found), code=bool(failed.any()), warnings=warnings)


def _parts(found: pd.DataFrame) -> Iterator[Part]:
    done, failed = found[found["error"] == ""], found[found["error"] != ""]
    varied: dict[str, Cell] = {name: _varied(name) for name in found.attrs["varied"]}
    shown = done.head(SHOWN)
    if done["is_base"].any() and not shown["is_base"].any():
        shown = pd.concat([shown, done[done["is_base"]]])
    if len(shown):
        yield Table(shown, varied | TIMES, "cases, the fastest first")
    if (recorded := found.attrs["recorded_seconds"]) is not None:
        yield (
            f"the run took {format_seconds(recorded)} where it was recorded; "
            "speed-ups are over the base, which is replayed too"
        )
    if len(done) > len(shown):
        yield f"{len(done) - len(shown)} slower cases are not shown; --json shows all"
    if len(failed):
        yield Table(failed.head(SHOWN), varied | {"why": "error"}, "cases that failed")
        yield f"{len(failed)} of {len(found)} cases failed"


def _varied(name: str) -> Cell:
    """A field in which cases differ; what is left to the replay is a dash."""
    return lambda row: "–" if is_unknown(row[name]) or row[name] == "" else row[name]


def signed(value: float) -> str:
    """Return the text of seconds, which may be less than none."""
    return format_seconds(value) if value >= 0 else f"-{format_seconds(-value)}"


TIMES: dict[str, Cell] = {
    "time": ("seconds", signed),
    "speed-up": ("speedup", "{:.2f}".format),
    "lost": ("lost", signed),
    "share lost": ("lost_share", output.percent),
    "": lambda row: "base" if row["is_base"] else "",
}
