"""Runs of PICO, a benchmark of collective operations by algorithm, as it packs them.

Source: HLC-Lab/pico (MIT): results/SYSTEM/TIMESTAMP.tar.gz, and results/SYSTEM_metadata.csv, which
tells of each test of a run its collective, nodes, tasks per node and MPI library.

Layout: a tar archive, gzipped or not, of TIMESTAMP/TEST_ID/DIM_ALGORITHM_DTYPE.csv, each with a
header `highest` (and rank0, rank1, ... where all times were kept) and a line per iteration, in
nanoseconds. The metadata is looked for in the archive, beside it, and in the folder above.

One value is an iteration until its slowest rank ends. The first fifth of them is warm-up, as
PICO's own summary has it; files of Fugaku hold none, and their last line is cut off by PICO too. m
and algorithms are as in PICO's summaries (`pico`). Tests of the same point are launches.

Restrictions: times of single ranks are not read. A file without a type in its name has int32, as
PICO takes it. A buffer that does not split into n equal blocks is left out, with a warning, and so
are iterations that PICO wrote as negative.
"""

import io
import re
import tarfile
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.textfile import LARGEST, csv_rows, read_text, read_unpacked
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import Line, SkippedWarning, agreed, sample_at
from contend.samples.readers.pico import BY_BLOCK, BYTES, algorithm_name, conditions_of, nodes_in
from contend.samples.sample import Sample

WARM_UP = 0.2  # share of the iterations, plot/summarize_data.py
WITHOUT_WARM_UP = "fugaku"
METADATA = ("timestamp", "test_id", "nnodes", "tasks_per_node", "collective_type")
_STAMP = r"\d{4}_\d\d_\d\d___\d\d_\d\d_\d\d"
_TAR = slice(257, 262)  # where a tar header has its mark, POSIX.1-1988
_MEMBER = re.compile(
    rf"(?:(?:.*/)?(?P<system>[^/]+)/)?(?P<stamp>{_STAMP})/(?P<test>\d+)/"
    r"(?P<dim>\d+)_(?P<rest>.+)\.csv"
)


@dataclass(frozen=True)
class Test:
    where: str
    dim: int
    algorithm: str
    dtype: str
    about: Mapping[str, str]
    text: str
    is_of_fugaku: bool


class PicoArchiveReader(Reader):
    name = "pico_archive"
    title = "PICO: archive of a run, with the metadata of its system beside it"

    def recognises(self, head: str) -> bool:
        first = head.partition("\0")[0]
        return head[_TAR] == "ustar" and re.match(rf"(.*/)?{_STAMP}/", first) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        launches: Counter[tuple[object, ...]] = Counter()
        for test in _tests(path):
            about = dict(test.about) | {"algo": test.algorithm, "dtype": test.dtype}
            if any(about.get(name) != value for name, value in options.where.items()):
                continue
            fields = _fields(test, options)
            if fields is None:
                continue
            point = (test.dtype, *fields.values())
            yield sample_at(
                test.where,
                **fields,
                **_times(test),
                launch=launches[point],
                conditions=conditions_of(test.dtype),
                provenance={
                    "source": f"{self.name}: {path.name}",
                    "mpi_library": f"{test.about.get('mpi_lib', '')} "
                    f"{test.about.get('mpi_lib_version', '')}".strip()
                    or None,
                    "nodes": nodes_in(test.about["nnodes"], test.where),
                },
            )
            launches[point] += 1


