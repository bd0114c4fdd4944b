"""The classic rules file of coll/tuned as a format: what its versions share."""

import re
from dataclasses import replace
from typing import ClassVar

from contend.errors import FileFormatError
from contend.exports.bands import by_operation
from contend.exports.filerule import FileRule
from contend.exports.finding import Finding
from contend.exports.format import Export, Format, Request
from contend.exports.openmpi.classic import (
    classic_text,
    collective_lines,
    kept,
    read_classic,
    rules_of,
)
from contend.exports.openmpi.collectives import VERSION_LINE, VERSION_WORD
from contend.exports.openmpi.lint import linted
from contend.exports.openmpi.numbers import is_numbers
from contend.exports.openmpi.parameters_lint import parameters_in
from contend.exports.openmpi.parsed import parse
from contend.exports.openmpi.request import (
    about_lines,
    blocks_of,
    loading,
    said_to,
    without_han,
)
from contend.exports.placed import placed
from contend.libraries import Version

# Variables of collectives that comments of a file tell its reader to export.
_EXPORTED = re.compile(
    r"^#\s*export (OMPI_MCA_coll_(?!tuned_dynamic_rules_filename)\w+)=(\S+)$", re.MULTILINE
)
FILE = "/absolute/path/of/this/file"


class Classic(Format):
    """Base of the formats of 4.1 and 5.0."""

    library_name: ClassVar[str] = "openmpi"

    def write(self, request: Request) -> Export:
        """Comments, the version line where the version knows it, and blocks of numbers."""
        return self._written(request, {})

    def _written(self, request: Request, others: dict[str, list[str]]) -> Export:
        rules, settings, notes = said_to(request, *placed(request))
        version, has_requests = request.version, request.version >= VERSION_LINE
        lines = {}
        for operation, of in by_operation(rules).items():
            blocks, left = blocks_of(operation, of)
            notes += left
            lines[operation] = list(collective_lines(operation, blocks, version, has_requests))
        about = about_lines(request, self.settings(FILE, version) | settings, notes, ())
        text = classic_text(about, lines | others, has_requests)
        return Export(text, "\n".join(about), settings, tuple(notes))

    def merged(self, old: str, new: Export, request: Request) -> Export:
        """The new rules, and of `old` the blocks of other collectives, number by number."""
        parsed = parse(old, request.version)
        if parsed.stopped:
            raise FileFormatError(
                f"the file that exists cannot be merged into: {parsed.stopped}",
                "mend it, or name a new file",
            )
        decided = {rule.operation for rule in request.decisions.rules}
        others = kept(parsed, decided, request.version >= VERSION_LINE)
        note = f"kept from the file that was there: {', '.join(others)}"
        return replace(self._written(request, others), notes=(*new.notes, *[note] * bool(others)))

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules, an error for a text that the library ignores."""
        if parameters_in(text) and not is_numbers(text):
            raise FileFormatError(
                "these are parameters of Open MPI, and no file of rules", "name the file of rules"
            )
        return read_classic(text, version)

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What the library would ignore, misread, abort or hang on."""
        return linted(text, version)

    def called(self, text: str) -> str:
        """The title, of scripts that they set parameters."""
        return "Open MPI's parameters" if parameters_in(text) else self.title

    def recognises(self, text: str) -> bool:
        """Numbers and comments, with or without a version line; or parameters that are set."""
        return text.startswith(VERSION_WORD) or bool(parameters_in(text)) or is_numbers(text)

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """MCA parameters as environment variables."""
        return loading(path)

    def needs(self, text: str, version: Version) -> dict[str, str]:
        """What its comments tell to export, and what takes coll/han out where rules need that."""
        acting = [rule.operation for rule in rules_of(parse(text, version), version)
                  if not rule.is_default]  # fmt: skip
        return dict(_EXPORTED.findall(text)) | without_han(acting, version)
