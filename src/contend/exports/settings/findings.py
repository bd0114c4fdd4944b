"""What is wrong with how a variable is set, whatever its value should say."""

from collections.abc import Iterator, Sequence

from contend.exports.finding import Faults, Finding
from contend.exports.settings.words import CARRIAGE, Setting

_FAULT = Faults({
    "carriage": ("warning", "{name}={value!r:.80}: {problem}",
                 "write the file with ends of lines of Unix, as dos2unix does"),
    "shell": ("error", "{name}={value!r:.80}: {problem}",
              "write the whole value in quotation marks"),
    "repeated": ("warning", "{name} is set in line {before} too: the last holds", "{remedy}"),
    "value": ("note", "the value of {name} is put together when the script runs, and is not "
              "checked", "nothing is to be done if that is meant"),
    "export": ("warning", "{name} is a variable of the shell alone: programs do not see it",
               "write export {name}=..."),
    "form": ("note", "{names}: named in a form that is not read, so that no value is checked",
             "write export NAME=VALUE, setenv NAME VALUE or an option of the launcher"),
    "file": ("note", "the rules of the file {name} are not checked here",
             "see what contend tune lint says of it"),
})  # fmt: skip


def form_findings(settings: Sequence[Setting], between: str) -> Iterator[Finding]:
    """Findings about the form of settings; `between` is what stands between two values of one."""
    remedy = (
        f"make one value of both, with '{between}' between" if between else "remove one of them"
    )
    for one in settings:
        given = {"name": one.name, "value": one.value, "problem": one.problem, "remedy": remedy}
        codes = {
            "carriage": one.problem == CARRIAGE,
            "shell": one.problem not in ("", CARRIAGE),
            "repeated": one.replaces is not None,
            "value": not one.is_known,
            "export": not one.is_exported,
        }
        for code in (code for code, is_so in codes.items() if is_so):
            yield _FAULT(code, one.line, **given, before=one.replaces)
    if unread := [one for one in settings if not one.is_read]:
        names = ", ".join(dict.fromkeys(one.name for one in unread))
        yield _FAULT("form", unread[0].line, names=names)


def checked(settings: Sequence[Setting]) -> list[Setting]:
    """Settings whose value stands in the text."""
    return [one for one in settings if one.is_known and one.is_read]


def file_note(setting: Setting) -> Finding:
    """Say that the file of rules that a setting names is not checked with it."""
    return _FAULT("file", setting.line, name=setting.value if setting.is_known else "of that name")