def _fields(test: Test, options: ReadOptions) -> dict[str, object] | None:
    """What tells the point; None, with a warning, where its blocks would differ."""
    line, where = Line(Path(test.where), 1, ""), test.where
    tasks = line.whole(test.about["tasks_per_node"], "tasks_per_node of the metadata")
    n = nodes_in(test.about["nnodes"], test.where) * tasks
    collective = test.about["collective_type"].lower()
    size = test.dim * BYTES[test.dtype]
    parts = n if collective in BY_BLOCK else 1
    if parts and size % parts:
        warnings.warn(
            f"{where}: a buffer of {size} bytes has no {n} equal blocks, so it was left out; "
            "choose a multiple of the number of ranks",
            SkippedWarning,
            stacklevel=2,
        )
        return None
    algorithm = algorithm_name(collective, test.algorithm)
    point = agreed(where, options, collective, algorithm, n, tasks)
    return point | {"m": size // max(parts, 1)}


def _times(test: Test) -> dict[str, list[float]]:
    """Repetitions and those before them, seconds."""
    first, *rows = test.text.split("\n")
    columns = first.strip().split(",")
    lines = [Line(Path(test.where), number, row) for number, row in enumerate(rows, start=2)]
    lines = [line for line in lines if line.text.strip()]
    lines = lines[:-1] if test.is_of_fugaku else lines
    if "highest" not in columns or not lines:
        raise FileFormatError(f"{test.where} has no iterations", "its first line names 'highest'")
    place = columns.index("highest")
    values = []
    for line in lines:
        words = line.text.split(",")
        if len(words) != len(columns):
            raise line.error(f"{len(words)} columns where {len(columns)} are due")
        values.append(line.decimal(words[place], "highest") * 1e-9)
    warm = 0 if test.is_of_fugaku else int(len(values) * WARM_UP)
    kept = [value for value in values[warm:] if value >= 0]
    if len(kept) < len(values) - warm:
        lines[0].skip(f"{len(values) - warm - len(kept)} iterations are negative", "others count")
    return {"times_s": kept, "warmup_s": [value for value in values[:warm] if value >= 0]}


def _tests(path: Path) -> Iterator[Test]:
    texts = _texts(path)
    tables = [text for name, text in texts.items() if name.endswith("metadata.csv")]
    tables += [read_text(beside, errors="replace") for beside in _beside(path)]
    about = {key: row for table in reversed(tables) for key, row in _metadata(table).items()}
    is_any = False
    for name, text in texts.items():
        if (match := _MEMBER.fullmatch(name)) is None:
            continue
        is_any = True
        where = f"{path}: {name}"
        row = about.get((match["stamp"], match["test"]))
        if row is None:
            raise FileFormatError(
                f"{where}: no metadata tells its collective and nodes",
                f"put PICO's results/{path.parent.name}_metadata.csv beside the archive, or the "
                "folder that it is in",
            )
        algorithm, dtype = _split(match["rest"])
        system = match["system"] or path.resolve().parent.name
        yield Test(where, int(match["dim"]), algorithm, dtype, row, text, WITHOUT_WARM_UP in system)
    if not is_any:
        raise FileFormatError(
            f"{path} holds no TIMESTAMP/TEST/DIM_ALGORITHM_DTYPE.csv", "name an archive of a run"
        )


def _texts(path: Path) -> dict[str, str]:
    texts, size = {}, 0
    try:
        with tarfile.open(fileobj=io.BytesIO(read_unpacked(path)), mode="r:") as archive:
            for member in archive:
                size += member.size  # of a sparse file more than the archive holds of it
                if size > LARGEST:
                    reason = f"its files have more than {LARGEST} bytes"
                    raise FileFormatError(f"{path}: {reason}", "take it apart")
                if member.name.endswith(".csv") and not member.isdir():
                    texts[member.name] = _text(archive, member)
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", "name a whole archive") from None
    return texts


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member) if member.isfile() else None
    if file is None:
        raise tarfile.TarError(f"{member.name} is a link or a device, pack a file in its place")
    return file.read().decode(errors="replace")


def _beside(path: Path) -> list[Path]:
    """Metadata beside the archive, that of its folder first."""
    folder = path.resolve().parent
    named = folder.parent / f"{folder.name}_metadata.csv"
    return [path for path in (named, *sorted(folder.glob("*_metadata.csv"))) if path.is_file()]


def _metadata(text: str) -> dict[tuple[str, str], dict[str, str]]:
    """Rows by time stamp and test; none of a table that is no metadata."""
    rows = [row for _, row in csv_rows(io.StringIO(text.replace("\0", ""))) if row]
    if not rows or not set(METADATA) <= set(rows[0]):
        return {}
    named = [dict(zip(rows[0], row, strict=False)) for row in rows[1:] if len(row) == len(rows[0])]
    return {(row["timestamp"], row["test_id"]): row for row in named}


def _split(rest: str) -> tuple[str, str]:
    """Algorithm and type of `swing_static_int32`."""
    for dtype in sorted(BYTES, key=len, reverse=True):
        if rest.endswith(f"_{dtype}"):
            return rest.removesuffix(f"_{dtype}"), dtype
    return rest, "int32"
