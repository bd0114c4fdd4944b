"""Cases of readers: a text, and what reading it gives, leaves out or refuses."""

from contextlib import nullcontext
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import READERS, ReadOptions
from contend.samples.readers._text import AssumedWarning, SkippedWarning

COMPUTED = {
    "us": lambda sample: round(sample.times_s[0] * 1e6, 6),
    "all_us": lambda sample: [round(time * 1e6, 6) for time in sample.times_s],
}


class Case(NamedTuple):
    """Values of `fields` of each sample, a warning, or the error in place of both."""

    text: str
    fields: str
    rows: list[Any]
    warned: str
    refused: tuple[type[ContendError], str] | None
    options: dict[str, Any]


def gives(text: str, fields: str, *rows: Any, warned: str = "", **options: Any) -> Case:
    """What is read; `warned` matches the warning about what is left out or assumed."""
    return Case(text, fields, list(rows), warned, None, options)


def refused(text: str, message: str, **options: Any) -> Case:
    return Case(text, "", [], "", (FileFormatError, message), options)


def asked(text: str, message: str, **options: Any) -> Case:
    """An error of the options: something has to be said, or not to be."""
    return Case(text, "", [], "", (InvalidInputError, message), options)


def read(reader: str, folder: Path, text: str, **options: Any) -> list[Sample]:
    path = folder / "run.txt"
    path.write_text(text)
    return list(READERS.get(reader).read(path, ReadOptions(**options)))


def values(samples: list[Sample], fields: str) -> list[Any]:
    """Values of the fields of each sample: tuples where they are several."""
    getters = [COMPUTED.get(name, attrgetter(name)) for name in fields.split()]
    rows = [tuple(get(sample) for get in getters) for sample in samples]
    return rows if len(getters) > 1 else [row[0] for row in rows]


def check(reader: str, folder: Path, case: Case) -> None:
    """Fails unless the reader does with the text what the case says."""
    if case.refused:
        with pytest.raises(case.refused[0], match=case.refused[1]):
            read(reader, folder, case.text, **case.options)
        return
    warned = pytest.warns((SkippedWarning, AssumedWarning), match=case.warned)
    with warned if case.warned else nullcontext():
        found = values(read(reader, folder, case.text, **case.options), case.fields)
    assert found == case.rows, found
