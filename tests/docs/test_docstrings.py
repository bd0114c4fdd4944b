"""Examples in docstrings give what they show; each function of the door has one, on its page."""

import doctest
import importlib
import inspect
import os
import shutil
import sys
from pathlib import Path

import launches
import pytest
from matplotlib import pyplot

import contend.api
from contend.measure.command import LaunchOptions, settings
from contend.measure.lab.session import why_impossible
from support import reports

ROOT = Path(contend.__file__).parent
SITE = Path(__file__).parents[2] / "docs" / "site"
OBJECTS = (contend.Network, contend.Samples)
# Those of programs and campaigns, which need an MPI.
LAUNCHING = {
    "apply_rules", "bench_exchange", "discover_groups", "exchange_library", "measure_collectives",
    "measure_library", "measure_links", "measure_messages", "measure_planned", "measure_schedule",
    "record", "run_exchange", "run_in_lab", "study", "verify_rules", "watch_program",
}  # fmt: skip

IN_LABS = ("discover_groups", "measure_links", "run_in_lab")


def public_functions():
    """Functions of the door, and methods of what they return, by name."""
    values = {name: getattr(contend, name) for name in contend.__all__}
    found = {name: value for name, value in values.items() if inspect.isfunction(value)}
    for kind in OBJECTS:
        methods = inspect.getmembers(kind, callable)
        found |= {f"{kind.__name__}.{n}": m for n, m in methods if n in vars(kind) and n[0] != "_"}
    return found


PUBLIC = public_functions()


def run_example(name):
    """Run the example of a public function with the names of the door."""
    names = {each: getattr(contend, each) for each in contend.__all__} | {"Path": Path}
    found = doctest.DocTestFinder(recurse=False).find(PUBLIC[name], name, globs=names)
    (example,) = found or (None,)
    assert example is not None and example.examples, f"{name} has no example"
    assert not any(each.options.get(doctest.SKIP) for each in example.examples)
    assert doctest.DocTestRunner().run(example).failed == 0
    pyplot.close("all")


@pytest.fixture
def files(prepared, tmp_path, monkeypatch):
    """The folder in which examples run, with the files that they name; pages are without maps."""
    reports.without_files_and_maps(monkeypatch)
    folder = tmp_path / "files"
    shutil.copytree(prepared, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - LAUNCHING))
def test_the_example_of_a_public_function_runs(name):
    run_example(name)


@pytest.mark.full
@pytest.mark.mpi
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", sorted(LAUNCHING))
def test_the_example_of_a_function_that_launches_runs(name, files, mpi, compiled, monkeypatch):
    launches.write(files, mpi, compiled)
    monkeypatch.setenv("PATH", f"{files / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for variable, value in settings(mpi, 4, LaunchOptions()).items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("MPICC", mpi.mpicc)
    if name in IN_LABS and (why := why_impossible()):
        pytest.skip(f"no lab here: {why}")
    if name in ("apply_rules", "verify_rules") and not mpi.version.startswith("5"):
        pytest.skip("the network and its rules are those of Open MPI 5")
    run_example(name)


def test_other_examples_in_docstrings_are_right():
    public = {f"{each.__module__}.{each.__qualname__}" for each in PUBLIC.values()}
    names = [
        ".".join(("contend", *path.relative_to(ROOT).with_suffix("").parts))
        for path in ROOT.rglob("*.py")
        if ">>>" in path.read_text()
    ]
    runner = doctest.DocTestRunner()
    for name in names:
        module = importlib.import_module(name.removesuffix(".__init__"))
        for example in doctest.DocTestFinder().find(module):
            if example.name not in public:
                runner.run(example)
    assert runner.failures == 0
    assert runner.tries > 10


def test_every_public_name_stands_on_the_page_once(monkeypatch):
    monkeypatch.syspath_prepend(SITE)
    page = importlib.import_module("door_page")
    lines = page.page().split("\n")
    named = [line.split("::")[1].split()[0] for line in lines if line.startswith("..")]
    assert sorted(named) == [f"contend.{name}" for name in contend.__all__]
    text = (SITE.parent / "reference" / "python-api.md").read_text()
    assert page.MARK in text
    assert "sphinx" not in sys.modules
