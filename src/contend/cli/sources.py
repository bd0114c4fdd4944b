"""Options of how the output of a benchmark is read."""

import re
from dataclasses import dataclass
from typing import Any

from contend.api import InvalidInputError, ReadOptions
from contend.cli import options
from contend.cli.options import option
from contend.cli.pairs import named_pairs

NAMES = ("experiment", "algorithm", "reader", "statistic")
STATISTICS: tuple[Any, ...] = ("repetition", "mean", "median", "minimum")


def _split(texts: list[str] | None) -> list[str]:
    """Return the pairs of texts, apart at each comma that a further name follows."""
    return [pair for text in texts or [] for pair in re.split(r",(?=\s*\w+\s*=)", text)]


@dataclass(frozen=True)
class Form:
    """Options of how the output of a benchmark is read, and what it does not say itself."""

    processes: int | None = option(
        "Where the file does not say.", "-n", "--n", "--processes", min=2
    )
    ppn: options.PerNode = None
    facts: list[str] | None = option(
        "What the files do not say: experiment=alltoall, algorithm=native (of several the one to "
        "explain), reader=osu (their format), statistic=mean (what one time of a CSV is: "
        "repetition, mean, median or minimum).",
        "--as",
        metavar="NAME=VALUE,...",
    )
    columns: list[str] | None = option(
        "Columns of a table, contend's name first: m=bytes,time_us=latency,n=ranks.",
        "--map",
        metavar="NAME=COLUMN,...",
    )
    where: list[str] | None = option("Rows of a table to read, as column=value.")

    @property
    def _facts(self) -> dict[str, str]:
        return named_pairs(self.facts, "--as", NAMES, has_open_values=True)

    @property
    def reader(self) -> str | None:
        """Return the format of the files."""
        return self._facts.get("reader")

    @property
    def options(self) -> ReadOptions:
        """Return the options of a reader."""
        facts = self._facts
        given = facts.get("statistic")
        statistic = next((each for each in STATISTICS if each == given), None)
        if given is not None and statistic is None:
            names = ", ".join(STATISTICS)
            raise InvalidInputError(f"--as statistic={given}", f"name one of {names}")
        return ReadOptions(
            experiment=facts.get("experiment"),
            algorithm=facts.get("algorithm"),
            n=self.processes,
            processes_per_node=self.ppn,
            columns=named_pairs(_split(self.columns), "--map"),
            where=named_pairs(self.where, "--where"),
            statistic=statistic,
        )
