"""Files that are no scripts of a shell: parameters of Open MPI, and modules in Lua (Lmod).

openmpi-mca-params.conf has lines of name = value, and comments; parameters stand without the
OMPI_MCA_ that their variables begin with. A module calls setenv("NAME", "value"), pushenv likewise.
"""

import re
from collections.abc import Iterator

from contend.tune.exports.settings.words import MCA, TUNING, Setting

_FRAMEWORKS = (
    "allocator|bml|btl|coll|common|fbtl|fcoll|fs|hook|hwloc|io|mca|mpi|mpool|mtl|ompi|op|opal|orte|"
    "osc|patcher|pml|plm|prte|pmix|pstat|ras|rcache|rmaps|routed|rte|sharedfp|shmem|topo|vprotocol|"
    "ess|errmgr|filem|grpcomm|iof|odls|oob|rml|schizo|sec|snapc|state|timer"
)
_LINE = re.compile(r"\s*([A-Za-z_][\w-]*)\s*=\s*(.*?)\s*")
_OPTION = re.compile(r"\s*--?(\w+)\s+(\S+)\s+(?:\"([^\"]*)\"|'([^']*)'|(\S+))\s*")
_PARAMETER = re.compile(rf"(?:{_FRAMEWORKS})(?:_\w+)?")
_SHELL = re.compile(r"\s*(?:export|setenv|module|mpirun|mpiexec|srun|if|for|source)\b(?!\s*=)")
_VARIABLE = re.compile(r"[A-Z]\w*")


def is_parameters(text: str) -> bool:
    """Whether most lines but comments are of this form, some set a parameter, and none exports."""
    lines = [line for _, line in _lines(text)]
    matches = [match for line in lines if (match := _LINE.fullmatch(line))]
    return (
        not text.startswith("#!")
        and not any(_SHELL.match(line) for line in lines)
        and any(_PARAMETER.fullmatch(match[1]) for match in matches)
        and 2 * len(matches) >= len(lines)
    )


def parameter_settings(text: str) -> Iterator[Setting]:
    """Yield the parameters of a file or of options as the variables that set the same."""
    seen: dict[str, int] = {}
    for number, line in _lines(text):
        if match := _LINE.fullmatch(line):
            name, value = match[1], match[2].strip("\"'")
            name = name if _VARIABLE.fullmatch(name) else MCA["mca"] + name
        elif match := _OPTION.fullmatch(line):
            name = MCA.get(match[1], "") + match[2]
            value = next(group for group in match.groups()[2:] if group is not None)
        else:
            name, value = MCA["mca"] + line.split()[0], ""
            yield Setting(name, value, number, problem="it is no line of name = value")
            continue
        yield Setting(name, value, number, replaces=seen.get(name))
        seen[name] = number


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        kept = line.partition("#")[0]
        if kept.strip():
            yield number, kept


LUA = re.compile(
    r"^\s*(?:setenv|pushenv|prepend_path|append_path|whatis|help|family|load|depends_on|prereq|"
    r"conflict)\s*[({\[](?!\s*\))|^\s*local\s+\w+\s+=\s|^\s*--\[\[",
    re.MULTILINE,
)
_COMMENT = re.compile(
    r"(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|--\[\[.*?\]\]|--[^\n]*", re.DOTALL
)
_STRING = r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|\[\[(.*?)\]\]"
_CALL = re.compile(
    rf"\b(?:setenv|pushenv)\s*[({{]\s*(?:{_STRING})\s*,\s*(?:(?:{_STRING}|(\d+))\s*[,)}}])?",
    re.DOTALL,
)
_MENTIONED = re.compile(rf"(?:{'|'.join(TUNING)})\w*")
_AWAY = re.compile(
    r"\b(?:unsetenv|unset|whatis|help|LmodMessage|getenv|prepend_path|append_path)\b"
)


def lua_settings(text: str) -> Iterator[Setting]:
    """The settings, and names that stand in other calls."""
    text = _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
    read: set[str] = set()
    for match in _CALL.finditer(text):
        name = _first(match.groups()[:3]) or ""
        value = _first(match.groups()[3:])
        line = text.count("\n", 0, match.start()) + 1
        read.add(name)
        yield Setting(name, value or "", line, is_known=value is not None)
    for number, words in enumerate(text.splitlines(), 1):
        for name in () if _AWAY.search(words) else _MENTIONED.findall(words):
            if name not in read:
                yield Setting(name, "", number, is_read=False)


def _first(groups: tuple[str | None, ...]) -> str | None:
    return next((group for group in groups if group is not None), None)
