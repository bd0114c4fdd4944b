"""Extra-P's JSON: Extra-P reads the same measurements, and finds how they grow."""

import json
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.export import FORMATS, Wanted
from contend.samples import Provenance, Sample, SampleStore

FORMAT = FORMATS.get("extrap")
COUNTS = (2, 4, 8, 16, 32)
SIZES = (64, 256, 1024, 4096, 16384)


def sample(n: int, m: int, launch: int = 0, per_node: int | None = 1, **fields: object) -> Sample:
    """A sample whose times are 1 us (n - 1) m, but for the repetition."""
    times = tuple(1e-6 * (n - 1) * m * (1 + 0.01 * k) for k in (-1, 0, 1))
    known = {"experiment": "alltoall", "algorithm": "native", "times_s": times}
    return Sample(
        n=n, m=m, launch=launch, processes_per_node=per_node,
        provenance=Provenance(source="test"), **(known | fields),
    )  # fmt: skip


def export(folder: Path, samples: list[Sample], wanted: Wanted | None = None) -> tuple[Path, tuple]:
    with SampleStore(folder / "samples.jsonl") as store:
        store.extend(samples)
    written = FORMAT.write(folder / "samples.jsonl", wanted or Wanted())
    path = folder / "extrap.json"
    path.write_text(written.text)
    return path, written.notes


GRID = [sample(n, m, launch) for n in COUNTS for m in SIZES for launch in range(2)]


def test_a_point_has_the_repetitions_of_all_its_launches(tmp_path: Path) -> None:
    path, notes = export(tmp_path, GRID)
    data = json.loads(path.read_text())
    points = data["measurements"]["alltoall->native"]["time"]
    assert data["parameters"] == ["p", "m"]
    assert {tuple(one["point"]): one["values"] for one in points} == {
        (n, m): [*sample(n, m).times_s] * 2 for n in COUNTS for m in SIZES
    }
    assert notes == ()


def test_by_point_it_has_the_median_of_each_launch(tmp_path: Path) -> None:
    path, _ = export(tmp_path, GRID, Wanted(by="point"))
    points = json.loads(path.read_text())["measurements"]["alltoall->native"]["time"]
    assert all(one["values"] == [sample(*one["point"]).median] * 2 for one in points)


def test_what_is_left_out_or_few_is_said(tmp_path: Path) -> None:
    _, notes = export(tmp_path, [sample(2, 0, times_s=(1e-6,)), sample(2, 64, statistic="mean")])
    assert "1 samples of empty messages" in notes[0]
    assert "means" in notes[1]
    assert "1 value of p" in notes[2]
    assert "1 value of m" in notes[3]


def test_two_placements_are_no_point(tmp_path: Path) -> None:
    both = [sample(2, 64, per_node=1), sample(2, 64, per_node=2)]
    with pytest.raises(InvalidInputError, match="1, 2 processes per node"):
        export(tmp_path, both)
    path = FORMAT.write(tmp_path / "samples.jsonl", Wanted(processes_per_node=2))
    assert path.text.count('"point"') == 1


def test_call_paths_with_other_points_have_to_be_named(tmp_path: Path) -> None:
    other = sample(2, 64, algorithm="rotated")
    with pytest.raises(InvalidInputError, match=r"rotated \(1 points\)"):
        export(tmp_path, [*GRID, other])
    text = FORMAT.write(tmp_path / "samples.jsonl", Wanted(algorithm="native")).text
    assert [*json.loads(text)["measurements"]] == ["alltoall->native"]


def test_empty_messages_alone_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="logarithm"):
        export(tmp_path, [sample(2, 0, times_s=(1e-6,))])


@pytest.mark.filterwarnings("ignore")  # of a library that is imported here alone
def test_extra_p_reads_the_same_measurements_and_finds_their_growth(tmp_path: Path) -> None:
    reader = pytest.importorskip("extrap.fileio.file_reader.json_file_reader")
    from extrap.modelers.model_generator import ModelGenerator

    rotated = [one.model_copy(update={"algorithm": "rotated"}) for one in GRID]
    path, _ = export(tmp_path, [*GRID, *rotated])
    experiment = reader.JsonFileReader().read_experiment(path)
    assert [one.name for one in experiment.parameters] == ["p", "m"]
    read = {
        tuple(measured.coordinate.as_tuple()): measured
        for measured in experiment.measurements[
            next(key for key in experiment.measurements if str(key[0]) == "alltoall->native")
        ]
    }
    assert {*read} == {(n, m) for n in COUNTS for m in SIZES}
    for (n, m), measured in read.items():
        values = np.array(sample(int(n), int(m)).times_s * 2)
        told = (measured.mean, measured.median, measured.minimum, measured.maximum)
        assert told == pytest.approx(
            (values.mean(), np.median(values), values.min(), values.max()), rel=1e-12
        )
    generator = ModelGenerator(experiment)
    generator.model_all()
    (model,) = [
        one for (path, _), one in generator.models.items() if str(path) == "alltoall->native"
    ]
    for n, m in ((64, 65536), (128, 1024)):
        assert model.hypothesis.function.evaluate([n, m]) == pytest.approx(
            1e-6 * (n - 1) * m, rel=0.2
        )
