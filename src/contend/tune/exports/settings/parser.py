"""The settings of a text, whatever its form: shell, csh, Tcl, Lua, or a file of parameters."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.settings.forms import KEYWORDS, SEMICOLON, settings_of_statement
from contend.tune.exports.settings.parameters import (
    LUA,
    is_parameters,
    lua_settings,
    parameter_settings,
)
from contend.tune.exports.settings.words import (
    CARRIAGE,
    LOOKALIKE,
    LOOKALIKES,
    SPACED,
    TUNING,
    Dialect,
    Setting,
    Statement,
    is_lookalike,
    statements,
)

_CSH = re.compile(r"#!.*\bt?csh\b")
_SHELL = re.compile(r"#!.*\b(?:ba|da|k|z)?sh\b")
_OTHER = re.compile(r"#!(?!.*\blua)|#%Module")  # says that it is no Lua
# Commands after which a variable that is set again has not been looked at.
_HARMLESS = frozenset(
    ("module", "ml", "cd", "echo", "source", ".", "ulimit", "mkdir", "date", "hostname", "set",
     "unset", "umask", "export", "setenv", "declare", "conflict", "prereq", "module-whatis", "ls")
)  # fmt: skip
_SCRIPT = re.compile(r"#!|#%Module")
_EXPORTED_LATER = re.compile(r"^\s*(?:set\s+-\w*a\b|set\s+-o\s+allexport\b)", re.MULTILINE)


@lru_cache(maxsize=8)
def settings_in(text: str) -> tuple[Setting, ...]:
    plain = text.translate(LOOKALIKES)
    if plain == text:
        return tuple(_settings_in(text))
    lines = text.split("\n")
    return tuple(
        _with_lookalike(setting, lines[setting.line - 1]) for setting in _settings_in(plain)
    )


def _with_lookalike(setting: Setting, line: str) -> Setting:
    """A setting, with what is wrong with its line where that only looks as if it set it."""
    taken = next((char for char in line.partition(" #")[0] if ord(char) in LOOKALIKES), None)
    return setting if taken is None else replace(setting, problem=LOOKALIKE.format(ord(taken)))


def _settings_in(text: str) -> Iterable[Setting]:
    plain = text.replace("\r\n", "\n")
    if LUA.search(plain) and not _OTHER.match(plain):
        return lua_settings(plain)
    if is_parameters(plain):
        return parameter_settings(plain)
    dialect: Dialect = "sh"
    if text.startswith("#%Module"):
        dialect = "tcl"
    elif _CSH.match(text) or re.search(r"^\s*setenv\s", text, re.MULTILINE):
        dialect = "csh"
    return _exporting(text, list(_of_script(text, dialect, 1)))


def settings_of(text: str, is_mine: Callable[[str], bool]) -> list[Setting]:
    """Those of whose names `is_mine` is true."""
    return [setting for setting in settings_in(text) if is_mine(setting.name)]


def says_script(text: str) -> bool:
    """Whether the first line of a text names what runs it."""
    return bool(_SCRIPT.match(text))


def is_script(text: str) -> bool:
    """Whether a text says that it is a script, or sets a variable that tunes a library."""
    return says_script(text) or any(
        setting.is_read and setting.name.startswith(TUNING) for setting in settings_in(text)
    )


def _of_script(text: str, dialect: Dialect, line: int) -> Iterator[Setting]:
    seen: dict[str, int] = {}
    before: list[Setting] = []
    is_cut = False
    for scope, statement in enumerate(statements(text, dialect, line), 1):
        if is_cut and statement.words and statement.words[0].text[:1].isdigit() and before:
            before[-1] = replace(before[-1], problem=before[-1].problem or SEMICOLON)
        yield from before
        before = list(_settings(statement, scope, dialect, seen))
        if _SHELL.match(text):
            before = [_with_spaces(statement, setting) for setting in before]
        is_cut = statement.end == ";"
        if statement.here and _is_kept(statement):
            yield from before
            before = list(_of_document(statement))
    yield from before


def _with_spaces(statement: Statement, setting: Setting) -> Setting:
    """A setting of a shell, with what is wrong with it where it is written NAME = VALUE."""
    words = [word.text for word in statement.words[:4]]
    is_spaced = (setting.name, "=") in pairwise(words)
    return replace(setting, problem=setting.problem or SPACED) if is_spaced else setting


def _settings(
    statement: Statement, scope: int, dialect: Dialect, seen: dict[str, int]
) -> Iterator[Setting]:
    """What a statement sets, and what earlier ones it replaces before anything ran with them."""
    settings = settings_of_statement(statement, scope, dialect)
    if not statement.is_directive and not _is_plain(statement, settings):
        seen.clear()
    for setting in settings:
        if setting.scope or not setting.is_read:
            yield setting
            continue
        yield replace(setting, replaces=seen.get(setting.name))
        seen[setting.name] = setting.line
    if statement.end in "|&":  # what follows may be done in the place of it
        seen.clear()


def _of_document(statement: Statement) -> Iterator[Setting]:
    """What a document within a script sets, as a script or a file of parameters of its own."""
    if not is_parameters(statement.here):
        yield from _of_script(statement.here, "sh", statement.here_line)
        return
    for setting in parameter_settings(statement.here):
        yield replace(setting, line=setting.line + statement.here_line - 1)


def _is_plain(statement: Statement, settings: list[Setting]) -> bool:
    if not statement.words or statement.end in "|&(" or statement.words[0].text in KEYWORDS:
        return False
    return statement.words[0].text in _HARMLESS or bool(
        settings and not any(s.scope for s in settings)
    )


def _is_kept(statement: Statement) -> bool:
    """Return whether a document that follows is written to a file or run, not shown or dropped."""
    if not statement.words or statement.words[0].text in (":", "true"):
        return False
    return not (statement.words[0].text in ("cat", "echo") and len(statement.words) == 1)


def _exporting(text: str, settings: list[Setting]) -> Iterator[Setting]:
    """The settings; those are exported that a script exports elsewhere, or that no script sets."""
    if not text.startswith("#!") or _EXPORTED_LATER.search(text):
        yield from (replace(setting, is_exported=True) for setting in settings)
        return
    names = {name for line in re.findall(r"\bexport\s+([^#;\n]*)", text) for name in line.split()}
    names |= {setting.name for setting in settings if setting.is_exported}
    for setting in settings:
        yield replace(setting, is_exported=setting.is_exported or setting.name in names)


_FAULT = Faults(__file__)


def form_findings(settings: Sequence[Setting], between: str) -> Iterator[Finding]:
    """Findings about the form of settings; `between` is what stands between two values of one."""
    remedy = (
        f"make one value of both, with '{between}' between" if between else "remove one of them"
    )
    for setting in settings:
        given = vars(setting) | {"remedy": remedy, "before": setting.replaces}
        codes = {
            "carriage": setting.problem == CARRIAGE,
            "character": is_lookalike(setting),
            "spaced": setting.problem == SPACED,
            "shell": setting.problem not in ("", CARRIAGE, SPACED) and not is_lookalike(setting),
            "repeated": setting.replaces is not None,
            "value": not setting.is_known,
            "export": not setting.is_exported,
        }
        for code in (code for code, is_so in codes.items() if is_so):
            yield _FAULT(code, setting.line, **given)
    if unread := [setting for setting in settings if not setting.is_read]:
        names = ", ".join(dict.fromkeys(setting.name for setting in unread))
        yield _FAULT("form", unread[0].line, names=names)


def checked(settings: Sequence[Setting]) -> list[Setting]:
    """Settings whose value stands in the text."""
    return [
        setting
        for setting in settings
        if setting.is_known and setting.is_read and not is_lookalike(setting)
    ]


def file_note(setting: Setting) -> Finding:
    """Say that the file of rules that a setting names is not checked with it."""
    return _FAULT("file", setting.line, name=setting.value if setting.is_known else "of that name")
