"""Files of any kind that 'contend explain' is given: samples, benchmarks' output, a network."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from contend.errors import ContendError, FileFormatError, InvalidInputError

if TYPE_CHECKING:
    from contend.network import Network
    from contend.samples import Sample
    from contend.samples.reader import Reader, ReadOptions

STANDARD_INPUT = "-"


def given(
    files: Sequence[str], options: "ReadOptions", reader: str | None
) -> "tuple[list[Sample], Network | None, str | None]":
    """All samples of the files, the network and the name of its file, where one is given."""
    from contend.kinds import schema_of
    from contend.network import Network
    from contend.samples.sample import Sample

    samples: list[Sample] = []
    network, network_file = None, None
    for name in files:
        if name == STANDARD_INPUT:
            samples += _of_standard_input(options, reader)
            continue
        path = Path(name)
        said = schema_of(_text(path))
        if said == Network.schema_name:
            if network is not None:
                raise InvalidInputError(f"{network_file} and {name}", "give one network file")
            network, network_file = Network.load(path), name
        else:
            samples += _samples(path, options, reader, is_own=said == Sample.schema_name)
    if not samples:
        raise InvalidInputError(
            "no file with measured times", "give the output of a benchmark, or - and paste it"
        )
    return samples, network, network_file


def _text(path: Path) -> str:
    """Text of what may be one of contend's own files."""
    from contend.textfile import read_text

    begin = read_text(path, 4000, errors="replace")
    return read_text(path, errors="replace") if begin.lstrip().startswith("{") else ""


def _samples(
    path: Path, options: "ReadOptions", reader: str | None, *, is_own: bool
) -> "list[Sample]":
    from contend.samples import read_samples
    from contend.samples.reader import READERS, recognise

    if is_own:
        return read_samples(path)
    known = READERS.get(reader) if reader else recognise(path)
    return [
        one.model_copy(update={"processes_per_node": None}) if one.experiment == "pingpong" else one
        for one in _read(known, path, options)
    ]  # --ppn is of the collectives


def _read(known: "Reader", path: Path, options: "ReadOptions") -> "list[Sample]":
    """Samples of a benchmark's output."""
    try:
        return list(known.read(path, options))
    except InvalidInputError:  # -n is of the collectives; a ping-pong says itself that n is 2
        if options.n is None:
            raise
        try:
            without = list(known.read(path, replace(options, n=None)))
        except ContendError:
            without = []
        if {one.n for one in without} != {2}:
            raise
        return without


def _of_standard_input(options: "ReadOptions", reader: str | None) -> "list[Sample]":
    """Samples of what is pasted; errors name standard input in the place of a file."""
    from contend.kinds import schema_of
    from contend.samples.sample import Sample
    from contend.textfile import read_all
    from contend.wholefile import write_whole

    text = read_all(sys.stdin, "standard input")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "standard-input"
        write_whole(path, text)
        try:
            is_own = schema_of(text) == Sample.schema_name
            return _samples(path, options, reader, is_own=is_own)
        except ContendError as error:
            said = error.message.replace(str(path), "standard input")
            raise FileFormatError(said, error.remedy) from None
