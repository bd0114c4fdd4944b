"""Rules of coll/tuned of Open MPI 5.0: a classic file, from 5.0.7 on with a version line.

Restrictions: algorithms that are forced by MCA parameters beat the file. coll/han, whose priority
is higher, takes calls of the collectives that it has; a file of its own, beside, leaves to
coll/tuned those that depart.
"""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from contend.base.errors import FileFormatError
from contend.schedules.libraries import Version, version_text
from contend.schedules.libraries.openmpi import PREFIX
from contend.tune.exports.bands import by_operation
from contend.tune.exports.file_rules import head_lines, placed
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.format import Export, Request, not_merged
from contend.tune.exports.marks import Made
from contend.tune.exports.openmpi import han_text
from contend.tune.exports.openmpi.classic import (
    classic_text,
    collective_lines,
    kept_lines,
    read_classic,
    rules_of,
)
from contend.tune.exports.openmpi.classic_file import IGNORED, is_numbers, parse
from contend.tune.exports.openmpi.collectives import VERSION_LINE, VERSION_WORD, is_of_han
from contend.tune.exports.openmpi.format import OpenMPIFormat
from contend.tune.exports.openmpi.han_file import NAMES
from contend.tune.exports.openmpi.parameters import parameters_in
from contend.tune.exports.openmpi.request import (
    about_lines,
    blocks_of,
    expressible,
    loading,
    without_han,
)

# Variables of collectives that comments of a file tell its reader to export.
_EXPORTED = re.compile(
    r"^#\s*export (OMPI_MCA_coll_(?!\w+_dynamic_rules_filename)\w+)=(\S+)$", re.MULTILINE
)
FILE = "/absolute/path/of/this/file"
BEHIND = han_text.BEHIND
BESIDE = "It belongs to the file of coll/tuned beside it, which names the algorithms."


class OpenMPI5(OpenMPIFormat):
    name = "openmpi-5"
    title = "classic rules file of Open MPI 5.0"
    first: ClassVar[Version] = (5,)
    end: ClassVar[Version | None] = (6,)
    behind = (BEHIND,)

    def write(self, request: Request) -> Export:
        """Comments, the version line where the version knows it, and blocks of numbers."""
        rules, settings, notes = expressible(request, *placed(request))
        others, kept = self.kept(request)
        version, has_requests = request.version, request.version >= VERSION_LINE
        lines = {}
        for operation, of in by_operation(rules).items():
            blocks, omitted = blocks_of(operation, of)
            notes += omitted
            lines[operation] = list(collective_lines(operation, blocks, version, has_requests))
        body = classic_text((), {**lines, **others}, has_requests)
        taken = read_classic(body, version)
        beside = self._beside(request, taken)
        loaded = loading(FILE, not all(rule.is_default for rule in taken))
        loaded |= han_text.loading(FILE + BEHIND) if beside else {}
        about = about_lines(request, loaded | settings, notes, ())
        text = classic_text(about, {**lines, **others}, has_requests)
        return Export(text, "\n".join(about), settings, (*notes, *kept), beside)

    def _beside(self, request: Request, rules: Sequence[FileRule]) -> dict[str, str]:
        """A file by which coll/han, if it is in front, leaves to coll/tuned what rules are for."""
        serving = han_text.serving(rules, request.version) if request.version >= NAMES else {}
        if not serving:
            return {}
        lines = {of: han_text.collective_lines(of, blocks) for of, blocks in serving.items()}
        about = head_lines("coll/han of Open MPI", request, [BESIDE], (), ())
        return {BEHIND: han_text.han_text(about, lines)}

    def _lines(self, old: str, version: Version) -> Mapping[str, Sequence[str]]:
        parsed = parse(old, version)
        if parsed.stopped:
            raise not_merged(parsed.stopped)
        return kept_lines(parsed, version >= VERSION_LINE)

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules, an error for a text that the library ignores."""
        if not is_numbers(text) and parameters_in(text):
            raise FileFormatError(
                "these are parameters of Open MPI, and no file of rules", "name the file of rules"
            )
        return read_classic(text, version)

    def made_of_mark(self, text: str) -> Made:
        """It is skipped, but no version line is known behind it."""
        if text.startswith(VERSION_WORD):
            return "error", f"the version line is not the very first then, and {IGNORED}"
        return super().made_of_mark(text)

    def called(self, text: str) -> str:
        return "Open MPI's parameters" if parameters_in(text) else self.title

    def recognises(self, text: str) -> bool:
        """Numbers and comments, with or without a version line; or parameters that are set."""
        if is_of_han(text):
            return False
        return text.startswith(VERSION_WORD) or is_numbers(text) or bool(parameters_in(text))

    def needs(self, text: str, version: Version) -> dict[str, str]:
        """What its comments tell to export, and what takes coll/han out where rules need that."""
        acting = [rule.operation for rule in rules_of(parse(text, version), version)
                  if not rule.is_default]  # fmt: skip
        exported = dict(_EXPORTED.findall(text))
        names_han = any(name.startswith(f"{PREFIX}coll_han_") for name in exported)
        return exported | ({} if names_han else without_han(acting, version))

    def version_in(self, text: str) -> str:
        """The version of a file of contend's, or the first that knows the version line."""
        knows = version_text(VERSION_LINE) if text.startswith(VERSION_WORD) else ""
        return super().version_in(text) or knows
