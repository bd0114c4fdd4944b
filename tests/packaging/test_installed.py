"""The source distribution builds a wheel, and installed outside the tree it does the whole job.

What pip makes of a source distribution is a wheel that it builds and installs; here both steps are
taken one by one, so that one build tests both files. It needs a package registry, as `pip install`
does.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from contend.measure.command import LaunchOptions, settings

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(1800)]
ROOT = Path(__file__).parents[2]
MOST_MEGABYTES = 400  # of an environment without MPI, after `pip install --no-compile`
UNREACHABLE = ("Retrying (Retry", "NewConnectionError", "Temporary failure in name resolution")
UNOPTIMISED = "--config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O0"  # is built sooner
SDIST = (
    "import scikit_build_core.build as backend, sys;print('made', backend.build_sdist(sys.argv[1]))"
)
STUDY = [
    *("study", "--on", "here", "-n", "2,3,4", "--at", "3", "-m", "64,1KiB,4KiB,16KiB"),
    *("--launches", "1", "--max-seconds", "0.02", "--min-repetitions", "5", "--refine", "0"),
]
# Of the tree, what an installed contend reads or compiles; the tree's own prefixes and the wheel's.
SHIPPED = {"mpi/": "contend/mpi/", "src/contend/": "contend/"}
UNSHIPPED = (".md", ".gitignore", ".clang-format")


@dataclass(frozen=True)
class Installed:
    """An environment with contend, and what it was installed from."""

    environment: Path
    sdist: Path
    wheel: Path

    def run(self, *words, **options):
        """Run a program of the environment, outside the tree."""
        program = self.environment / "bin" / str(words[0])
        return run(program, *words[1:], cwd=self.environment.parent, **options)


def run(*words, **options):
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=1500, check=False,
        env=environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | options.pop("env", {}),
        **options,
    )  # fmt: skip
    if done.returncode and any(word in done.stdout + done.stderr for word in UNREACHABLE):
        pytest.skip(
            "no package registry can be reached, from which pip installs what contend needs"
        )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Contend from a wheel of the source distribution, in an environment of its own."""
    folder = tmp_path_factory.mktemp("installed")
    tools, user = folder / "tools", folder / "user"
    for place in (tools, user):
        run(sys.executable, "-m", "venv", place)
    run(tools / "bin/python", "-m", "pip", "install", "--quiet", "scikit-build-core>=0.11")
    said = run(tools / "bin/python", "-c", SDIST, folder, cwd=ROOT).stdout
    sdist = folder / said.splitlines()[-1].removeprefix("made ")
    pip = (user / "bin/python", "-m", "pip")
    run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, UNOPTIMISED, sdist,
        cwd=folder, env={"CMAKE_BUILD_PARALLEL_LEVEL": "2"})  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    run(*pip, "install", "--quiet", "--no-compile", wheel, cwd=folder)
    return Installed(user, sdist, wheel)


def tracked():
    """Files of the tree; skips the test where that is no clone."""
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("the tree is no clone, so that it does not say which files belong to it")
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}


def test_the_source_distribution_has_every_file_of_the_tree(installed):
    with tarfile.open(installed.sdist) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    missing = {name for name in tracked() if not name.startswith((".ci/", ".github/"))} - there
    assert not missing
    assert not {name for name in there if name.startswith((".venv", "build/", ".git/"))}


def test_the_wheel_has_all_that_an_installed_contend_reads_or_compiles(installed):
    there = set(zipfile.ZipFile(installed.wheel).namelist())
    due = {
        wheel + name.removeprefix(tree)
        for tree, wheel in SHIPPED.items()
        for name in tracked()
        if name.startswith(tree) and not name.endswith(UNSHIPPED)
    }
    assert not due - there
    programs = {f"contend/measure/lab/bin/contend-{name}" for name in ("lab", "enter", "switch")}
    assert programs | {"contend/measure/lab/bin/libcontend-shim.so"} <= there
    assert not {name for name in there if name.startswith(("tests/", "benchmarks/"))}
    assert "contend/mpi/abi/libcontend.so" in there  # for programs of the MPI-5 ABI


def test_programs_of_the_abi_need_no_compiler(installed, mpi, compiled, tmp_path):
    wrapper = Path(mpi.mpicc).with_name("mpicc_abi")
    if not wrapper.exists():
        pytest.skip(f"{mpi.title} has no mpicc_abi")
    program = compiled(str(wrapper), "-std=c11", "-D_GNU_SOURCE", ROOT / "tests/record/ring.c")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("bash", "env", "ldd", "sh"):
        (tools / name).symlink_to(str(shutil.which(name)))
    alone = {"PATH": str(tools), "CONTEND_CACHE": str(tmp_path / "cache")}
    alone |= settings(mpi, 2, LaunchOptions())
    launch = ("--", *mpi.launcher, "-n", "2", program, "5", "finalize")
    done = installed.run("contend", "record", "-o", tmp_path / "trace", *launch, env=alone)
    assert "recorded 2 ranks" in done.stderr
    done = installed.run("contend", "alltoall", "run", "--json", *launch, env=alone)
    library = json.loads(done.stdout[done.stdout.index("{") :])["library"]
    assert Path(library).is_relative_to(installed.environment)
    assert not (tmp_path / "cache").exists()


def test_the_environment_is_no_larger_than_promised(installed):
    used = run("du", "-sm", installed.environment).stdout.split()[0]
    print(f"wheel {installed.wheel.stat().st_size / 1e6:.2f} MB, environment {used} MB")
    assert int(used) < MOST_MEGABYTES


def test_the_commands_start(installed):
    for words in (["--help"], ["doctor"], ["list", "labs"], ["list", "schema", "network"]):
        before = os.times()
        assert installed.run("contend", *words).stdout
        after = os.times()
        seconds = after.children_user + after.children_system
        seconds -= before.children_user + before.children_system
        print(f"contend {' '.join(words)}: {seconds:.2f} s of CPU")
    where = installed.run("python", "-c", "import contend; print(contend.__file__)").stdout
    assert Path(where.strip()).is_relative_to(installed.environment)


def test_a_study_measures_fits_and_reports_outside_the_tree(installed, mpi, tmp_path):
    folder = tmp_path / "study"
    named = {"MPICC": mpi.mpicc}
    installed.run("contend", *STUDY, "-o", folder, env=named)
    for name in ("samples.jsonl", "network.json"):
        assert (folder / name).stat().st_size
    assert {path.suffix for path in (folder / "figures").iterdir()} == {".png", ".svg"}
    pages = [*folder.rglob("*.html")]
    assert pages and "alltoall" in pages[0].read_text()
    words = ("contend", "predict", folder / "network.json", "-n", "3", "-m", "1KiB", "--json")
    assert installed.run(*words).stdout.count('"seconds"') == 1
