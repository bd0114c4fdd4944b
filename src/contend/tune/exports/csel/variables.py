"""What is wrong with control variables of MPICH that choose algorithms, and what beats a file.

Run with 5.0.2 (tests/verification/test_precedence.py): a name that is none of an operation's, in
capitals too, and a number that is none abort MPI_Init; so does a file that is not there. A variable
has three names, of which MPIR_CVAR_ is looked at first, then MPIR_PARAM_, then MPICH_; it beats the
file.
"""

import re
from collections.abc import Iterator, Sequence

from contend.schedules.libraries import Library, Version, version_text
from contend.tune.exports.csel.facts import COLLECTIVES, NAMES
from contend.tune.exports.finding import Faults, Finding, by_line, meant
from contend.tune.exports.settings import Setting, settings_of
from contend.tune.exports.settings.parser import checked, file_note, form_findings
from contend.tune.exports.surroundings import Circumstances, Surrounding, in_effect

FILE = "COLL_SELECTION_TUNING_JSON_FILE"
PREFIXES = ("MPIR_CVAR_", "MPIR_PARAM_", "MPICH_")
_CHOOSES = re.compile(r"([A-Z_]+?)_(INTRA_ALGORITHM|INTER_ALGORITHM|DEVICE_COLLECTIVE)")
_FAMILY = re.compile(
    rf"(?:{'|'.join(PREFIXES)})"
    rf"(?:{_CHOOSES.pattern}|[A-Z_]+_(?:KVAL|SHORT_MSG_SIZE|LONG_MSG_SIZE|CHUNK_SIZE)|(?:CH4_)?{FILE})"
)
_NUMBERS = ("KVAL", "SIZE")
_BOOLEANS = frozenset(("0", "1", "yes", "no", "true", "false", "on", "off"))
WITHOUT_EFFECT = "ALLTOALL_SHORT_MSG_SIZE"
# Besides those that are decided on, and those of facts.toml: of all operations, and of 5.0.
_ALWAYS = ("auto", "nb")


_FAULT = Faults(__file__)


def variables_in(text: str) -> list[Setting]:
    return settings_of(text, lambda name: _FAMILY.fullmatch(name) is not None)


def lint_variables(text: str, library: Library, version: Version) -> list[Finding]:
    settings = variables_in(text)
    findings = [*form_findings(settings, "")]
    for setting in checked(settings):
        findings += _of_value(setting, library, version)
    return by_line([*findings, *_beside_a_file(settings)])


def _bare(setting: Setting) -> str:
    return next(
        setting.name.removeprefix(each) for each in PREFIXES if setting.name.startswith(each)
    )


def _of_value(setting: Setting, library: Library, version: Version) -> Iterator[Finding]:
    name, value = _bare(setting), setting.value
    problem = remedy = ""
    if match := _CHOOSES.fullmatch(name):
        operation, ending = match[1].lower(), match[2]
        if operation not in COLLECTIVES:
            near = meant(operation, COLLECTIVES, "").removeprefix("write ").upper()
            right = f"write {name.replace(match[1], near)}" if near else "remove it"
            yield _FAULT("variable", setting.line, name=setting.name, remedy=right)
        elif ending == "INTRA_ALGORITHM":
            problem, remedy = _wrong_algorithm(value, operation, library, version)
        elif ending == "DEVICE_COLLECTIVE" and value.lower() not in _BOOLEANS:
            problem, remedy = "neither true nor false", "write 0 or 1"
    elif name.endswith(_NUMBERS) and not re.fullmatch(r"-?\d+", value):
        problem, remedy = "no whole number", "write a plain number"
    elif name == WITHOUT_EFFECT:
        yield _FAULT("no-effect", setting.line, name=setting.name)
    if problem:
        yield _FAULT(
            "value", setting.line, name=setting.name, value=value, what=problem, remedy=remedy
        )


def _wrong_algorithm(
    value: str, operation: str, library: Library, version: Version
) -> tuple[str, str]:
    """What is wrong with the name of an algorithm, and a remedy; empty for nothing."""
    offered = [each.own_name for each in library.algorithms(operation, version)]
    names = dict.fromkeys([*_ALWAYS, *offered, *NAMES.get((operation, "intra"), ())])
    if not offered or value in names:
        return "", ""
    problem = f"no algorithm of {operation} in {version_text(version)}"
    return problem, meant(value.lower(), names, f"choose from {', '.join(names)}")


def _beside_a_file(settings: Sequence[Setting]) -> Iterator[Finding]:
    files = [setting for setting in settings if _bare(setting).endswith(FILE) and setting.is_read]
    yield from map(file_note, files)
    for setting in settings if files else ():
        if _bare(setting).endswith("_INTRA_ALGORITHM") and setting.value != "auto":
            yield _FAULT("both", setting.line, name=setting.name)


def obstacles(case: Circumstances) -> Iterator[Finding]:
    rules, loading = case.rules, case.loading
    held = in_effect(case.around)

    def read(name: str) -> Surrounding | None:
        """The variable that the library reads, under the first of its names that is set."""
        names = (held.get(prefix + name) for prefix in PREFIXES)
        return next((setting for setting in names if setting is not None), None)

    acting = {rule.operation for rule in rules or () if not rule.is_default}
    for operation in COLLECTIVES:
        setting = read(f"{operation.upper()}_INTRA_ALGORITHM")
        is_for = rules is None or operation in acting
        if setting and is_for and setting.value not in ("auto", loading.get(setting.name)):
            yield _FAULT("forced", None, **vars(setting), of=operation)
    for name in (FILE, f"CH4_{FILE}"):
        setting, loaded = read(name), loading.get(PREFIXES[0] + name)
        if setting and loaded is not None and setting.value != loaded:
            yield _FAULT("file", None, **vars(setting))
    if setting := read(WITHOUT_EFFECT):
        yield _FAULT("no-effect:around", None, **vars(setting))
