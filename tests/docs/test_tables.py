"""Every table of figures says what made it, and the list knows which are older than the code."""

import re
import subprocess
from pathlib import Path

import pytest

import tables
from tables import HOME, every_table, since

TABLE = """Some figures.

<!-- table: python make.py | commit {commit} | a machine | code: code other.py -->
| what | seconds |
|---|---|
| this | 1.5 |

| word | meaning |
|---|---|
| a | the first letter |
"""


@pytest.mark.parametrize("table", every_table(), ids=lambda table: table.place)
def test_a_table_of_figures_says_what_made_it(table: tables.Table) -> None:
    assert table.comment is not None, "a comment above it names command, commit, machine and code"
    assert all((HOME / path).exists() for path in table.code), table.code
    for module in re.findall(r"python -m (benchmarks\S+)", table.comment["command"]):
        path = HOME / module.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), module


DOCUMENTS = [HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted((HOME / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_row_has_the_cells_of_its_head(document: Path) -> None:
    for head, *rows in found_in(document):
        numbers = {len(re.split(r"(?<!\\)\|", row)) for row in (head, *rows)}
        assert len(numbers) == 1, head


def found_in(document: Path) -> list[list[str]]:
    """Lines of each table."""
    parts = [[]]
    for line in document.read_text(encoding="utf-8").split("\n"):
        if line.startswith("|"):
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a document whose table is as old as its code."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("import os\n\n\ndef f():\n    return 1\n" * 5)
    (tmp_path / "other.py").write_text("x = 1\n")
    (tmp_path / "README.md").write_text("| a | b |\n|---|---|\n| c | 1 |\n")
    (tmp_path / "docs").mkdir()
    git(tmp_path, "init", "-q")
    commit = committed(tmp_path)
    (tmp_path / "docs" / "d.md").write_text(TABLE.format(commit=commit))
    return tmp_path


def git(home: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.check_output(["git", "-C", str(home), *who, *words], text=True).strip()


def committed(home: Path) -> str:
    git(home, "add", "-A")
    git(home, "commit", "-q", "-m", "a")
    tables.changed.cache_clear()
    return git(home, "rev-parse", "--short", "HEAD")


def test_only_tables_of_figures_count(project: Path) -> None:
    readme, document = every_table(project)
    assert readme.place == "README.md:1"
    assert readme.comment is None
    assert document.place == "d.md:4"
    assert document.code == ["code", "other.py"]


def test_a_table_is_current_until_its_code_changes(project: Path) -> None:
    committed(project)
    table = every_table(project)[1]
    assert since(table, project) == []
    (project / "README.md").write_text("else")
    committed(project)
    assert since(table, project) == []
    (project / "other.py").write_text("x = 2\n")
    committed(project)
    assert since(table, project) == ["other.py"]


def test_what_was_renamed_or_imports_otherwise_is_what_it_was(project: Path) -> None:
    committed(project)
    git(project, "mv", "code/one.py", "code/two.py")
    text = (project / "code" / "two.py").read_text()
    (project / "code" / "two.py").write_text(text.replace("import os", "import sys"))
    committed(project)
    table = every_table(project)[1]
    assert since(table, project) == []
    (project / "code" / "two.py").write_text(text.replace("return 1", "return 2", 1))
    committed(project)
    assert "code/two.py" in (since(table, project) or [])


def test_a_commit_that_is_not_known_cannot_be_told(project: Path) -> None:
    document = project / "docs" / "d.md"
    document.write_text(TABLE.format(commit="abcdef1"))
    committed(project)
    assert since(every_table(project)[1], project) is None


COMMAND = (
    """printf '%s\\n' 'Found' '| what | seconds |' '|---|---|' '| this | 2.5 |' '| that | 3 |'"""
)


def test_a_table_is_made_anew_by_its_command(project: Path) -> None:
    document = project / "docs" / "d.md"
    text = document.read_text().replace("python make.py", COMMAND)
    document.write_text(text)
    (project / "other.py").write_text("x = 2\n")
    commit = committed(project)
    tables.renew("printf", project, project)
    before, after = text.split("\n"), document.read_text().split("\n")
    assert after[2] == re.sub(
        r"commit \w+ \| a machine", f"commit {commit} | {tables.machine()}", before[2]
    )
    assert after[5:7] == ["| this | 2.5 |", "| that | 3 |"]
    assert after[7:] == before[6:]
    assert since(every_table(project)[1], project) == []


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("false", "exit code 1"),
        ("echo nothing", "printed was\nno table"),
        (COMMAND.replace("what", "which"), r"printed was\n\| which \| seconds \|"),
    ],
)
def test_a_command_that_prints_no_such_table_changes_nothing(
    project: Path, command: str, why: str
) -> None:
    document = project / "docs" / "d.md"
    document.write_text(document.read_text().replace("python make.py", command))
    committed(project)
    before = document.read_text()
    with pytest.raises(tables.RenewalError, match=why):
        tables.renew(command, project, project)
    assert document.read_text() == before


def test_figures_are_those_of_a_commit(project: Path) -> None:
    committed(project)
    (project / "other.py").write_text("x = 3\n")
    with pytest.raises(tables.RenewalError, match=r"commit the code first[^$]*other.py"):
        tables.renew("make.py", project, project)


def test_a_word_of_no_command_is_told(project: Path) -> None:
    with pytest.raises(tables.RenewalError, match="no table's command has 'nix'"):
        tables.renew("nix", project, project)
