"""What is set around a program: by its command line, the environment, and files of parameters.

Open MPI's files are those that its own ompi_info names, which knows its prefix; without one it is
the user's (~/.openmpi/mca-params.conf).
"""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from contend.base.textfile import read_text
from contend.measure.launcher import LaunchCommand
from contend.schedules.libraries import Version
from contend.tune.exports.settings import settings_in
from contend.tune.exports.settings.words import MCA
from contend.tune.exports.surroundings import Place, Surrounding, of_environment

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_LISTED = re.compile(
    r":param:(mca_base_(?:param_files|override_param_file)):value:(.*)$", re.MULTILINE
)
_FILES = ("--tune", "-tune", "--am", "-am")  # options of Open MPI that name a file of parameters
_USERS = "~/.openmpi/mca-params.conf"
REMOVE = "leave it out of the command line"


def surroundings(
    launch: LaunchCommand, environment: Mapping[str, str], version: Version
) -> list[Surrounding]:
    """All that is set around the program of a launch."""
    options = list(of_options(launch))
    before = {
        option.name: option.value for option in options if option.place is Place.environment
    }  # `env A=1 mpiexec`
    outer = [setting for setting in of_environment(environment) if setting.name not in before]
    return [*options, *outer, *of_files(launch, {**environment, **before}, version)]


def of_options(launch: LaunchCommand) -> Iterator[Surrounding]:
    """What the words of a command line set, later ones first where these win."""
    words, begin = launch.words, launch.launcher
    if begin is None:
        yield from _assigned(words, Place.environment)
        return
    end = len(words) if launch.program is None else launch.program
    yield from _assigned(words[:begin], Place.environment)
    settings = list(_of_launcher(words[begin + 1 : end]))
    yield from reversed(settings) if launch.family != "Open MPI" else settings
    if end < len(words) and Path(words[end]).name == "env":
        yield from _assigned(words[end + 1 :], Place.program)


def _assigned(words: Sequence[str], place: Place) -> Iterator[Surrounding]:
    """What `env` sets, up to the command that it runs."""
    before = ""
    for word in words:
        is_value = before in ("-u", "-C")
        before = word
        if match := _ASSIGNED.fullmatch(word):
            yield Surrounding(match[1], match[2], place, "on the command line (env)", REMOVE)
        elif not (is_value or word.startswith("-") or Path(word).name == "env"):
            return


def _of_launcher(words: Sequence[str]) -> Iterator[Surrounding]:
    for at, word in enumerate(words):
        name, following = word.lstrip("-"), words[at + 1 : at + 3]
        where = f"on the command line ({word})"
        if not word.startswith("-"):
            continue
        if len(following) == 2 and (prefix := MCA.get(name)):
            yield Surrounding(prefix + following[0], following[1], Place.options, where, REMOVE)
        elif len(following) == 2 and name in ("genv", "env"):
            place = Place.options if name == "genv" else Place.passed
            yield Surrounding(following[0], following[1], place, where, REMOVE)
        elif name == "x" and following and (match := _ASSIGNED.fullmatch(following[0])):
            yield Surrounding(match[1], match[2], Place.passed, where, REMOVE)
        elif word in _FILES and following:
            yield from _of_file(Path(following[0]), Place.options)


def of_files(
    launch: LaunchCommand, environment: Mapping[str, str], version: Version
) -> Iterator[Surrounding]:
    """What files of parameters set that Open MPI reads.

    OMPI_MCA_mca_base_param_files names others in their place; from 5.0 on mpirun reads the user's
    all the same (run with 4.1.4 and 5.0.11).
    """
    if launch.family not in ("Open MPI", "Slurm"):
        return
    home = environment.get("HOME", "~")
    listed = {"mca_base_param_files": _USERS.replace("~", home)} | _listed(launch, environment)
    if named := environment.get("OMPI_MCA_mca_base_param_files"):
        users = f",{_USERS.replace('~', home)}" if version >= (5,) else ""
        listed["mca_base_param_files"] = named + users
    for name, files in listed.items():
        place = Place.override if "override" in name else Place.files
        for path in dict.fromkeys(re.split("[,:]", files)):
            if path.strip():
                yield from _of_file(Path(path.strip()), place)


def _listed(launch: LaunchCommand, environment: Mapping[str, str]) -> dict[str, str]:
    """The files that the ompi_info beside the launcher names; nothing where there is none."""
    launcher = launch.launcher_path
    tool = launcher.with_name("ompi_info") if launcher else None
    if tool is None or not tool.exists():
        return {}
    command = [str(tool), "--parsable", "--param", "mca", "base", "--level", "9"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=False, env=dict(environment)
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return dict(_LISTED.findall(done.stdout))


def _of_file(path: Path, place: Place) -> Iterator[Surrounding]:
    """The parameters of a file that is there; of one that is set twice the last."""
    if not path.is_file():
        return
    held: dict[str, Surrounding] = {}
    for setting in settings_in(read_text(path, errors="replace")):
        where, undo = f"in {path}, line {setting.line}", f"remove line {setting.line} of {path}"
        if setting.is_read:
            held[setting.name] = Surrounding(setting.name, setting.value, place, where, undo)
    yield from held.values()
