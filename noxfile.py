"""Checks that run in environments of their own: `nox` lists and runs them."""

from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["lint", "tests"]
nox.options.reuse_existing_virtualenvs = True

ROOT = Path(__file__).parent
C_FOLDERS = ("core", "bindings", "mpi", "lab")
C_SUFFIXES = {".c", ".h", ".cpp", ".hpp"}


def install(session: nox.Session, *extras: str) -> None:
    """Install contend as a user would, with what the extras name."""
    session.install(f".[{','.join(extras)}]")


@nox.session
def tests(session: nox.Session) -> None:
    """All tests: core, Python and MPI."""
    for name in ("core", "python", "mpi"):
        session.notify(name)


@nox.session
def core(session: nox.Session) -> None:
    """Build and test the core, with sanitizers and optimised."""
    session.install("cmake>=3.25")
    for preset in ("sanitize", "release"):
        session.run("cmake", "--workflow", "--preset", preset)


@nox.session
def python(session: nox.Session) -> None:
    """Test everything that needs no MPI."""
    install(session, "mpi", "test")
    session.run("pytest", "-m", "not mpi", *session.posargs)


@nox.session
def mpi(session: nox.Session) -> None:
    """Test what runs under MPI."""
    install(session, "mpi", "test")
    session.run("pytest", "-m", "mpi", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style and types."""
    install(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    sources = [path for folder in C_FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    c_files = [str(path) for path in sources if path.suffix in C_SUFFIXES]
    session.run("clang-format", "--dry-run", "-Werror", *c_files)


@nox.session
def docs(session: nox.Session) -> None:
    """Check that every example in the documentation runs and every link resolves."""
    install(session, "mpi", "test")
    session.run("pytest", "tests/docs", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """Build the documents as a site, without warnings."""
    install(session, "site")
    session.run("sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "docs", "build/site")


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks."""
    install(session, "mpi", "test")
    for script in sorted((ROOT / "benchmarks").glob("*.py")):
        session.run("python", str(script), *session.posargs)
