"""A sharing model is one file and one line."""

from pathlib import Path

from contend.simulate.flows.models import get, names

FOLDER = Path(__file__).parents[2] / "core" / "src" / "sharing"


def test_each_file_is_a_model_and_has_a_line():
    files = {path.stem.replace("_", "-") for path in FOLDER.glob("*.cpp")}
    assert files == {name.replace("_", "-") for name in names()}
    lines = (FOLDER / "models.def").read_text().splitlines()
    assert sum(line.startswith("MODEL(") for line in lines) == len(files)


def test_no_other_source_names_a_model():
    """The table and the file are enough; only what a user reads mentions names."""
    others = [path for path in FOLDER.parent.glob("*.[ch]pp") if path.stem != "setting"]
    for path in others:
        code = [line for line in path.read_text().splitlines() if not line.startswith("//")]
        assert not [line for line in code for name in names() if f'"{name}"' in line]


def test_each_file_says_where_it_is_from_and_what_it_cannot_see():
    for path in FOLDER.glob("*.cpp"):
        text = path.read_text()
        for head in ("Source", "Idea", "Cost per event", "Range", "Cannot see"):
            assert f"\n// {head}: " in text, (path, head)


def test_a_model_is_known_by_name():
    assert all(get(name).name == name for name in names())
