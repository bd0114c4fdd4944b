"""Every table of figures says what made it, and the list knows which are older than the code."""

import re
import subprocess
from pathlib import Path

import pytest

import history
import measured
import shell
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


def are_there(code: list[str]) -> list[bool]:
    return [(HOME / path.removeprefix(history.EXCEPT)).exists() for path in code]


@pytest.mark.parametrize("table", every_table(), ids=lambda table: table.place)
def test_a_table_of_figures_says_what_made_it(table: tables.Table) -> None:
    assert table.comment is not None, "a comment above it names command, commit, machine and code"
    assert all(are_there(table.code)), table.code
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
    history.changed.cache_clear()
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


def test_a_file_in_a_folder_of_code_can_be_left_out() -> None:
    changed = frozenset({"lab/a.c", "lab/shim/b.c", "lab/shim/b.cpp", "laboratory.c"})
    assert history.below(changed, ["lab/"]) == ["lab/a.c", "lab/shim/b.c", "lab/shim/b.cpp"]
    assert history.below(changed, ["lab", ":!lab/shim/b.c"]) == ["lab/a.c", "lab/shim/b.cpp"]
    assert history.below(changed, ["lab", ":!lab/shim"]) == ["lab/a.c"]


@pytest.mark.parametrize(
    ("name", "before", "after", "is_alike"),
    [
        (
            "a.py",
            "def f():\n    return 1\n",
            'def f():\n    """One."""\n    return 1  # one\n',
            True,
        ),
        ("a.py", "f(1, 2)\n", "from b import f\n\nf(\n    1,\n    2,\n)\n", True),
        ("a.py", "f(1, 2)\n", "f(1, 3)\n", False),
        ("a.py", "x = '# 1'\n", "x = '# 2'\n", False),
        ("a.cpp", "#include <a>\nint f(){return 1;}", "int f() {\n  return 1;  // one\n}\n", True),
        ("a.c", "int f(){return 1;}", "int f(){return /* 2 */ 1;}", True),
        ("a.c", 'char *s = "// 1";', 'char *s = "// 2";', False),
        ("a.c", "int f(){return 1;}", "int f(){return 11;}", False),
        ("a.toml", "a = 1\n", "a = 1 # one\n", False),
    ],
)
def test_what_code_does_is_without_comments_layout_and_imports(
    name: str, before: str, after: str, is_alike: bool
) -> None:
    assert (history.meaning(name, before) == history.meaning(name, after)) == is_alike


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
        r"commit \w+ \| a machine", f"commit {commit} | {history.machine()}", before[2]
    )
    assert after[5:7] == ["| this | 2.5 |", "| that | 3 |"]
    assert after[7:] == before[6:]
    assert since(every_table(project)[1], project) == []


def test_no_command_sees_what_another_has_left(project: Path) -> None:
    document = project / "docs" / "d.md"
    head = "echo '| what | seconds |'; echo '|---|---|'"
    counting = f'touch {{}}; {head}; echo "| files | $(ls | wc -l) |"'
    text = document.read_text()
    both = (text.replace("python make.py", counting.format(name)) for name in ("a", "b"))
    document.write_text("\n".join(both))
    committed(project)
    tables.renew("touch", home=project)
    assert document.read_text().count("| files | 1 |") == 2


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
    with pytest.raises(shell.FailedError, match=why):
        tables.renew(command, project, project)
    assert document.read_text() == before


def test_figures_are_those_of_a_commit(project: Path) -> None:
    committed(project)
    (project / "other.py").write_text("x = 3\n")
    with pytest.raises(history.HistoryError, match=r"commit the code first[^$]*other.py"):
        tables.renew("make.py", project, project)


def test_a_word_of_no_command_is_told(project: Path) -> None:
    with pytest.raises(shell.FailedError, match="no table's command has 'nix'"):
        tables.renew("nix", project, project)


DESCRIPTION = """# Two lines.
command = "printf '[\\"%s/mpiexec\\", \\"a/b\\"]\\n2\\n' $PWD > samples.jsonl; echo 3 > other"
kept = ["*.jsonl"]
code = ["code"]
commit = "none"
machine = "none yet"
day = "2000-01-01"
"""


