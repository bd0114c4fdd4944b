"""CONTRIBUTING shows the tree as it is."""

from pathlib import Path

import pytest

import layout
import tiers


def test_every_pattern_of_a_tier_names_files():
    here = Path(__file__).parent
    names = [path.relative_to(here).as_posix() for path in here.rglob("test_*.py")]
    for pattern in (*tiers.ALONE, *tiers.FULL, *tiers.FIRST, *tiers.SPREAD):
        assert any(tiers.is_of(name, [pattern]) for name in names), pattern


def test_contributing_is_made_from_the_tree():
    assert layout.PAGE.read_text() == layout.page(), "write it anew: python tests/layout.py"


@pytest.mark.parametrize("top", ["core/src", "mpi", "lab"])
def test_every_folder_of_c_and_cpp_is_shown(top):
    files = [path for path in (layout.HOME / top).rglob("*.[ch]*") if "build" not in path.parts]
    there = {path.parent.relative_to(layout.HOME).as_posix() for path in files}
    shown = {name for name in layout.FOLDERS if name.startswith(f"{top}/")}
    assert shown <= there <= {*shown, top, "mpi/interpose/exchange/algorithms"}


@pytest.mark.parametrize("what", layout.OTHERS)
def test_the_table_leads_to_files(what):
    _, line, look = layout.OTHERS[what]
    assert (layout.HOME / look).is_file()
    if line:
        entries = [path.stem for path in (layout.HOME / look).parent.glob("*.[cp]*")]
        assert any(name in (layout.HOME / line).read_text() for name in entries)


def test_no_folder_holds_more_than_an_eye_takes_in():
    """Catalogues and commands aside, of which the listing is the point."""
    catalogues = {layout.ROOT.joinpath(*one.package.split(".")[1:]) for one in layout.registries()}
    catalogues |= {layout.ROOT / "schedules" / "alltoall", layout.ROOT / "schedules" / "bcast"}
    for folder in {path.parent for path in layout.ROOT.rglob("*.py")} - catalogues:
        if "commands" not in folder.parts:
            assert len(list(folder.glob("*.py"))) <= 25, folder


def test_no_file_is_longer_than_style_allows():
    kinds = {".py", ".c", ".cpp", ".h", ".hpp", ".F90"}
    tops = ("src", "tests", "benchmarks", "core", "bindings", "mpi", "lab")
    for path in (one for top in tops for one in (layout.HOME / top).rglob("*")):
        if path.suffix in kinds and "build" not in path.parts:
            assert len(path.read_text().splitlines()) <= 500, path


def test_files_of_tests_have_names_of_their_own():
    """As pytest imports each by its name alone."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert not {name for name in names if names.count(name) > 1}
