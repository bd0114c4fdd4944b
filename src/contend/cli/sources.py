"""Options of how the output of a benchmark is read."""

from dataclasses import dataclass

from contend.api import ReadOptions
from contend.cli import completion, options
from contend.cli.options import option


@dataclass(frozen=True)
class Form:
    """Options of how the output of a benchmark is read, and what it does not say itself."""

    reader: str | None = option(
        "Format; recognised when not given.", autocompletion=completion.readers
    )
    experiment: str | None = option("Where the file does not say.")
    algorithm: str | None = option(
        "Where the file does not say; of several the one to explain.",
        autocompletion=completion.algorithms,
    )
    processes: int | None = option(
        "Where the file does not say.", "-n", "--n", "--processes", min=2
    )
    ppn: options.PerNode = None
    columns: list[str] | None = option(
        "Column of a table, as field=column: m, time, n, launch, ...", "--map"
    )
    where: list[str] | None = option("Rows of a table to read, as column=value.")

    @property
    def options(self) -> ReadOptions:
        """Return the options of a reader."""
        return ReadOptions(
            experiment=self.experiment,
            algorithm=self.algorithm,
            n=self.processes,
            processes_per_node=self.ppn,
            columns=options.named_pairs(self.columns, "--map"),
            where=options.named_pairs(self.where, "--where"),
        )
