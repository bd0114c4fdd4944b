"""A file of rules on disk: what goes into it, what an old one keeps, and how it is loaded."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.kinds import schema_of
from contend.base.result import Line, Part, Result, next_step
from contend.base.textfile import read_text
from contend.base.wholefile import is_special, write_whole
from contend.schedules import COLLECTIVES, algorithms
from contend.schedules.libraries import LIBRARIES, Version, version_of
from contend.tune.choose.rules import Decisions
from contend.tune.exports import FORMATS, Export, Format, Request, format_named
from contend.tune.exports.file_rules import kept_wrong
from contend.tune.exports.marks import unmarked

BESIDE = ".about.txt"  # behind the name of a file that holds no comments
Note = Callable[[str], object]


def read_decisions(path: Path) -> Decisions:
    """Load decisions; rules in their place are named as such."""
    try:
        return Decisions.load(path)
    except FileFormatError:
        text = read_text(path, errors="replace") if path.is_file() else ""
        for format in FORMATS.all() if not schema_of(text) else ():
            if format.recognises(text):
                raise FileFormatError(
                    f"{path} holds rules ({format.called(text)}), and decisions are due in their "
                    "place",
                    f"see what they say by 'contend tune lint {path}'; decisions are what 'contend "
                    "choose --table -o' writes",
                ) from None
        raise


@dataclass(frozen=True)
class RulesFile:
    """What was written for a library, in which format, and the variables that load it."""

    format: Format
    export: Export
    settings: dict[str, str]
    decisions: Decisions
    path: Path | None = None
    notes: tuple[str, ...] = ()

    def result(self) -> Result:
        """Return the rules and how they are loaded; the text itself where it is in no file."""
        names = ("text", "about", "notes", "beside")
        data = {name: getattr(self.export, name) for name in names} | {"settings": self.settings}
        return Result(data, self._parts(), notes=self.notes)

    def _parts(self) -> Iterator[Part]:
        if self.path is None:
            yield Line(self.export.text, end="")
        yield from (f"note: {note}" for note in self.export.notes)
        if self.path is None:
            return
        yield from loading_parts(self.settings)
        if self.format.by_hand:
            yield f"nothing shows here what it does; {self.format.by_hand}"
            return
        rules = self.decisions.rules
        departing = [rule for rule in rules if not rule.is_default] or rules
        most = max((rule.n_to - 1 if rule.n_to else rule.n for rule in departing), default=16)
        program = ("--", "mpiexec", "-n", most, "./my_app")
        yield next_step("contend", "tune", "verify", self.path, *program)


def loading_parts(settings: Mapping[str, str]) -> Iterator[Part]:
    yield "to load it:" if settings else "nothing is to be loaded"
    for name, value in settings.items():
        yield Line(f"export {name}={shlex.quote(value)}")


def export_rules(
    decisions: Decisions | str | Path,
    path: str | Path | None = None,
    *,
    target: str | None = None,
    processes_per_node: int | None = None,
    own: str | Path | None = None,
    all_commute: bool = False,
) -> RulesFile:
    """Write decisions as the file that an MPI library reads; without a path nothing is written.

    `decisions` may be a file of them; `target` is a format (default that of the library
    measured), `own` the library that shall obey, or its own rules, which MPICH needs;
    `all_commute` says that reductions of the programs do.

    >>> decisions = read_network("network.json").decisions()
    >>> export_rules(decisions, "rules", target="openmpi-5").path.name
    'rules'
    """
    path, notes = None if path is None else Path(path), list[str]()
    if not isinstance(decisions, Decisions):
        decisions = read_decisions(Path(decisions))
    format, request = requested(
        decisions, target, processes_per_node, own, all_commute=all_commute, note=notes.append
    )
    request = request if path is None else with_old(request, path, format)
    exported = format.write(request)
    if path is not None:
        exported = write_rules(path, format, exported, request)
    settings = loading(path, format, exported, request)
    return RulesFile(format, exported, settings, decisions, path, tuple(notes))


def requested(
    decisions: Decisions,
    target: str | None,
    processes_per_node: int | None,
    library_rules: str | Path | None,
    *,
    all_commute: bool,
    note: Note = lambda _: None,
) -> tuple[Format, Request]:
    """Return the format of a name, or of the library that was measured, and what to write."""
    format, stated = format_named(target or _library_of(decisions))
    version = format.version(stated or _measured(decisions, format))
    decisions = _of_library(decisions, format, version, note)
    if decisions.library not in ("", format.library_name) and any(
        not rule.is_default for rule in decisions.rules
    ):
        note(
            f"measured with {LIBRARIES.get(decisions.library).title}: what algorithms of these "
            f"names gain over the default of {format.library.title} is not known; measure it there"
        )
    return format, Request(
        decisions,
        version,
        processes_per_node,
        str(library_rules) if library_rules else None,
        all_commute,
    )


def _of_library(decisions: Decisions, format: Format, version: Version, note: Note) -> Decisions:
    """Return the decisions without schedules that were measured and the library does not offer.

    Those calls are left to it, with a note; a name that is no schedule either stays, an error.
    """
    library, rules = format.library, []
    if decisions.library != library.name:
        return decisions
    for rule in decisions.rules:
        operation, name = rule.operation, rule.algorithm
        is_schedule = operation in COLLECTIVES and name in algorithms(operation).names()
        is_offered = name in {offered.name for offered in library.algorithms(operation, version)}
        if rule.is_default or is_offered or not is_schedule:
            rules.append(rule)
            continue
        update = {"algorithm": "default", "options": {}}
        rules.append(rule.model_copy(update=update))
        text = f"{operation} by {name} was measured as a program of its own, and {library.title} "
        note(f"{text}does not have it: from {rule.n} processes and {rule.m} B on its default")
    return decisions.model_copy(update={"rules": tuple(rules)})


def loading(
    file: Path | None, format: Format, exported: Export, request: Request
) -> dict[str, str]:
    """Return the environment variables that load the rules of a file, or of one to be named."""
    path = str(file.absolute()) if file else "FILE"  # of a link its own name, as files beside it
    named = format.settings(path, request.version)
    return {**format.library.alongside, **named, **exported.settings}


def _library_of(decisions: Decisions) -> str:
    """The library that was measured, with its version, as formats are named."""
    if not decisions.library:
        raise InvalidInputError(
            "the decisions do not say of which MPI library they are",
            "name it: --library openmpi-5.0.7",
        )
    if not decisions.library_version and decisions.library not in FORMATS.names():
        fitting = [each.name for each in FORMATS.all() if each.library_name == decisions.library]
        raise InvalidInputError(
            f"the decisions do not say of which version of {decisions.library} they are",
            f"give --library; formats are {', '.join(fitting)}",
        )
    return "-".join(filter(None, (decisions.library, decisions.library_version)))


def _measured(decisions: Decisions, format: Format) -> str:
    """The version that was measured, where it reads the format; else nothing."""
    if decisions.library != format.library_name or not decisions.library_version:
        return ""
    version = decisions.library_version
    return version if format.serves(version_of(version)) else ""


def with_old(request: Request, path: Path, format: Format) -> Request:
    """Return the request with the text of the file that exists, if it is one of rules."""
    old = unmarked(path) if path.is_file() and not is_special(path) else ""
    if not old.strip():
        return request
    if not format.recognises(old):
        raise InvalidInputError(
            f"{path} exists and is no {format.title}", "name a new file, or remove it"
        )
    return replace(request, old=old)


def write_rules(path: Path, format: Format, exported: Export, request: Request) -> Export:
    """Write the file, with what an old one holds besides, and what it is beside it.

    Nothing can stand beside what is no regular file, such as /dev/stdout.
    """
    if is_special(path):
        write_whole(path, exported.text)
        lost = f"{' and '.join(exported.beside)} cannot stand beside {path}: name a file for both"
        return replace(exported, notes=(*exported.notes, *[lost] * bool(exported.beside)))
    if request.old is not None:
        exported = format.onto(request.old, exported, request)
        if exported.text == request.old:
            _write_lost(path, exported, request)
            return exported
        kept = kept_wrong(format.lint(exported.text, request.version), request.commutes)
        exported = replace(exported, notes=(*exported.notes, *kept))
    write_whole(path, exported.text)
    for behind, text in exported.beside.items():
        write_whole(path.with_name(path.name + behind), text)
    for behind in set(format.behind) - exported.beside.keys():  # of rules that are gone
        path.with_name(path.name + behind).unlink(missing_ok=True)
    if not format.has_comments:
        write_whole(path.with_name(path.name + BESIDE), exported.about + "\n")
    return exported


def _write_lost(path: Path, exported: Export, request: Request) -> None:
    """Write what is gone of the files that belong to one with rules, which is as it was."""
    is_left = all(rule.is_default for rule in request.decisions.rules)
    for behind, text in exported.beside.items() if not is_left else ():
        if not (beside := path.with_name(path.name + behind)).exists():
            write_whole(beside, text)
