"""Commands of the documents that measure, launch or compile run, made short, with an MPI here."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import launches
import prepared_files
import pytest
from launches import NEEDED, SHORTENED, SITE, shortened, start_of

from contend.measure.command import LaunchOptions, settings
from contend.measure.lab.session import why_impossible
from contend.schedules.libraries import library_of, version_text
from support import reports
from support.commands import commands_of_contend, longest_of_each
from support.decisions import decided, rule
from support.mpis import library_with_trees

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
CONTEND = (sys.executable, reports.__file__)


COMMANDS = longest_of_each(one for one in commands_of_contend() if start_of(one))


@pytest.fixture(scope="module")
def files(prepared, run, mpi, compiled, tmp_path_factory):
    """A folder of what the commands name, with rules of the library that is here."""
    folder = tmp_path_factory.mktemp("launching") / "files"
    shutil.copytree(prepared, folder)
    launches.write(folder, mpi, compiled)
    library, version = library_of(mpi.title)
    target = f"{library.name}-{version_text(version)}"
    decided(rule("bcast", "binomial"), library=library.name).save(folder / "bcast.json")
    (folder / "rules.conf").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("tune", "export", "bcast.json", "--library", target, "-o", "rules.conf")
        run("alltoall", "plan", "network.json", "--groups", "clusters.toml", "-n", "4",
            "-o", "plan")  # fmt: skip
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_launches_runs(command, files, mpi, tmp_path):
    words = shortened(command)
    for word, package in NEEDED.items():
        if word in words and find_spec(package) is None:
            pytest.skip(f"{package} is not here")
    if "srun" in command:
        words = ["lab", "run", SITE, "--", *CONTEND, *words]
    if any(word.startswith("lab") for word in words) and (why := why_impossible()):
        pytest.skip(f"no lab here: {why}")
    if "TARGET" in words:
        if mpi.family != "Open MPI":
            pytest.skip(f"the network has none of the algorithms of {mpi.title}")
        here = {"TARGET": f"openmpi-{mpi.version}", "MPICC": mpi.mpicc}
        words = [here.get(word, word) for word in words]
    if "LIBRARY" in words:
        library = library_with_trees(mpi)
        words = [str(library) if word == "LIBRARY" else word for word in words]
    folder = tmp_path / "files"
    shutil.copytree(files, folder)
    prepared_files.put_instead(folder, command)
    if "-o" in words and (old := folder / words[words.index("-o") + 1]).is_dir():
        shutil.rmtree(old)  # of a trace
    if "hosts" in words:
        (folder / "clusters.toml").unlink()  # written by hand, which is not replaced
    path = os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))
    done = subprocess.run(
        [*CONTEND, *words],
        cwd=folder,
        env={**os.environ, **settings(mpi, 4, LaunchOptions()), "PATH": path},
        input="hostname\n",  # of who opens a shell
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}"


def test_no_command_is_shortened_that_is_not_shown():
    assert {start_of(command) for command in commands_of_contend()} == {None, *SHORTENED}
