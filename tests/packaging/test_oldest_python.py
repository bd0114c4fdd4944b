"""The oldest Python that contend promises is the same everywhere, and the one that CI runs on."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OLDEST = PROJECT["project"]["requires-python"].removeprefix(">=")

# Where a file names it; those of the recipes are held by test_recipes.py.
PLACES = {
    "README.md": r"Python (\d\.\d+) or newer",
    "docs/tutorial.md": r"Python (\d\.\d+) or newer",
    "CMakeLists.txt": r"find_package\(Python (\d\.\d+) REQUIRED",
    "Makefile": r"Python >= (\d\.\d+)|needs Python (\d\.\d+) or newer|version_info < \((3, \d+)\)",
}


@pytest.mark.parametrize(("name", "pattern"), PLACES.items())
def test_documents_and_builds_name_the_same(name, pattern):
    matches = re.finditer(pattern, (ROOT / name).read_text())
    versions = [next(filter(None, match.groups())).replace(", ", ".") for match in matches]
    assert len(versions) == pattern.count("|") + 1
    assert set(versions) == {OLDEST}


def test_style_and_types_are_checked_for_it():
    assert PROJECT["tool"]["mypy"]["python_version"] == OLDEST
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{OLDEST.replace('.', '')}"


def script(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return path


def ci(folder, version):
    """CI in a copy where make notes what it is to do, and .venv has a Python of the version."""
    script(folder / ".venv/bin/python", f"echo {version}")
    script(folder / "bin/id", "echo 1000")  # installs nothing
    script(folder / "bin/make", 'echo make "$@"')
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return subprocess.run(
        ["bash", folder / ".ci/run"],
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_ci_says_which_python_it_runs_on(tmp_path):
    done = ci(tmp_path, f"{OLDEST}.2")
    assert done.returncode == 0
    assert f"Python {OLDEST}.2 of /usr/bin/python3" in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("make ")] == [
        "make .venv/bin/python PYTHON=/usr/bin/python3",
        "make .venv/lint.stamp .venv/site.stamp",
        *("make -j2 --output-sync lint site", "make size", "make test-all"),
    ]


@pytest.mark.parametrize("version", ["3.9.18", "3.10.13", "3.110.1", "4.11.0"])
def test_ci_refuses_another_than_the_oldest(tmp_path, version):
    done = ci(tmp_path, version)
    assert done.returncode == 1
    assert f"the checks run on Python {OLDEST}" in done.stdout
    assert "make test" not in done.stdout


@pytest.mark.parametrize(
    ("lack", "message"),
    [
        ("sys.version_info = (3, 10, 13)", f"contend needs Python {OLDEST} or newer"),
        ("sysconfig.get_path = lambda name: 'nowhere'", "apt install python3-dev"),
    ],
)
def test_make_says_what_a_python_lacks(tmp_path, lack, message):
    if (make := shutil.which("make")) is None:
        pytest.skip("there is no make")
    lacking = script(
        tmp_path / "lacking",
        f"""exec {sys.executable} -c "import sys, sysconfig; {lack}; exec(sys.argv[2])" "$@" """,
    )
    done = subprocess.run(
        [make, "-f", ROOT / "Makefile", ".venv/bin/python", f"PYTHON={lacking}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert message in " ".join(done.stdout.split())
    assert not (tmp_path / ".venv").exists()
