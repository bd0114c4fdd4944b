"""The command line of a launch: its launcher, its program, and variables for its ranks alone."""

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.measure.mpi import identify

PRELOAD = "LD_PRELOAD"
_LAUNCHER = re.compile(r"(mpiexec|mpirun|orterun|prterun|prun|srun|aprun|jsrun|ibrun)(\..+)?")
_BEFORE = ("env", "nice", "nohup", "numactl", "setsid", "stdbuf", "time", "timeout")
_HYDRA = ("MPICH", "Intel MPI")

# Options whose value is the next word or the next two, without the dashes before them.
_ONE = {
    "Open MPI": """n np c N npernode npersocket ppn x H host hostfile machinefile default-hostfile
        rf rankfile wd wdir path prefix map-by rank-by bind-to timeout output-filename output am
        tune cpu-set cpu-list stdin personality display runtime-options dvm s preload-files
        launch-agent report-pid report-uri max-restarts""",
    "MPICH": """n np ppn f host hosts hostfile machinefile perhost wdir path genvlist envlist
        launcher bootstrap launcher-exec bootstrap-exec iface rmk bind-to map-by membind localhost
        configfile outfile-pattern errfile-pattern prepend-pattern ranks-per-proc usize umask demux
        order-nodes grr arch soft s topolib""",
    "Slurm": """A b c C d D e g G i J L m n N o p P q r t T w x ntasks nodes partition
        cpus-per-task time nodelist exclude job-name account chdir output error input distribution
        ntasks-per-node mpi cpu-bind mem-bind mem mem-per-cpu gres gpus gpus-per-node
        gpus-per-task constraint dependency qos reservation export hint network threads-per-core""",
}
_TWO = {"Open MPI": "mca gmca omca prtemca pmixmca", "MPICH": "genv env"}


@dataclass(frozen=True)
class LaunchCommand:
    """Words of a command line, and the places of its launcher and its program, None: unknown."""

    words: tuple[str, ...]
    launcher: int | None
    family: str
    program: int | None

    @property
    def launcher_path(self) -> Path | None:
        path = None if self.launcher is None else shutil.which(self.words[self.launcher])
        return None if path is None else Path(path)

    @property
    def program_paths(self) -> list[Path]:
        if self.launcher is None:
            places: list[int | None] = [self.program]
        else:
            places = [
                _find_program(self.words[:end], start - 1, self.family)
                for start, end in _parts(self.words, self.launcher + 1)
            ]
        return [path for place in places if (path := self._path(place)) is not None]

    def _path(self, place: int | None) -> Path | None:
        path = None if place is None else shutil.which(self.words[place])
        return None if path is None else Path(path)


def parse_launch(words: Sequence[str]) -> LaunchCommand:
    """What the words of a command line are.

    >>> parse_launch(["srun", "-n", "4", "python3", "job.py"]).program
    3
    """
    launcher = _find_launcher(words)
    if launcher is None:
        return LaunchCommand(tuple(words), None, "unknown", 0)
    family = _family(words[launcher])
    return LaunchCommand(tuple(words), launcher, family, _find_program(words, launcher, family))


def _find_launcher(words: Sequence[str]) -> int | None:
    last = len(words) if Path(words[0]).name in _BEFORE else 1
    names = (Path(word).name for word in words[:last])
    return next((at for at, name in enumerate(names) if _LAUNCHER.fullmatch(name)), None)


def _family(launcher: str) -> str:
    return "Slurm" if Path(launcher).name == "srun" else identify(launcher)[0]


def _find_program(words: Sequence[str], launcher: int, family: str) -> int | None:
    """The first word that can be run and is no option's value."""
    syntax = "MPICH" if family in _HYDRA else family
    values = dict.fromkeys(_ONE.get(syntax, "").split(), 1)
    values |= dict.fromkeys(_TWO.get(syntax, "").split(), 2)
    at = launcher + 1
    while at < len(words):
        word = words[at]
        if word.startswith("-"):
            name, is_whole, _ = word.lstrip("-").partition("=")
            at += 1 if is_whole else 1 + values.get(name, 0)
        elif shutil.which(word):
            return at
        else:
            at += 1
    return None


