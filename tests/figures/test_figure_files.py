"""Figures for papers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from contend.models.network import Network
from contend.report.figures.figure import FILES, Findings, file_names, write_figures

PNG = b"\x89PNG\r\n\x1a\n"
OF_AN_OPERATION = ("curves", "structure", "errors", "signature-over-n")


def write(found, folder: Path) -> list[Path]:
    return write_figures(Findings(found.network, found.samples), folder)


def test_every_operation_has_every_figure_in_every_format(measure, tmp_path: Path) -> None:
    found = measure(algorithms=("native", "direct"))
    paths = write(found, tmp_path / "figures")
    of_operations = {
        f"alltoall-{algorithm}-1-per-node-{subject}"
        for algorithm in ("native", "direct")
        for subject in OF_AN_OPERATION
    }
    expected = of_operations | {
        "ping-pong", "plogp", "scatter-decisions", "alltoall-native-1-per-node-overview",
    }  # fmt: skip
    assert {path.name for path in paths} == {f"{s}{suffix}" for s in expected for suffix in FILES}
    for path in paths:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(PNG)


def test_the_same_findings_give_the_same_files(measure, tmp_path: Path) -> None:
    found = measure(counts=(8,))
    pairs = zip(write(found, tmp_path / "a"), write(found, tmp_path / "b"), strict=True)
    for one, other in pairs:
        assert one.read_bytes() == other.read_bytes(), one.name


def test_importing_the_report_loads_nothing_that_draws() -> None:
    code = "import sys, contend.report.page; print({'matplotlib', 'jinja2'} & set(sys.modules))"
    output = subprocess.check_output([sys.executable, "-c", code], text=True, timeout=60)
    assert output.strip() == "set()"


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
    for path in write_figures(Findings(network, samples), folder):
        assert path.resolve().parent == folder.resolve()
        assert path.is_file()


def test_names_that_look_alike_give_different_files() -> None:
    names = file_names(["a/b", "a-b", "A b", "a-b-2", ""])
    assert names == ["a-b", "a-b-2", "a-b-3", "a-b-2-2", "figure"]
