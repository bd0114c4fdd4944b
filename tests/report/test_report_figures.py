"""Figures for papers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from contend.network import Network
from contend.report.figures import file_names, write_figures

PNG = b"\x89PNG\r\n\x1a\n"
SUBJECTS = ("curves", "errors", "forms")


def test_every_operation_has_every_figure_in_both_formats(measure, tmp_path: Path) -> None:
    found = measure(algorithms=("native", "direct"))
    paths = write_figures(found.network, found.samples, tmp_path / "figures")
    assert {path.name for path in paths} == {
        f"alltoall-{algorithm}-1-per-node-{subject}.{suffix}"
        for algorithm in ("native", "direct")
        for subject in SUBJECTS
        for suffix in ("png", "svg")
    }
    for path in paths:
        if path.suffix == ".png":
            assert path.read_bytes().startswith(PNG)
        else:
            assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_nothing_global_is_changed(measure, tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    found = measure()
    write_figures(found.network, found.samples, tmp_path)
    assert dict(mpl.rcParams) == before


def test_importing_the_report_loads_neither_plotly_nor_matplotlib() -> None:
    code = "import sys, contend.report; print({'plotly', 'matplotlib'} & set(sys.modules))"
    output = subprocess.check_output([sys.executable, "-c", code], text=True, timeout=60)
    assert output.strip() == "set()"


def test_without_unseen_points_there_is_no_figure_of_their_errors(measure, tmp_path: Path) -> None:
    found = measure(counts=(8,))
    names = {path.name for path in write_figures(found.network, found.samples, tmp_path)}
    assert not any("forms" in name for name in names)
    assert any("curves" in name for name in names)


@pytest.mark.parametrize("name", ["../../etc/passwd", "<script>", "$x^2$ 漢字", "", "a" * 500, "."])
def test_a_name_from_data_stays_in_the_folder(name: str, measure, tmp_path: Path) -> None:
    found = measure(counts=(4, 8), has_plogp=False)
    operation = found.network.operations[0]
    renamed = operation.model_copy(update={"algorithm": name})
    samples = [
        s.model_copy(update={"algorithm": name}) if s.experiment == "alltoall" else s
        for s in found.samples
    ]
    network: Network = found.network.model_copy(update={"operations": (renamed,)})
    folder = tmp_path / "figures"
    for path in write_figures(network, samples, folder):
        assert path.resolve().parent == folder.resolve()
        assert path.is_file()


def test_names_that_look_alike_give_different_files() -> None:
    names = file_names(["a/b", "a-b", "A b", "a-b-2", ""])
    assert names == ["a-b", "a-b-2", "a-b-3", "a-b-2-2", "operation"]