def with_variables(
    launch: LaunchCommand, variables: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Command line and additional environment by which the ranks get the variables.

    Open MPI and the family of MPICH take them as options, so that the launcher stays without; all
    else gets them in the environment. What the command line says of LD_PRELOAD itself stays behind
    what is given here.

    >>> launch = LaunchCommand(("mpiexec", "-n", "2", "./app"), 0, "MPICH", 3)
    >>> with_variables(launch, {"A": "1"})[0]
    ['mpiexec', '-genv', 'A', '1', '-n', '2', './app']
    """
    if launch.launcher is None or launch.family not in ("Open MPI", *_HYDRA):
        return list(launch.words), dict(variables)
    words, begin = list(launch.words), launch.launcher + 1
    if launch.family == "Open MPI" and {"--app", "-app"} & set(words[begin : launch.program]):
        raise InvalidInputError(
            "the launcher reads its programs from a file (--app), which get no variables here",
            "give them on the command line, with ':' between them",
        )
    given = {name: value for name, value in variables.items() if name != PRELOAD}
    is_preloaded_everywhere = False
    for start, end in reversed(_parts(words, begin)):
        program = _find_program(words[:end], start - 1, launch.family)
        stop = _end_of_settings(words, launch.program if start == begin else program, end)
        extended = _extend(words[start:stop], variables[PRELOAD]) if PRELOAD in variables else None
        words[start:stop] = extended or words[start:stop]
        is_preloaded_everywhere |= extended is not None and "-genv" in extended
        if launch.family == "Open MPI":  # each of several programs has options of its own
            wanted = variables if extended is None else given
            words[start:start] = [
                word for item in wanted.items() for word in ("-x", "=".join(item))
            ]
    if launch.family != "Open MPI":
        wanted = given if is_preloaded_everywhere else variables
        words[begin:begin] = [word for item in wanted.items() for word in ("-genv", *item)]
    return words, {}


def _parts(words: Sequence[str], begin: int) -> list[tuple[int, int]]:
    """Begin and end of the options and words of each program."""
    ends = [at for at in range(begin, len(words)) if words[at] == ":"]
    return list(zip([begin, *(at + 1 for at in ends)], [*ends, len(words)], strict=True))


def _end_of_settings(words: Sequence[str], program: int | None, end: int) -> int:
    """Where a program's options end, with what `env` sets where that runs it."""
    if program is None:
        return end
    at = program
    if Path(words[at]).name == "env":
        at += 1
        while at < end and (words[at].startswith("-") or "=" in words[at]):
            at += 2 if words[at] in ("-u", "-C") else 1
    return min(at, end)


def _extend(options: Iterable[str], preload: str) -> list[str] | None:
    """The options with `preload` before what they preload; None where they preload nothing."""
    words = list(options)
    for at, word in enumerate(words):
        if word == "-x" and words[at + 1 : at + 2] == [PRELOAD]:
            words[at + 1] = f"{PRELOAD}={preload}"  # the environment's, which is in there already
            return words
        if word in ("-genv", "-env") and words[at + 1 : at + 2] == [PRELOAD]:
            words[at + 2] = _before(preload, words[at + 2])
            return words
        if word.startswith(f"{PRELOAD}="):
            words[at] = f"{PRELOAD}={_before(preload, word.partition('=')[2])}"
            return words
    return None


def _before(first: str, then: str) -> str:
    """Both lists of libraries, each library once."""
    return ":".join(dict.fromkeys(filter(None, f"{first}:{then}".replace(" ", ":").split(":"))))


def preload_before(library: Path | str, present: str | None) -> str:
    """LD_PRELOAD with the library before what is there.

    >>> preload_before("/a.so", "/b.so /c.so")
    '/a.so:/b.so:/c.so'
    """
    return _before(str(library), present or "")
