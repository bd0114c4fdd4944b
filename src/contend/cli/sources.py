"""Files of any kind that 'contend explain' is given: samples, benchmarks' output, a network."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.kinds import schema_of
from contend.base.textfile import read_all, read_text
from contend.base.wholefile import write_whole
from contend.cli import completion, options
from contend.cli.options import option
from contend.models.network import Network
from contend.samples import Sample, read_samples
from contend.samples.reader import READERS, Reader, ReadOptions, recognise

STANDARD_INPUT = "-"


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


def given(
    files: Sequence[str], chosen: ReadOptions, reader: str | None
) -> tuple[list[Sample], Network | None, str | None]:
    """All samples of the files, the network and the name of its file, where one is given."""
    samples: list[Sample] = []
    network, network_file = None, None
    for name in files:
        if name == STANDARD_INPUT:
            samples += _of_standard_input(chosen, reader)
            continue
        path = Path(name)
        said = schema_of(_text(path))
        if said == Network.schema_name:
            if network is not None:
                raise InvalidInputError(f"{network_file} and {name}", "give one network file")
            network, network_file = Network.load(path), name
        else:
            samples += _samples(path, chosen, reader, is_own=said == Sample.schema_name)
    if not samples:
        raise InvalidInputError(
            "no file with measured times", "give the output of a benchmark, or - and paste it"
        )
    return samples, network, network_file


def _text(path: Path) -> str:
    """Text of what may be one of contend's own files."""
    begin = read_text(path, 4000, errors="replace")
    return read_text(path, errors="replace") if begin.lstrip().startswith("{") else ""


def _samples(path: Path, chosen: ReadOptions, reader: str | None, *, is_own: bool) -> list[Sample]:
    if is_own:
        return read_samples(path)
    known = READERS.get(reader) if reader else recognise(path)
    return [
        one.model_copy(update={"processes_per_node": None}) if one.experiment == "pingpong" else one
        for one in _read(known, path, chosen)
    ]  # --ppn is of the collectives


def _read(known: Reader, path: Path, chosen: ReadOptions) -> list[Sample]:
    """Samples of a benchmark's output."""
    try:
        return list(known.read(path, chosen))
    except InvalidInputError:  # -n is of the collectives; a ping-pong says itself that n is 2
        if chosen.n is None:
            raise
        try:
            without = list(known.read(path, replace(chosen, n=None)))
        except ContendError:
            without = []
        if {one.n for one in without} != {2}:
            raise
        return without


def _of_standard_input(chosen: ReadOptions, reader: str | None) -> list[Sample]:
    """Samples of what is pasted; errors name standard input in the place of a file."""
    text = read_all(sys.stdin, "standard input")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "standard-input"
        write_whole(path, text)
        try:
            is_own = schema_of(text) == Sample.schema_name
            return _samples(path, chosen, reader, is_own=is_own)
        except ContendError as error:
            said = error.message.replace(str(path), "standard input")
            raise FileFormatError(said, error.remedy) from None
