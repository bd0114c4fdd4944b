"""A byte order mark before rules, which some editors write and each library takes otherwise.

Seen by running: Open MPI 4.1.4 and 5.0.11 skip it before numbers, say "keyval parser: error" before
parameters and take them, and ignore a file whose version line stands behind it; MPICH 5.0.2 aborts.
Of sources: the JSON of Open MPI 6.0 and UCC's files skip it, Lua does; NCCL's plugin and RCCL's
tuner take it for a part of the first word.
"""

from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text
from contend.tune.exports.finding import Finding, Level
from contend.tune.exports.settings.parameters import LUA, is_parameters

MARK = "\ufeff"
Made = tuple[Level, str]  # what is made of a mark
SKIPPED: Made = ("note", "it is skipped")
_REMEDY = "save the file as UTF-8 without a byte order mark"


def mark_finding(made: Made) -> Finding:
    level, words = made
    return Finding(level, "mark", f"a byte order mark stands before it: {words}", _REMEDY, 1)


def made_by_shell(text: str) -> Made:
    """What is made of a mark before a script, a module or a file of parameters."""
    first = text.partition("\n")[0].strip()
    if first.startswith("#!"):
        return "error", "the line that names the shell is not seen, and sbatch refuses the script"
    if first.startswith("#%Module"):
        return "error", "it is not taken for a module"
    if LUA.search(text):
        return "note", "Lua skips it"
    if is_parameters(text):
        return "warning", "Open MPI says 'keyval parser: error', and takes the parameters"
    if not first or first.startswith("#"):
        return "warning", "the shell says that the first line is no command"
    return ("error", "the shell takes it for a part of the first word: the line sets nothing")


def unmarked(path: Path) -> str:
    """Text of a file of rules that a library is to load, or that others are added to."""
    text = read_text(path, keeps_mark=True)
    if text.startswith(MARK):
        raise FileFormatError(
            f"{path} begins with a byte order mark, which not every library skips", _REMEDY
        )
    return text
