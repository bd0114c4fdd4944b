"""What an estimator is: samples in, the parts of a network out that they tell of.

A module of `fitting/estimators` that defines a subclass is one. The records of a file say which
estimator takes it; one that is `only_named` has to be asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.kinds import schema_of
from contend.base.records import read_records
from contend.base.registry import Registry
from contend.base.textfile import LARGEST
from contend.models.network import Network
from contend.samples import Sample
from contend.samples.messages import MessageSample
from contend.samples.origin import Source
from contend.samples.reader import READERS, ReadOptions
from contend.schedules.pointtopoint import Hockney


@dataclass(frozen=True)
class FitOptions:
    """What the user decides; an estimator says which of these it `takes`.

    Of an operation: n' and a second n for forms that need two, known alpha and beta. An n' that was
    never measured is an error, unless it `is_wish`: what was planned need not have come about. One
    without enough samples that can be used is replaced by the default. Of algorithms: the `counts`
    of processes to fit at. Of production growth alone is fitted, without bounds over launches: jobs
    are many, and have few points each.
    """

    operation: str = "alltoall"
    n_fit: int | None = None
    n_second: int | None = None
    sizes: tuple[int, ...] | None = None
    known_hockney: Hockney | None = None
    name: str = "network"
    is_wish: bool = False
    counts: tuple[int, ...] | None = None
    include_flagged: bool = False
    is_of_production: bool = False


class Estimator(ABC):
    """Base of the estimators: what one needs, what it takes of the options, what it gives."""

    name: ClassVar[str]
    title: ClassVar[str]  # of what it fits
    experiments: ClassVar[Collection[str]] = ()  # of the messages that it needs; else calls
    takes: ClassVar[Collection[str]] = ()  # options of `contend fit` beside the name
    only_named: ClassVar[bool] = False

    @abstractmethod
    def fit(self, samples: Sequence[Any], source: Source, options: FitOptions) -> Network:
        """Network with what the samples tell, with where they are from."""

    def require_options(self, given: Collection[str], path: Path) -> None:
        """Raise an error for options that say nothing here."""
        if others := sorted({*given} - {*self.takes}):
            raise InvalidInputError(
                f"{path} holds {self.title}, for which {', '.join(others)} says nothing",
                "leave it out: "
                + (f"there are {', '.join(self.takes)}" if self.takes else "nothing is chosen"),
            )


ESTIMATORS: Registry[Estimator] = Registry(
    "estimator", Estimator, "contend.models.fitting.estimators", group="contend.fitting.estimators"
)


def read_any(path: Path) -> list[Sample] | list[MessageSample]:
    """The records of a file of calls, or of messages, or of another tool that says all itself."""
    first = _first_line(path)
    schema, of_messages = schema_of(first), (MessageSample.schema_name, *MessageSample.former)
    is_of_messages = schema in of_messages
    is_foreign = first and schema not in (Sample.schema_name, *of_messages)
    for reader in READERS.all() if is_foreign else ():
        if reader.says_all and reader.recognises(first):
            return list(reader.read(path, ReadOptions()))
    remedy = "measure first: contend measure --help"
    if is_of_messages:
        return read_records(MessageSample, path, remedy)
    return read_records(Sample, path, remedy)


def estimator_of(samples: Sequence[Sample | MessageSample], path: Path) -> Estimator:
    """The estimator that takes the records of a file.

    Raises
    ------
    FileFormatError
        For messages of several experiments, or of one that nothing is fitted to.
    """
    experiments = {
        sample.experiment if isinstance(sample, MessageSample) else "" for sample in samples
    }
    for estimator in ESTIMATORS.all():
        if not estimator.only_named and experiments <= {*(estimator.experiments or [""])}:
            return estimator
    raise FileFormatError(
        f"{path} holds measured messages of {', '.join(sorted(experiments))}, which nothing is "
        "fitted to",
        "name a file of links ('contend measure links') or of graphs ('contend measure messages')",
    )


def _first_line(path: Path) -> str:
    """First line of a file; empty where it cannot be read, which reading it reports."""
    if not path.is_file():  # a pipe would lose it
        return ""
    try:
        with path.open() as file:
            return file.readline(LARGEST)
    except (OSError, UnicodeDecodeError):
        return ""
