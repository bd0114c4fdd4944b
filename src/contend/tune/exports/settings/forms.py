"""What a statement of a script sets: export, setenv, options of launchers, directives.

Every form is recognised by its words: NAME=VALUE before a command or behind env, export, an option
such as -x, --export or #PBS -v; setenv NAME VALUE of csh and modules; -genv NAME VALUE of Hydra;
--mca NAME VALUE of Open MPI.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from contend.tune.exports.settings.words import (
    KEPT,
    MCA,
    SPACED,
    TUNING,
    Dialect,
    Setting,
    Statement,
    Word,
    statements,
)

# Containers pass a variable on without what stands before its name; systemd has Environment=.
_ASSIGNED = re.compile(
    r"(?:--?[\w-]+=|Environment=)?(?:SINGULARITYENV_|APPTAINERENV_)?([A-Za-z_]\w*)\+?=(.*)",
    re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_MENTIONED = re.compile(rf"(?<![\w${{])(?:{'|'.join(TUNING)})\w*")
KEYWORDS = frozenset(
    ("-", "then", "do", "else", "{", "}", "!", "time", "if", "elif", "while", "until")
)
_EXPORT = frozenset(("export", "declare", "typeset", "local", "readonly", "ENV"))
_SETENV = frozenset(("setenv", "pushenv", "ENV"))
_LISTING = ("--export", "-v", "-env")  # options whose value is a list with commas
_OPTIONS = frozenset(("-genv", "--genv", "-env", "--env", "-envall"))
_LISTS = frozenset(("-genvlist", "--genvlist", "-envlist", "--envlist"))
_PASSING = _LISTS | {"-x", "--x", "--export", "-v", "-u", "--unset"}
# Commands whose words are data, or that take a variable away.
_SPEAK = frozenset(
    ("echo", "printf", "grep", "egrep", "sed", "awk", "unset", "unsetenv", "logger", "test", "[",
     "[[", "puts", "module-whatis", "ModulesHelp", "printenv", "puts", "which", "alias", "case",
     "append-path", "prepend-path", "remove-path", "trap", "cat")
)  # fmt: skip
_ASSIGNING = frozenset(("=", ":=", "::=", ":::=", "?="))
_HELD = re.compile(r"[A-Za-z_]\w*\+?=")
_DEEPEST = 4  # words within words that are looked at
_SUBSTITUTED = re.compile(r"\$\((.*)\)|`([^`]*)`", re.DOTALL)
_SEVERAL = re.compile(r"\S\s+\S")
_TELLING = re.compile(rf"{_MENTIONED.pattern}|(?:^|\s)--?(?:{'|'.join(MCA)}|genv|env)\s")
BLANK = "the shell ends the value at the first blank without quotes"
SEMICOLON = "the shell ends the value at the first ';' without quotes"
COMMA = "the list ends the value at its comma"
EQUALS = "setenv takes a name and a value, without '='"


def settings_of_statement(
    statement: Statement, scope: int, dialect: Dialect, depth: int = 0
) -> list[Setting]:
    """What a statement sets, in order; `scope` is its number, `depth` how deep in words it is."""
    words = list(statement.words)
    while words and words[0].text in KEYWORDS:
        del words[0]
    if words and words[0].text[0:1] == "@":  # of a recipe of make, which is not shown
        words[0] = replace(words[0], text=words[0].text.lstrip("@-+"))
    if not words or words[0].text in _SPEAK:
        return []
    if statement.is_directive:
        return _in_list(words)
    return [*_named(words, scope, dialect), *_within(words, depth)] or [*_unread(words)]


def _named(words: list[Word], scope: int, dialect: Dialect) -> Iterator[Setting]:
    first = words[0].text
    if first in _SETENV and not (first == "ENV" and any("=" in word.text for word in words[1:2])):
        yield from _setenv(words[1:], dialect)
    elif first == "set":
        yield from _set(words[1:])
    elif first in _EXPORT:
        yield from _exported(words[1:], first)
    elif len(words) > 2 and words[1].text in _ASSIGNING and _MENTIONED.fullmatch(_bare(first)):
        yield _setting(_bare(first), words[2])  # of make and PowerShell
    elif first.endswith(":") and len(words) > 1 and _MENTIONED.fullmatch(first[:-1]):
        value = replace(words[1], text=words[1].text.rstrip(","))
        yield _setting(first[:-1], value)  # of YAML, and of tables in Python
    elif setting := _spaced(*words[:2]) if len(words) > 1 else None:
        yield setting
    else:
        yield from _of_command(words, scope)


def _spaced(name: Word, value: Word | None) -> Setting | None:
    """What `NAME =value` would set without the blank, of variables that tune."""
    if value is None or value.text[:1] != "=" or not _MENTIONED.fullmatch(name.text):
        return None
    return replace(_setting(name.text, replace(value, text=value.text[1:])), problem=SPACED)


def _bare(name: str) -> str:
    """A name without what PowerShell puts before those of the environment."""
    return re.sub(r"^\$env:", "", name, flags=re.IGNORECASE)


def _setting(name: str, value: Word, problem: str = "", scope: int = 0) -> Setting:
    return Setting(name, value.text, value.line, problem or value.problem, value.is_known,
                   scope=scope)  # fmt: skip


def _assigned(word: Word, scope: int = 0) -> Setting | None:
    match = _ASSIGNED.fullmatch(word.text)
    return _setting(match[1], replace(word, text=match[2]), scope=scope) if match else None


def _setenv(words: list[Word], dialect: Dialect) -> Iterator[Setting]:
    words = [word for word in words if not word.text.startswith("--")]
    if not words:
        return
    name, *values = words
    if setting := _assigned(name):
        yield replace(setting, problem=EQUALS)
    elif _NAME.fullmatch(name.text):
        problem = BLANK if len(values) > 1 else ""
        yield _setting(name.text, values[0] if values else Word("", name.line), problem)


def _set(words: list[Word]) -> Iterator[Setting]:
    """What `set env(NAME) value` of Tcl and `set -x NAME value` of fish set."""
    if len(words) > 1 and (match := re.fullmatch(r"(?:::)?env\((\w+)\)", words[0].text)):
        yield _setting(match[1], words[1])
        return
    names = [word for word in words if not word.text.startswith("-")]
    options = [word.text for word in words[: len(words) - len(names)]]
    if len(names) > 1 and any(re.fullmatch(r"-\w*x\w*|--export", each) for each in options):
        yield _setting(names[0].text, names[1])


def _exported(words: Sequence[Word], command: str) -> Iterator[Setting]:
    is_exported = command in ("export", "ENV") or any(
        re.fullmatch(r"-\w*x\w*", word.text) for word in words
    )
    if len(words) > 2 and words[1].text in _ASSIGNING:
        yield replace(_setting(words[0].text, words[2]), is_exported=is_exported)
        return
    last: Setting | None = None
    for word, following in zip_longest(words, words[1:]):
        setting = _assigned(word) or _spaced(word, following)
        if last and setting is None and not _NAME.fullmatch(word.text):
            last = replace(last, problem=last.problem or BLANK)
        elif setting:
            if last:
                yield last
            last = replace(setting, is_exported=is_exported)
    if last:
        yield last


def _of_command(words: list[Word], scope: int) -> Iterator[Setting]:
    """What stands before a command, and in its options."""
    before = 0
    while before < len(words) and re.match(r"[A-Za-z_]\w*\+?=", words[before].text):
        before += 1
    command = words[before].text if before < len(words) else ""
    is_cut = before > 0 and command[:1].isdigit()
    scope = scope if command and not is_cut else 0
    scope = KEPT if command.startswith("-") else scope
    for index, word in enumerate(words[:before]):
        if setting := _assigned(word, scope):
            problem = BLANK if is_cut and index == before - 1 else ""
            yield replace(setting, problem=problem or setting.problem, is_exported=bool(scope))
    if command not in _SPEAK and not is_cut:
        yield from _options(words[before:], scope)


def _options(words: list[Word], scope: int) -> Iterator[Setting]:
    at = 0
    while at < len(words):
        word, following = words[at].text, words[at + 1 : at + 3]
        prefix = MCA.get(word.lstrip("-")) if word.startswith("-") else None
        if prefix and len(following) == 2:
            yield _setting(prefix + following[0].text, following[1], scope=scope)
            at += 3
        elif word in _OPTIONS and len(following) == 2 and _NAME.fullmatch(following[0].text):
            yield _setting(following[0].text, following[1], scope=scope)
            at += 3
        elif word in _LISTS:
            at += 2
        else:
            yield from _in_option(words[max(at - 1, 0)].text, words[at], scope)
            at += 1


def _within(words: list[Word], depth: int) -> Iterator[Setting]:
    """What statements and options set that are words: substitutions, and what is run later."""
    for word in words if depth < _DEEPEST else ():
        text = word.text[match.end() :] if (match := _HELD.match(word.text)) else word.text
        inside = [match[1] or match[2] or "" for match in _SUBSTITUTED.finditer(text)]
        for part in inside or [text]:
            if not _SEVERAL.search(part) or not _TELLING.search(part):
                continue
            for statement in statements(part, "sh", word.line):
                yield from settings_of_statement(statement, KEPT, "sh", depth + 1)


def _in_option(before: str, word: Word, scope: int) -> list[Setting]:
    if before == "--env" or word.text.startswith("--env="):
        parts = re.split(r",\s*(?=[A-Za-z_]\w*=)", word.text)
        settings = [_assigned(replace(word, text=part), scope) for part in parts]
        return [setting for setting in settings if setting]
    if before in _LISTING or word.text.partition("=")[0] in _LISTING:
        return _in_list([word], scope)
    setting = _assigned(word, scope)
    return [setting] if setting else []


def _in_list(words: Sequence[Word], scope: int = 0) -> list[Setting]:
    """What words of an option set: NAME=VALUE, several of them with commas between."""
    settings: list[Setting] = []
    for word in words:
        text = word.text.partition("=")[2] if re.match(r"--?[\w-]+=", word.text) else word.text
        for part in re.split(r",\s*", text):
            setting = _assigned(replace(word, text=part), scope)
            if setting:
                marked = re.fullmatch(r"(['\"])(.*)\1", setting.value, re.DOTALL)
                settings.append(replace(setting, value=marked[2]) if marked else setting)
            elif settings and part[:1].isdigit() and part != text:
                settings[-1] = replace(settings[-1], problem=COMMA)
    return settings


def _unread(words: list[Word]) -> Iterator[Setting]:
    """Names in forms that are not read; those are that a command passes on as they are."""
    if words[0].text in _EXPORT:
        return
    for before, word in pairwise([Word("", 0), *words]):
        is_passed = before.text in _PASSING or word.text.startswith("--export=")
        for match in () if is_passed else _MENTIONED.finditer(word.text):
            yield Setting(match[0], "", word.line, is_read=False)