@pytest.fixture
def kept(project: Path) -> measured.Measured:
    """Samples that are measured, and a table that is made of them."""
    (project / "docs" / "measured").mkdir()
    one = measured.Measured(project, "lines")
    one.description.write_text(DESCRIPTION)
    committed(project)
    one.measure(project / "work")
    rows = r"| what | seconds |\n|---|---|\n| lines | %s |\n"
    command = f"""printf '{rows}' "$(wc -l < "$MEASURED"/lines/samples.jsonl)\""""
    document = project / "docs" / "d.md"
    document.write_text(document.read_text().replace("python make.py", command))
    committed(project)
    return one


def test_samples_are_kept_and_a_table_is_made_of_them(
    project: Path, kept: measured.Measured, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("unpacked")
    kept.unpack(folder)
    assert [path.name for path in (folder / "lines").iterdir()] == ["samples.jsonl"]
    content = (folder / "lines" / "samples.jsonl").read_text()
    assert content == '["mpiexec", "a/b"]\n2\n', "without folders of the machine"
    assert kept.said().commit != measured.NOT_YET
    assert kept.description.read_text().startswith("# Two lines.\n")
    tables.renew("MEASURED", project / "made", project)
    assert "| lines | 2 |" in (project / "docs" / "d.md").read_text()
    committed(project)
    assert since(every_table(project)[1], project) == []


def test_a_table_is_older_than_samples_that_were_measured_anew(
    project: Path, kept: measured.Measured
) -> None:
    tables.renew("MEASURED", project / "made", project)
    description = kept.description.read_text().replace("a/b", "a/c")
    kept.description.write_text(description)
    committed(project)
    kept.measure(project / "work")
    committed(project)
    assert since(every_table(project)[1], project) == [kept.path]


def test_samples_that_are_described_alone_are_to_be_measured(
    project: Path, kept: measured.Measured
) -> None:
    kept.archive.unlink()
    kept.description.write_text(DESCRIPTION)
    committed(project)
    assert since(every_table(project)[1], project) == [kept.path]
    with pytest.raises(shell.FailedError, match=r"no samples 'lines'; measure it: .*lines"):
        tables.renew("MEASURED", project / "made", project)


def test_a_measurement_that_was_stopped_goes_on_elsewhere(
    project: Path, kept: measured.Measured, tmp_path_factory: pytest.TempPathFactory
) -> None:
    here, there, anew = (tmp_path_factory.mktemp(name) for name in ("here", "there", "anew"))
    (here / "part.jsonl").write_text("1\n")
    kept.keep_part(here)
    committed(project)
    assert (kept.said().commit, kept.since()) == (measured.NOT_YET, [kept.path])
    with pytest.raises(shell.FailedError, match="no samples"):
        kept.unpack(there)
    kept.measure(there)
    assert (there / "part.jsonl").read_text() == "1\n"
    assert kept.said().begun == ""
    kept.keep_part(here)
    (project / "code" / "one.py").write_text("def f():\n    return 3\n")
    committed(project)
    kept.measure(anew)
    assert not (anew / "part.jsonl").exists(), "what other code has measured"


def test_a_table_is_old_where_the_code_that_measures_changed(
    project: Path, kept: measured.Measured
) -> None:
    tables.renew("MEASURED", project / "made", project)
    (project / "code" / "one.py").write_text("def f():\n    return 3\n")
    committed(project)
    assert kept.since() == ["code/one.py"]
    assert since(every_table(project)[1], project) == ["code/one.py"]


@pytest.mark.parametrize("one", measured.every_set(), ids=lambda one: one.name)
def test_kept_samples_say_what_measured_them(one: measured.Measured) -> None:
    said = one.said()
    assert all(are_there(said.code)), said.code
    assert one.archive.exists() == (said.commit != measured.NOT_YET or bool(said.begun))
    assert any(one in measured.named_in(table.command) for table in every_table()), "no table"
