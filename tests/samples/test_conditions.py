"""Samples under several conditions: never one series, in a table, a file or an export."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.api.samples import Samples
from contend.base.errors import InvalidInputError
from contend.export.format import FORMATS, Wanted
from contend.samples import Provenance, table
from contend.samples.by_setting import (
    by_setting,
    conditions_in,
    fields_of_setting,
    under_conditions,
    usual,
)
from contend.samples.imports import imported
from contend.samples.setting import conditions_of, is_native, nearest, setting_of, split_conditions
from contend.samples.tidy import fields_of, fields_of_point, key_of, rows_of
from support.synthesis import sample

CUDA = {"memory": "cuda"}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
CONDITIONS = st.dictionaries(TEXT, TEXT, max_size=3)


@given(CONDITIONS, CONDITIONS)
def test_a_setting_tells_its_conditions_and_no_two_have_one_name(one, other):
    names = [setting_of("openmpi:chain", {"segment": 8}, each) for each in (one, other)]
    assert (names[0] == names[1]) == (one == other)
    backwards = dict(reversed(one.items()))
    assert setting_of("openmpi:chain", {"segment": 8}, backwards) == names[0]
    algorithm, text = split_conditions(names[0])
    assert (algorithm, conditions_of(text)) == ("openmpi:chain,segment=8", one)
    fields = {"algorithm": "openmpi:chain", "parameters": {"segment": 8}}
    assert fields_of_setting(names[0]) == fields | {"conditions": one or None}
    assert not set(names[0]) & set(" /") - {"/"}


def test_an_algorithm_of_another_form_is_taken_as_it_is():
    for name in ("a@b", "native@", "x:y,z", "@memory=cuda", "ring@a=b c"):
        assert fields_of_setting(name)["algorithm"] == name


def test_messages_of_the_same_memory_are_nearest():
    there = ["", "datatype=MPI_INT", "memory=cuda", "memory=managed"]
    assert nearest("memory=cuda,root=1", there) == "memory=cuda"
    assert nearest("datatype=MPI_INT,reduction=max", there) == "datatype=MPI_INT"
    assert nearest("root=1", there) == ""
    wanted = "datatype=MPI_INT,memory=cuda,root=1"
    assert nearest(wanted, ["datatype=MPI_INT,root=1", "memory=cuda"]) == "memory=cuda"
    assert is_native("native@memory=cuda") and not is_native("openmpi:chain@memory=cuda")
    assert nearest("", there[2:]) == "memory=cuda"
    assert nearest("memory=cuda", ["datatype=MPI_INT,memory=cuda", "memory=cuda"]) == "memory=cuda"


def test_no_table_is_of_two_conditions():
    both = [sample(), sample(conditions=CUDA)]
    with pytest.raises(InvalidInputError, match="under none and under memory=cuda"):
        table.medians(both)
    with pytest.raises(InvalidInputError, match="not one series"):
        table.medians(by_setting(both))


def test_samples_under_conditions_have_all_of_them():
    sets = [{}, CUDA, {"datatype": "MPI_INT"}, {"datatype": "MPI_INT", **CUDA}]
    samples = [sample(conditions=one or None) for one in sets]
    for text, one in zip(conditions_in(samples), [{}, *sets[2:], CUDA], strict=True):
        assert [each.conditions or {} for each in under_conditions(samples, text)] == [one]


def test_a_setting_keeps_what_a_program_chose_itself():
    train = sample(experiment="plogp", algorithm="saturation_gap", parameters={"train": 64})
    (named,) = by_setting([train.model_copy(update={"conditions": CUDA})])
    assert (named.algorithm, named.parameters) == ("saturation_gap@memory=cuda", {"train": 64})
    assert by_setting([named]) == [named]


def test_usual_conditions_are_of_one_memory():
    of = {
        "alltoall": [None, CUDA],
        "allreduce": [{"datatype": "MPI_INT"}, {"datatype": "MPI_DOUBLE"}],
        "bcast": [CUDA],
    }
    samples = [sample(experiment=name, conditions=one) for name in of for one in of[name]]
    kept, others = usual(samples)
    assert [one.series[:2] for one in kept] == [
        ("alltoall", "native"),
        ("allreduce", "native@datatype=MPI_DOUBLE"),
    ]
    assert others == [
        "allreduce/native@datatype=MPI_INT", "alltoall/native@memory=cuda",
        "bcast/native@memory=cuda",
    ]  # fmt: skip
    assert usual([one for one in samples if one.conditions == CUDA])[1] == []


def written(path, *conditions):
    """A file of the same two tables under each of some conditions, and its samples."""
    path.write_text("the same text")
    known = {"provenance": Provenance(source=f"osu: {path.name}"), "statistic": "mean"}
    return path, [
        sample(m, times_s=[m * 1e-6 * place], conditions=one, **known)
        for place, one in enumerate(conditions, start=1)
        for m in (8, 64)
    ]


def test_a_file_of_several_conditions_is_imported_once(tmp_path):
    file = written(tmp_path / "both.txt", None, CUDA)
    first = imported([], [file])
    assert [(one.launch, one.conditions) for one in first.new] == [(0, None)] * 2 + [(0, CUDA)] * 2
    again = imported(first.new, [file])
    assert (again.new, again.left_out) == ([], {file[0]: 4})


def test_rows_of_a_table_hold_the_conditions():
    one = sample(m=8, conditions={"memory": "a, b", "root": "1"}, parameters={"segment": 8},
                 algorithm="openmpi:chain")  # fmt: skip
    rows = list(rows_of(one))
    assert len({key_of(row) for row in rows}) == 1
    assert fields_of(rows)["conditions"] == one.conditions
    text = FORMATS.get("csv").of_samples([one, sample(m=8)], Wanted(by="point")).text
    names, *lines = [line.split(",") for line in text.replace('"', "").splitlines()]
    assert len(lines) == 2
    point = fields_of_point(
        {name: "" for name in names}
        | {"experiment": "alltoall", "algorithm": one.setting, "n": "4", "m_bytes": "8",
           "median_s": "1"}
    )  # fmt: skip
    assert (point["conditions"], point["parameters"]) == (one.conditions, {"segment": 8})


def test_a_frame_keeps_conditions_and_options_apart():
    given = [
        sample(conditions=CUDA), sample(), sample(algorithm="openmpi:chain"),
        sample(algorithm="openmpi:chain", parameters={"segment": 8}),
    ]  # fmt: skip
    samples = Samples(given)
    back = Samples.from_frame(samples.to_frame().drop(columns="is_flagged"))
    assert [one.point for one in back] == [one.point for one in given]
    assert back[0].conditions == CUDA
    assert len(samples.summary()) == 4
