"""Every piece of Python in the documents runs, those of a page one after the other."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from support import libraries, networks, recordings, synthesis

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
         if BLOCK.search(page.read_text())]  # fmt: skip
GROUPS = """
[[levels]]
name = "cluster"

[[levels.groups]]
name = "red"
hosts = ["red*"]

[[levels.groups]]
name = "blue"
hosts = ["blue*"]
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that pages speak of, in the folder where the pieces run."""
    rng = np.random.default_rng(2)
    synthesis.save(
        [
            *synthesis.pingpong(1e-5, 1e-9),
            *synthesis.plogp(5e-5, lambda m: 1e-5 + 1e-9 * m, (lambda m: 5e-6, lambda m: 5e-6)),
            *synthesis.alltoall((4, 8, 16, 32), synthesis.exchange_time, rng=rng, noise=0.02),
        ],
        tmp_path / "samples.jsonl",
    )
    for name in ("network", "cluster", "backbone"):
        networks.write(tmp_path / f"{name}.json", networks.plogp())
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    libraries.network_of(libraries.launched(laws, rng)).save(tmp_path / "measured.json")
    rank = recordings.RankWriter(0, 1).world()
    rank.add("Finalize", 0, 1000)
    rank.write(tmp_path / "trace")
    (tmp_path / "clusters.toml").write_text(GROUPS)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page):
    namespace: dict[str, object] = {}
    for block in BLOCK.findall(page.read_text()):
        exec(compile(block, page.name, "exec"), namespace)


def code_of(notebook):
    """The cells of code of a notebook of the examples."""
    cells = json.loads((ROOT / "examples" / notebook).read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.usefixtures("files")
def test_the_notebook_runs_and_is_the_page():
    cells = code_of("contend.ipynb")
    page = BLOCK.findall((ROOT / "docs" / "python.md").read_text())
    assert [f"{cell}\n" for cell in cells[:-1]] == page
    namespace: dict[str, object] = {}
    for cell in cells:
        exec(compile(cell, "contend.ipynb", "exec"), namespace)


def test_a_notebook_goes_from_numbers_to_a_rules_file_by_the_door_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = code_of("from_your_numbers.ipynb")
    imports = [line for cell in cells for line in cell.split("\n") if "import" in line]
    assert [line for line in imports if "contend" in line] == ["import contend"]
    namespace: dict[str, object] = {}
    for cell in cells:
        exec(compile(cell, "from_your_numbers.ipynb", "exec"), namespace)
    assert namespace["decisions"].rule("bcast", 8, 1024).algorithm == "chain"
    assert "# Rules for coll/tuned of Open MPI" in (tmp_path / "rules.conf").read_text()
