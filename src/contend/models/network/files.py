"""Files of any kind that a user names: samples, the output of benchmarks, a network."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.kinds import schema_of
from contend.base.textfile import read_all, read_text
from contend.base.wholefile import write_whole
from contend.models.network.network import Network
from contend.samples import Sample, read_samples
from contend.samples.reader import READERS, Reader, ReadOptions, recognise

STANDARD_INPUT = "-"


def read_any_files(
    files: Sequence[str], chosen: ReadOptions, reader: str | None
) -> tuple[list[Sample], Network | None, str | None]:
    """All samples of the files, the network and the name of its file, where one is given."""
    samples: list[Sample] = []
    network, network_file = None, None
    for name in files:
        if name == STANDARD_INPUT:
            samples += _from_standard_input(chosen, reader)
            continue
        path = Path(name)
        schema = schema_of(_text(path))
        if schema == Network.schema_name:
            if network is not None:
                raise InvalidInputError(f"{network_file} and {name}", "give one network file")
            network, network_file = Network.load(path), name
        else:
            samples += _samples(path, chosen, reader, is_own=schema == Sample.schema_name)
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
    format = READERS.get(reader) if reader else recognise(path)
    return [
        sample.model_copy(update={"processes_per_node": None})
        if sample.experiment == "pingpong"
        else sample
        for sample in _read(format, path, chosen)
    ]  # --ppn is of the collectives


def _read(format: Reader, path: Path, chosen: ReadOptions) -> list[Sample]:
    """Samples of a benchmark's output."""
    try:
        return list(format.read(path, chosen))
    except InvalidInputError:  # -n is of the collectives; a ping-pong says itself that n is 2
        if chosen.n is None:
            raise
        try:
            without = list(format.read(path, replace(chosen, n=None)))
        except ContendError:
            without = []
        if {sample.n for sample in without} != {2}:
            raise
        return without


def _from_standard_input(chosen: ReadOptions, reader: str | None) -> list[Sample]:
    """Samples of what is pasted; errors name standard input in the place of a file."""
    text = read_all(sys.stdin, "standard input")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "standard-input"
        write_whole(path, text)
        try:
            is_own = schema_of(text) == Sample.schema_name
            return _samples(path, chosen, reader, is_own=is_own)
        except ContendError as error:
            message = error.message.replace(str(path), "standard input")
            raise FileFormatError(message, error.remedy) from None
