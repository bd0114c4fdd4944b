"""What is wrong with how a variable is set, whatever its value should say."""

from collections.abc import Iterator, Sequence

from contend.exports.finding import Finding
from contend.exports.settings.setting import Setting
from contend.exports.settings.words import CARRIAGE


def form_findings(settings: Sequence[Setting], between: str) -> Iterator[Finding]:
    """Findings about the form of settings; `between` is what stands between two values of one."""
    for one in settings:
        if one.problem == CARRIAGE:
            yield Finding(
                "warning", "carriage", f"{one.name}={one.value!r:.80}: {one.problem}",
                "write the file with ends of lines of Unix, as dos2unix does", one.line,
            )  # fmt: skip
        elif one.problem:
            yield Finding(
                "error", "shell", f"{one.name}={one.value!r:.80}: {one.problem}",
                "write the whole value in quotation marks", one.line,
            )  # fmt: skip
        if one.replaces is not None:
            remedy = f"make one value of both, with '{between}' between" if between else ""
            yield Finding(
                "warning", "repeated",
                f"{one.name} is set in line {one.replaces} too: the last holds",
                remedy or "remove one of them", one.line,
            )  # fmt: skip
        if not one.is_known:
            yield Finding(
                "note", "value",
                f"the value of {one.name} is put together when the script runs, and is not checked",
                "nothing is to be done if that is meant", one.line,
            )  # fmt: skip
        if not one.is_exported:
            yield Finding(
                "warning", "export",
                f"{one.name} is a variable of the shell alone: programs do not see it",
                f"write export {one.name}=...", one.line,
            )  # fmt: skip
    if unread := [one for one in settings if not one.is_read]:
        yield Finding(
            "note", "form",
            f"{', '.join(dict.fromkeys(one.name for one in unread))}: named in a form that is not "
            "read, so that no value is checked",
            "write export NAME=VALUE, setenv NAME VALUE or an option of the launcher",
            unread[0].line,
        )  # fmt: skip


def checked(settings: Sequence[Setting]) -> list[Setting]:
    """Settings whose value stands in the text."""
    return [one for one in settings if one.is_known and one.is_read]


def file_note(setting: Setting) -> Finding:
    """Say that the file of rules that a setting names is not checked with it."""
    name = setting.value if setting.is_known else "of that name"
    return Finding(
        "note", "file", f"the rules of the file {name} are not checked here",
        "see what contend tune lint says of it", setting.line,
    )  # fmt: skip
