"""Cases of a sweep: the product of choices, as typed, or the rows of a table."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.near_names import choose_from, operation_of
from contend.base.textfile import csv_rows, read_text
from contend.programs.sweeps.case import FIELDS, Case, case_of
from contend.programs.sweeps.placement import RANDOM
from contend.schedules import COLLECTIVES

DEFAULT = "default"  # an algorithm: whatever the replay chooses
MOST = 1_000_000  # cases; each takes about a kilobyte here, and a replay


def product(base: Case, **choices: Sequence[Any]) -> list[Case]:
    """Every combination of the choices, in all else as the base.

    Parameters
    ----------
    choices
        Values by field of a case. Those of `algorithms` are OPERATION=ALGORITHM, each operation a
        choice of its own; "default" is an algorithm as well.

    >>> base = Case(network="line:20us:1GB/s")
    >>> len(product(base, compute=[1, 0.5], algorithms=["bcast=chain", "bcast=default"]))
    4
    """
    unknown = sorted(set(choices) - set(FIELDS))
    if unknown:
        raise InvalidInputError(f"a case has no {unknown[0]}", f"it has: {', '.join(FIELDS)}")
    given = {name: list(values) for name, values in choices.items() if len(values)}
    if "algorithms" in given:
        given["algorithms"] = _of_operations(given["algorithms"], base)
    count = 1
    for values in given.values():
        count *= len(values)
    if count > MOST:
        raise InvalidInputError(f"{count} cases, more than {MOST}", "give fewer choices")
    rows = itertools.product(*given.values())
    cases = [base.but(**dict(zip(given, row, strict=True))) for row in rows]
    return list({case.model_dump_json(): case for case in cases}.values())


def _of_operations(words: Sequence[Any], base: Case) -> list[tuple[str, ...]]:
    """Algorithms of all operations: one choice for each operation that is named."""
    by_operation: dict[str, list[str]] = {}
    for word in words:
        operation, _, name = operation_of(str(word)).partition("=")
        if not name or operation not in COLLECTIVES:
            raise InvalidInputError(
                f"--algorithm {word}",
                f"give OPERATION=ALGORITHM; of operations {choose_from(operation, COLLECTIVES)}",
            )
        by_operation.setdefault(operation, []).append(name)
    kept = [
        algorithm
        for algorithm in base.algorithms
        if algorithm.partition("=")[0] not in by_operation
    ]
    rows = itertools.product(*by_operation.values())
    return [
        (*kept, *(f"{operation}={name}" for operation, name in zip(by_operation, row, strict=True)
                  if name != DEFAULT))
        for row in rows
    ]  # fmt: skip


def placements(words: Iterable[str]) -> list[str]:
    """Placements, those of several seeds one by one.

    >>> placements(["block", "random:1-3"])
    ['block', 'random:1', 'random:2', 'random:3']
    """
    expanded: list[str] = []
    for word in words:
        name, _, seeds = word.partition(":")
        first, dash, last = seeds.partition("-")
        if name != RANDOM or not dash:
            expanded.append(word)
            continue
        if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
            raise InvalidInputError(f"a placement {word!r}", "give seeds: random:1-20")
        if int(last) - int(first) >= MOST:
            raise InvalidInputError(f"a placement {word!r}", f"give at most {MOST} seeds")
        expanded += [f"{RANDOM}:{seed}" for seed in range(int(first), int(last) + 1)]
    return expanded


def read_cases(path: str | Path, base: Case | None = None) -> list[Case]:
    """The cases of a CSV file, a row each; what it has no column or value for is as in the base.

    Raise FileFormatError for a column that is no field of a case, or no rows; an InvalidInputError
    names the line of a value that is wrong.
    """
    path = Path(path)
    rows = csv_rows(StringIO(read_text(path)), skipinitialspace=True)
    names = [name.strip() for name in next((row for _, row in rows if row), [])]
    unknown = next((name for name in names or [""] if name not in FIELDS), None)
    if unknown is not None:
        raise FileFormatError(
            f"{path}: no field of a case is named {unknown!r}",
            f"name columns in its first line, of {', '.join(FIELDS)}",
        )
    usual: Mapping[str, Any] = {} if base is None else base.model_dump()
    cases = []
    for line, row in rows:
        if len(row) > len(names):
            raise FileFormatError(
                f"{path} line {line} has more values than columns",
                "set values that hold commas in quotation marks",
            )
        pairs = zip(names, row, strict=False)
        given = {name: value.strip() for name, value in pairs if value.strip()}
        if row:
            cases.append(case_of({**usual, **given}, f"{path} line {line}"))
    if not cases:
        raise FileFormatError(f"{path} has no rows", "write a case in each line after the first")
    return cases
