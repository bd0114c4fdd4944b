"""Every command of the documents and of `--help` runs; what launches, in another file of tests."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import prepared_files
import pytest
import yaml
from launches import start_of

from contend.tune.exports import FORMATS
from support import reports
from support.commands import (
    LANGUAGES,
    PAGES,
    ROOT,
    blocks,
    commands_of_contend,
    every_command,
    longest_of_each,
    lookup,
    other_commands,
    parse,
    spoken,
)

# Lines of a shell that are no command of contend, by how they begin, and why they need no test.
OTHERS = {
    "git clone": "what is tested is a clone",
    "cd ": "moves",
    "make ": "targets are looked up: test_every_target_of_make_that_is_shown_exists",
    "pip install --no-compile .": "what is tested was installed",
    "python -m benchmarks.": "modules are imported: test_every_benchmark_can_be_imported",
    "export ": "sets a variable; commands of contend in it are taken out",
    "module load": "of the site",
    "srun ./my_app": "of the site",
    "mpiexec -n 16 ./osu_bcast": "a program of the user",
    "mpiexec -n 16 ./all_reduce_perf": "a program of the user",
    "reframe ": "of the site",
    "sbatch ": "of the site",
    "smpicc ": "of SimGrid",
    "smpirun ": "of SimGrid",
    "cat ": "shows",
    ". ./": "sets variables",
}
COMMANDS = commands_of_contend()
EXAMPLED = {name: str(command.epilog) for name, command in every_command()}


@pytest.mark.parametrize("command", longest_of_each(one for one in COMMANDS if not start_of(one)))
def test_a_command_that_is_shown_runs(command, prepared, run, tmp_path, monkeypatch):
    folder = tmp_path / "files"
    shutil.copytree(prepared, folder)
    prepared_files.put_instead(folder, command)
    reports.without_files_and_maps(monkeypatch)
    monkeypatch.chdir(folder)
    words = [
        one
        for word in shlex.split(command)[1:]
        for one in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    run(*words, given=(folder / "osu_alltoall.txt").read_text())


def test_every_command_that_is_shown_is_one():
    refused = {}
    for command, places in COMMANDS.items():
        try:
            parse(shlex.split(command)[1:])
        except Exception as error:
            refused[command] = (places, error)
    assert not refused


def test_no_other_line_of_a_shell_is_shown_than_is_known_here():
    unknown = {
        line: places
        for line, places in other_commands().items()
        if not line.startswith(tuple(OTHERS))
    }
    assert not unknown, "name it in OTHERS with why, or say which language the block is"


def test_a_block_has_a_language_that_something_holds_to_the_truth():
    for page in PAGES:
        unknown = {language for language, _ in blocks(page)} - set(LANGUAGES)
        assert not unknown, f"{page}: name it in LANGUAGES with what checks it"


def test_every_toml_that_is_shown_can_be_read():
    for page in PAGES:
        for language, text in blocks(page):
            if language == "toml":
                assert tomllib.loads(text)


def test_every_section_of_ucc_that_is_shown_is_clean():
    for page in PAGES:
        for language, text in blocks(page):
            if language == "ini":
                form = FORMATS.get("ucc-conf")
                assert form.read(text, form.first)
                assert [str(one) for one in form.lint(text, form.first)] == []


def test_every_job_that_is_shown_runs_a_command_that_is_shown():
    jobs = [
        job
        for page in PAGES
        for language, text in blocks(page)
        if language == "yaml"
        for job in yaml.safe_load(text).values()
    ]
    assert jobs
    for job in jobs:
        assert job["script"] in COMMANDS
        (report,) = job["artifacts"]["reports"].values()
        assert report in shlex.split(job["script"])


def test_every_target_of_make_that_is_shown_exists():
    for line in other_commands():
        if line.startswith("make "):
            target = shlex.split(line)[1]
            done = subprocess.run(
                ["make", "-n", target], cwd=ROOT, capture_output=True, check=False
            )
            assert done.returncode == 0, line


def test_every_benchmark_can_be_imported():
    shown = [shlex.split(line)[2] for line in other_commands() if line.startswith("python -m ")]
    paths = [ROOT / name.replace(".", "/") for name in shown]
    paths = [path / "__main__" if path.is_dir() else path for path in paths]
    paths += [path.with_suffix("") for path in (ROOT / "benchmarks").glob("*.py")]
    names = {".".join(path.relative_to(ROOT).parts) for path in paths}
    imports = [sys.executable, "-c", f"import {', '.join(sorted(names))}"]
    done = subprocess.run(imports, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_command_and_group_shows_an_example_of_itself():
    assert [name for name, example in EXAMPLED.items() if name not in example] == []


def test_a_command_within_a_sentence_and_its_options_exist():
    for page in PAGES:
        for words in spoken(page):
            name, command = lookup(words)
            known = {word for one in command.params for word in (*one.opts, *one.secondary_opts)}
            options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
            assert options <= known, f"{page}: {name} has no {sorted(options - known)}"
