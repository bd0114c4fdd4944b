"""What the options of a sweep mean, and what it shows."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contend.cli import output
from contend.errors import InvalidInputError

if TYPE_CHECKING:
    import pandas as pd

    from contend.sweeps.case import Case
    from contend.sweeps.record import Swept

# What the base has of the choices: where the program runs, not what it might do otherwise.
SETTING = ("network", "model", "topology", "hosts", "eager", "ranks")
Choices = Mapping[str, str | list[str] | None]


def base_of(
    trace: str, choices: Choices, scaling: str, baseline: str, cases_file: Path | None
) -> "Case":
    """The first of each choice of `SETTING`, or of the rows of a file; in all else as it ran.

    A pattern has no number of ranks of its own, a recorded program has.
    """
    from contend.sweeps.case import case_of
    from contend.sweeps.patterns import is_pattern
    from contend.sweeps.product import read_cases

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


def cases_of(base: "Case", choices: Choices) -> "list[Case]":
    """The product of all choices."""
    from contend.sweeps.product import placements, product

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
def progress(count: int) -> "Iterator[Callable[[Swept, int, int], None]]":
    """A bar on the terminal, and what to tell it."""
    with output.progress_bar() as bar:
        task = bar.add_task("cases", total=count)

        def told(_: "Swept", done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield told


def document(found: "pd.DataFrame") -> dict[str, object]:
    """All rows as JSON."""
    base = found.attrs["base_seconds"]
    return {
        "base_seconds": None if math.isnan(base) else base,
        "recorded_seconds": found.attrs["recorded_seconds"],
        "varied": found.attrs["varied"],
        "shortfall": found.attrs["shortfall"],
        "cases": output.records(found),
    }


def show(found: "pd.DataFrame", top: int) -> None:
    """The fastest cases and the base, what failed, and how many there are."""
    import pandas as pd

    from contend.units import format_seconds

    done, failed = found[found["error"] == ""], found[found["error"] != ""]
    shown = done.head(top)
    if done["is_base"].any() and not shown["is_base"].any():
        shown = pd.concat([shown, done[done["is_base"]]])
    if len(shown):
        output.show_table(_times(shown, found.attrs["varied"]), "cases, the fastest first")
    if (recorded := found.attrs["recorded_seconds"]) is not None:
        output.note(
            f"the run took {format_seconds(recorded)} where it was recorded; "
            f"speed-ups are over the base, which is replayed too"
        )
    if len(done) > len(shown):
        output.note(f"{len(done) - len(shown)} slower cases are not shown; --json shows all")
    if len(failed):
        output.show_table(_errors(failed.head(top), found.attrs["varied"]), "cases that failed")
        output.note(f"{len(failed)} of {len(found)} cases failed")


def _times(rows: "pd.DataFrame", varied: list[str]) -> "pd.DataFrame":
    from contend.units import format_seconds

    def seconds(value: float) -> str:
        return format_seconds(value) if value >= 0 else f"-{format_seconds(-value)}"

    table = _texts(rows, varied)
    table["time"] = [seconds(value) for value in rows["seconds"]]
    table["speed-up"] = ["–" if math.isnan(value) else f"{value:.2f}" for value in rows["speedup"]]
    table["lost"] = [seconds(value) for value in rows["lost"]]
    table["share lost"] = [output.percent(value) for value in rows["lost_share"]]
    table[""] = ["base" if is_base else "" for is_base in rows["is_base"]]
    return table


def _errors(rows: "pd.DataFrame", varied: list[str]) -> "pd.DataFrame":
    table = _texts(rows, varied)
    table["why"] = rows["error"]
    return table


def _texts(rows: "pd.DataFrame", varied: list[str]) -> "pd.DataFrame":
    """The fields in which cases differ; what is left to the replay is a dash."""
    table = rows[varied].astype(object)
    return table.where(table.notna() & (table != ""), "–").astype(str)
