"""Recipes of Spack and conda say what pyproject.toml says, and a release sets all versions."""

import re
import runpy
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
REQUIREMENT = re.compile(r"([\w.-]+)(?:>=([\d.]+))?(?:; *(.*))?")


def requirements(lines):
    """Names to least versions."""
    found = {}
    for line in lines:
        match = REQUIREMENT.fullmatch(line)
        assert match is not None, line
        found[match[1]] = match[2] or ""
    return found


RUN = requirements(PROJECT["project"]["dependencies"])
BUILD = requirements(PROJECT["build-system"]["requires"])
VERSION = PROJECT["project"]["version"]
PYTHON = PROJECT["project"]["requires-python"].removeprefix(">=")
CMAKE = PROJECT["tool"]["scikit-build"]["cmake"]["version"].removeprefix(">=")


@pytest.fixture
def spack(monkeypatch):
    """What the recipe tells Spack, by directive, as if it were there."""
    told: dict[str, list[tuple[tuple, dict]]] = {}
    inherited: list[dict] = [{}]

    def directive(name):
        def note(*words, **options):
            told.setdefault(name, []).append((words, inherited[-1] | options))

        return note

    @contextmanager
    def default_args(**options):
        inherited.append(inherited[-1] | options)
        yield
        inherited.pop()

    package = ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "conflicts"):
        setattr(package, name, directive(name))
    package.default_args = default_args
    python = ModuleType("spack_repo.builtin.build_systems.python")
    python.PythonPackage = type("PythonPackage", (), {})
    for module in (package, python):
        parts = module.__name__.split(".")
        for count in range(1, len(parts)):
            name = ".".join(parts[:count])
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    told["names"] = [
        ((name,), {}) for name in runpy.run_path(str(ROOT / "packaging/spack/package.py"))
    ]
    return told


def spack_versions(told, kind):
    """Packages of a type of dependency to least versions, optional ones left out."""
    found = {}
    for (spec,), options in told["depends_on"]:
        types = options.get("type", ("build", "link"))
        if kind in ([types] if isinstance(types, str) else types) and "+" not in options.get(
            "when", ""
        ):
            name, _, least = spec.partition("@")
            found[name] = least.removesuffix(":")
    return found


def test_spack_has_the_version_and_licence(spack):
    assert ("PyContend",) in [words for words, _ in spack["names"]]
    assert spack["version"] == [((VERSION,), {})]
    assert spack["license"] == [((PROJECT["project"]["license"],), {})]


def test_spack_needs_what_the_project_needs(spack):
    run = spack_versions(spack, "run")
    assert {name: run[name] for name in run if name.startswith("py-")} == {
        f"py-{name}": least for name, least in RUN.items()
    }
    assert run["python"] == PYTHON
    assert "c" in run and "gmake" in run
    build = spack_versions(spack, "build")
    assert {name for name in build if name.startswith("py-")} == {f"py-{name}" for name in BUILD}
    assert all(build[f"py-{name}"] == least for name, least in BUILD.items())
    assert build["cmake"] == CMAKE


def test_spack_needs_an_optional_package_where_its_variant_is_set(spack):
    variants = {words[0] for words, _ in spack["variant"]}
    used = {
        options["when"].lstrip("+")
        for _, options in spack["depends_on"]
        if "+" in options.get("when", "")
    }
    assert used == variants
    extras = PROJECT["project"]["optional-dependencies"]
    assert ("py-otf2@" + requirements(extras["otf2"])["otf2"] + ":",) in [
        words for words, _ in spack["depends_on"]
    ]


CONDA_NAMES = {"matplotlib": "matplotlib-base"}  # without Qt


