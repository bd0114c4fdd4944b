"""What all formats of rules of Open MPI share."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text
from contend.schedules.libraries import Version
from contend.tune.exports.finding import Finding
from contend.tune.exports.format import Format, Request
from contend.tune.exports.marks import SKIPPED, Made
from contend.tune.exports.openmpi import han_text
from contend.tune.exports.openmpi.classic_file import is_numbers, lint_classic
from contend.tune.exports.openmpi.collectives import JSON
from contend.tune.exports.openmpi.json_lint import lint_json
from contend.tune.exports.openmpi.parameters import lint_parameters, obstacles, parameters_in
from contend.tune.exports.openmpi.request import loading as loaded_by
from contend.tune.exports.settings import is_script
from contend.tune.exports.surroundings import Circumstances


class OpenMPIFormat(Format):
    library_name: ClassVar[str] = "openmpi"

    @abstractmethod
    def _lines(self, old: str, version: Version) -> Mapping[str, Sequence[str]]:
        """The lines of an old file by collective, an error for one that the library ignores."""

    def kept(self, request: Request) -> tuple[dict[str, Sequence[str]], list[str]]:
        """Lines of an old file of collectives that nothing was decided on, and a note of them."""
        lines = {} if request.old is None else self._lines(request.old, request.version)
        others = {name: of for name, of in lines.items() if name not in request.decided}
        return others, [f"kept from the file that was there: {', '.join(others)}"] * bool(others)

    def lint(self, text: str, version: Version) -> list[Finding]:
        """Findings of parameters that a script sets, of JSON from 6.0 on, or of numbers."""
        if not is_numbers(text) and (parameters_in(text) or is_script(text)):
            return lint_parameters(text, version)
        if text.lstrip()[:1] == "{" and version >= JSON:
            return lint_json(text, version)
        return lint_classic(text, version)

    def made_of_mark(self, text: str) -> Made:
        is_own = is_numbers(text) or text.lstrip()[:1] == "{"
        return SKIPPED if is_own else super().made_of_mark(text)

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """MCA parameters as environment variables, for a file of coll/han beside it too.

        coll/hcoll is left in where no rule acts.
        """
        may_act = True  # of a file that is not there yet, or broken
        with suppress(FileFormatError):
            if Path(path).is_file():
                rules = self.read(read_text(Path(path)), version)
                may_act = not all(rule.is_default for rule in rules)
        han = [path + behind for behind in self.behind if Path(path + behind).is_file()]
        return loaded_by(path, may_act) | (han_text.loading(han[0]) if han else {})

    def obstacles(self, case: Circumstances) -> list[Finding]:
        """Parameters that win over rules, or keep coll/tuned from being asked."""
        return list(obstacles(case))
