"""Rules of coll/han of Open MPI: which component serves a call, where coll/han would take it.

Source: `exports.openmpi.han_file`. Run with 4.1.4 and 5.0.11: the library's own dump of the rules
is that of the file, and on emulated hosts calls of rules for "tuned" are those of coll/tuned, and
calls of rules for "han" those without the file.
Idea: see `exports.openmpi.han_text`. A file of coll/tuned is beside it, which names algorithms.
Restrictions: no processes per node. A file needs one collective at least: one that leaves all to
the library names the barrier, without a level.
"""

from collections.abc import Mapping, Sequence

from contend.base.errors import FileFormatError
from contend.schedules.libraries import Version, version_text
from contend.tune.exports.file_rules import head_lines, placed
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Finding
from contend.tune.exports.format import Export, Request, not_merged
from contend.tune.exports.marks import SKIPPED, Made, made_by_shell
from contend.tune.exports.openmpi import han_text
from contend.tune.exports.openmpi.collectives import is_of_han
from contend.tune.exports.openmpi.format import OpenMPIFormat
from contend.tune.exports.openmpi.han_file import NAMES, lint_han, parse, whole
from contend.tune.exports.openmpi.parameters import lint_parameters
from contend.tune.exports.openmpi.request import expressible
from contend.tune.exports.settings.parser import says_script
from contend.tune.exports.surroundings import Circumstances


class OpenMPIHan(OpenMPIFormat):
    name = "openmpi-han"
    title = "coll/han's rules of Open MPI"
    first = (4, 1)
    end = (6,)
    names_algorithms = False

    def obstacles(self, case: Circumstances) -> list[Finding]:
        """Those are of the file of coll/tuned beside it."""
        return []

    def write(self, request: Request) -> Export:
        rules, _, notes = expressible(request, *placed(request))
        others, kept = self.kept(request)
        serving = han_text.serving(han_text.tuned_rules(rules), request.version)
        lines = {of: han_text.collective_lines(of, blocks) for of, blocks in serving.items()}
        if serving:
            notes.append(f"{', '.join(serving)}: a file of coll/tuned has to name the algorithms")
        variables = han_text.loading("/absolute/path/of/this/file").items()
        loading = ["To load them:", *(f"  export {name}={value}" for name, value in variables)]
        written = [rule for rule in rules if rule.operation in serving]
        about = head_lines("coll/han of Open MPI", request, loading, notes, written)
        text = han_text.han_text(about, {**others, **lines})
        return Export(text, "\n".join(about), {}, (*notes, *kept))

    def _lines(self, old: str, version: Version) -> Mapping[str, Sequence[str]]:
        parsed = parse(old, version)
        if parsed.stopped:
            raise not_merged(parsed.stopped)
        acting = (collective for collective in parsed.collectives if collective.parts)
        return {collective.operation: han_text.kept_lines(collective) for collective in acting}

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The components of calls on communicators of programs; "han" is the default."""
        parsed = parse(text, version)
        if parsed.stopped:
            raise FileFormatError(str(parsed.stopped), "'contend tune lint' says more")
        return tuple(
            rule
            for operation, level in whole(parsed)
            for rule in han_text.rules_at(operation, level)
        )

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What the library ignores, by line; of a script, what is wrong with its parameters."""
        return lint_parameters(text, version) if says_script(text) else lint_han(text, version)

    def made_of_mark(self, text: str) -> Made:
        return made_by_shell(text) if says_script(text) else SKIPPED

    def settings(self, path: str, version: Version) -> dict[str, str]:
        return han_text.loading(path)

    def recognises(self, text: str) -> bool:
        return is_of_han(text)

    def version_in(self, text: str) -> str:
        """The version that the file says, or the first in which coll/han is in front."""
        return super().version_in(text) or (version_text(NAMES) if self.recognises(text) else "")