def test_conda_needs_what_the_project_needs():
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())

    def versions(part):
        lines = [line for line in recipe["requirements"][part] if not line.startswith("${{")]
        return {
            name: least.removeprefix(">=")
            for name, _, least in (line.partition(" ") for line in lines)
        }

    assert recipe["context"]["version"] == VERSION
    assert recipe["package"] == {"name": PROJECT["project"]["name"], "version": "${{ version }}"}
    assert versions("run") == {
        "python": PYTHON, **{CONDA_NAMES.get(name, name): least for name, least in RUN.items()}
    }  # fmt: skip
    assert versions("host") == {"python": PYTHON, "pip": "", **BUILD}
    assert versions("build")["cmake"] == CMAKE
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert dict([entry.split(" = ")]) == PROJECT["project"]["scripts"]
    assert recipe["about"]["license"] == PROJECT["project"]["license"]
    assert recipe["about"]["summary"] == PROJECT["project"]["description"]
    source = (ROOT / "packaging/conda" / recipe["source"]["path"]).resolve()
    assert source == ROOT
    assert (source / recipe["about"]["license_file"]).is_file()


def test_the_citation_has_the_version():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_each_python_that_wheels_are_built_for_is_a_classifier_and_no_other():
    built = {
        f"3.{name[3:-2].removeprefix('3')}" for name in PROJECT["tool"]["cibuildwheel"]["build"]
    }
    said = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert built == set(said)
    assert min(said, key=lambda one: int(one[2:])) == PYTHON


def release_of(version, day, read=lambda name: (ROOT / name).read_text()):
    return runpy.run_path(str(ROOT / "packaging/release.py"))["release"](version, day, read)


def test_a_release_sets_every_version_and_dates_the_changes():
    texts = release_of("7.8.9", "2031-02-03")
    assert tomllib.loads(texts["pyproject.toml"])["project"]["version"] == "7.8.9"
    assert "\nversion: 7.8.9\ndate-released: 2031-02-03\n" in texts["CITATION.cff"]
    assert '    version("7.8.9")\n' in texts["packaging/spack/package.py"]
    assert '  version: "7.8.9"\n' in texts["packaging/conda/recipe.yaml"]
    heading = "## Unreleased\n\n## [7.8.9] - 2031-02-03\n\n### Added\n"
    assert heading in texts["CHANGELOG.md"]
    for name, text in texts.items():
        old = (ROOT / name).read_text()
        assert len(set(text.splitlines()) ^ set(old.splitlines())) <= 3, name


def test_a_second_release_is_dated_anew_and_a_wrong_one_refused():
    first = release_of("7.8.9", "2031-02-03")
    second = release_of("7.9.0", "2031-03-03", first.__getitem__)
    assert second["CITATION.cff"].count("date-released") == 1
    assert "## [7.9.0] - 2031-03-03\n\n## [7.8.9] - 2031-02-03\n" in second["CHANGELOG.md"]
    for version, day in (("7.8", "2031-02-03"), ("7.8.9", "soon")):
        with pytest.raises(ValueError, match=r"no version|Invalid isoformat"):
            release_of(version, day)
    with pytest.raises(ValueError, match="already"):
        release_of("7.8.9", "2031-02-03", first.__getitem__)


@pytest.mark.parametrize(
    ("machine", "library", "is_added"),
    [
        ("x86_64", ("glibc", "2.28"), True),
        ("aarch64", ("glibc", "2.41"), True),
        ("x86_64", ("glibc", "2.17"), False),
        ("x86_64", ("musl", "1.2.5"), False),
        ("x86_64", ("", ""), False),
        ("ppc64le", ("glibc", "2.39"), False),
    ],
)
def test_a_build_has_the_header_of_the_abi_where_there_is_a_wheel_of_it(
    monkeypatch, machine, library, is_added
):
    """Of MPICH; elsewhere the build goes on without."""
    scikit, package = ModuleType("scikit_build_core.build"), ModuleType("scikit_build_core")
    for name in ("get_requires_for_build_wheel", "get_requires_for_build_editable"):
        setattr(scikit, name, lambda settings=None: ["ninja"])
    package.build = scikit
    monkeypatch.setitem(sys.modules, "scikit_build_core", package)
    monkeypatch.setitem(sys.modules, "scikit_build_core.build", scikit)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("platform.libc_ver", lambda: library)
    backend = runpy.run_path(str(ROOT / "packaging/backend.py"))
    for name in ("get_requires_for_build_wheel", "get_requires_for_build_editable"):
        assert backend[name]() == ["ninja", *["mpich>=5"] * is_added]
