"""Samples as a sequence, and as a table with a row per repetition."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import pandas as pd

from contend.api.arguments import PATHS, takes
from contend.base.errors import InvalidInputError
from contend.measure.lab.utilisation import path_beside
from contend.samples import Provenance, Sample, SampleStore
from contend.samples import read_samples as read_file
from contend.samples.by_setting import by_setting, fields_of_setting

POINT = ("experiment", "algorithm", "n", "processes_per_node", "m", "launch")
COLUMNS = (*POINT, "repetition", "seconds", "is_flagged")
_REQUIRED = ("experiment", "n", "m", "seconds")
_DEFAULTS = {"algorithm": "native", "processes_per_node": 1, "launch": 0}


class Samples(Sequence[Sample]):
    """Measured samples, in the order of their file; each holds all repetitions of one point."""

    def __init__(self, samples: Iterable[Sample], source: str = "Python") -> None:
        self._samples = tuple(samples)
        self.source = source

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, source: str = "a table") -> "Samples":
        """Samples of a table with a row per repetition.

        Parameters
        ----------
        frame
            Columns experiment (pingpong, alltoall, ...), n, m (bytes) and seconds; perhaps
            algorithm (default native; with options and conditions as `to_frame` writes them),
            processes_per_node (1) and launch (0). Other columns of `to_frame` are passed over.
        source
            Where the numbers come from; kept with them.

        Raises
        ------
        InvalidInputError
            For a column that lacks or that is none of these, a value that no sample can have, and
            rows that are flagged: leave them out.

        >>> import pandas
        >>> rows = {"experiment": "alltoall", "n": 8, "m": [64, 1024], "seconds": [7.9e-5, 9.2e-5]}
        >>> Samples.from_frame(pandas.DataFrame(rows))
        <Samples: 2 of alltoall/native>
        """
        _check(frame)
        table = frame.assign(**{k: v for k, v in _DEFAULTS.items() if k not in frame})
        provenance = Provenance(source=source)
        samples = []
        for point, rows in table.groupby(list(POINT), sort=False, dropna=False):
            given = dict(zip(POINT, point, strict=True))
            if pd.isna(given["processes_per_node"]):
                given["processes_per_node"] = None
            try:
                setting = given["algorithm"]
                fields = given | (fields_of_setting(setting) if isinstance(setting, str) else {})
                samples.append(
                    Sample(**fields, times_s=tuple(rows["seconds"].tolist()), provenance=provenance)
                )
            except ValueError as error:
                where = ", ".join(f"{name} {value}" for name, value in given.items())
                raise InvalidInputError(f"no sample at {where}: {error}", "mend its row") from None
        return cls(samples, source)

    def to_frame(self) -> pd.DataFrame:
        """A row per repetition, columns `COLUMNS`; times in seconds, sizes in bytes.

        The algorithm is with its options and conditions, as "native@memory=cuda".
        `is_flagged`: an emulated network could not keep up meanwhile, so that no fit uses it.

        >>> read_samples("binomial.jsonl").to_frame()["seconds"].size
        18
        """
        rows = [
            (*(getattr(sample, name) for name in POINT), number, seconds, sample.is_flagged)
            for sample in by_setting(self)
            for number, seconds in enumerate(sample.times_s)
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"processes_per_node": "Int64"})

    def save(self, path: str | Path) -> None:
        """Append to a samples file those that it does not hold yet.

        >>> read_samples("binomial.jsonl")[:4].save("some.jsonl")
        """
        with SampleStore(path) as store:
            existing = {sample.model_dump_json() for sample in store.existing()}
            store.extend(sample for sample in self if sample.model_dump_json() not in existing)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> "Samples": ...
    def __getitem__(self, index: int | slice) -> "Sample | Samples":
        if isinstance(index, slice):
            return Samples(self._samples[index], self.source)
        return self._samples[index]

    def __len__(self) -> int:
        return len(self._samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self._samples)

    def __add__(self, other: "Samples") -> "Samples":
        return Samples((*self, *other), f"{self.source}, {other.source}")

    def summary(self) -> pd.DataFrame:
        """A row per experiment and algorithm: its process counts, sizes, launches, repetitions.

        >>> read_samples("binomial.jsonl").summary()["m"].tolist()
        [[1024, 8192, 65536]]
        """
        table = self.to_frame()
        grouped = table.groupby(["experiment", "algorithm"], sort=False)
        return grouped.agg(
            n=("n", lambda n: sorted(set(n))),
            m=("m", lambda m: sorted(set(m))),
            launches=("launch", "nunique"),
            repetitions=("seconds", "size"),
        ).reset_index()

    def __repr__(self) -> str:
        names = dict.fromkeys(f"{sample.experiment}/{sample.setting}" for sample in self)
        return f"<Samples: {len(self)} of {', '.join(names) or 'nothing'}>"

    def _repr_html_(self) -> str:
        return str(self.summary().to_html(index=False))


@takes(paths=PATHS)
def read_samples(*paths: str | Path) -> Samples:
    """Samples of one or more files of 'contend measure' or 'contend import'.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, holds no sample, or has a bad line before the last.

    >>> read_samples("binomial.jsonl", "chain-8.jsonl")
    <Samples: 12 of bcast/binomial, bcast/chain>
    """
    if not paths:
        raise InvalidInputError("no samples file", "name one at least")
    beside = {path_beside(Path(path)) for path in paths}  # utilisation, which *.jsonl names too
    files = [Path(path) for path in paths if Path(path) not in beside]
    source = ", ".join(map(str, files))
    return Samples((each for path in files for each in read_file(path)), source)


def _check(frame: pd.DataFrame) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise InvalidInputError(f"{type(frame).__name__} is no table", "give a DataFrame of pandas")
    lacking = [name for name in _REQUIRED if name not in frame]
    if lacking:
        raise InvalidInputError(
            f"the table has no column {lacking[0]!r}", f"give {', '.join(_REQUIRED)}"
        )
    unknown = [str(name) for name in frame if name not in COLUMNS]
    if unknown:
        raise InvalidInputError(
            f"the column {unknown[0]!r} has no meaning here", f"columns are {', '.join(COLUMNS)}"
        )
    for name in (name for name in frame if frame[name].dtype == object):
        if not all(map(pd.api.types.is_scalar, frame[name])):
            raise InvalidInputError(
                f"the column {str(name)!r} holds lists or tables", "give a number or text each"
            )
    if "is_flagged" in frame and frame["is_flagged"].any():
        raise InvalidInputError(
            f"{int(frame['is_flagged'].sum())} rows are flagged: the emulated network was late",
            "leave them out: frame[~frame.is_flagged]",
        )
