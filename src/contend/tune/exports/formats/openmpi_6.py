"""Rules of coll/tuned of Open MPI 6.0: JSON, with ranges of sizes and placements of processes.

Source: the reader of the branch that becomes 6.0; no released version has been tried.
Restrictions: of placements the library can tell one process per node, all on one node, and any;
decisions for several numbers of processes per node beyond these need a choice. The reader skips
what it does not know, but knows no comments, so that what the file is stands beside it.
"""

import json
from collections.abc import Mapping, Sequence

from contend.base.errors import FileFormatError, InvalidInputError
from contend.schedules.libraries import Version
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import by_operation
from contend.tune.exports.file_rules import listed, processes, wanted
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.format import Export, Request
from contend.tune.exports.json_lines import Value, parse_json
from contend.tune.exports.openmpi.classic import read_classic
from contend.tune.exports.openmpi.classic_file import IGNORED
from contend.tune.exports.openmpi.collectives import JSON, counted_in
from contend.tune.exports.openmpi.format import OpenMPIFormat
from contend.tune.exports.openmpi.json_lint import lint_json
from contend.tune.exports.openmpi.request import (
    about_lines,
    expressible,
    loading,
    of_han,
    without_han,
)
from contend.tune.exports.openmpi.rules_json import (
    communicator_rules,
    json_text,
    placement_of,
    rules_in,
)

FILE = "/absolute/path/of/the/file"


class OpenMPI6(OpenMPIFormat):
    name = "openmpi-6"
    title = "JSON rules file of Open MPI 6.0"
    first = JSON
    has_comments = False

    def write(self, request: Request) -> Export:
        """One JSON object, a rule a line; what it is, beside."""
        rules, settings, notes = expressible(request, *_chosen(request))
        version, (others, kept) = request.version, self.kept(request)
        acting = [rule.operation for rule in rules if not rule.is_default]
        if out := without_han(acting, version):
            settings |= out
            notes += of_han(rules, version)
        collectives = dict(others)
        for operation, of in by_operation(rules).items():
            written, more = communicator_rules(operation, of, version)
            collectives |= {operation: written} if written else {}
            notes += more
        loaded = loading(FILE, bool(acting or others)) | settings
        about = about_lines(request, loaded, notes, rules)
        about += [f"Sizes of {name}: {counted_in(name)}" for name in sorted(collectives)]
        return Export(json_text(collectives), "\n".join(about), settings, (*notes, *kept))

    def _lines(self, old: str, version: Version) -> Mapping[str, Sequence[str]]:
        _root(old)  # an error where the library would not take it
        collectives = json.loads(old)["collectives"]
        return {of: [json.dumps(rule) for rule in rules] for of, rules in collectives.items()}

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules, in the order in which the library looks at them."""
        if text.lstrip()[:1] != "{":  # what the library takes for JSON, or a user means to be
            return read_classic(text, version)
        return tuple(rules_in(_root(text), version))

    def needs(self, text: str, version: Version) -> dict[str, str]:
        """The variable that takes coll/han out, if a rule is of a collective that it has."""
        acting = [rule.operation for rule in self.read(text, version) if not rule.is_default]
        return without_han(acting, version)

    def recognises(self, text: str) -> bool:
        return text.lstrip()[:1] == "{" and '"collectives"' in text


def _chosen(request: Request) -> tuple[list[Rule], list[str]]:
    """The rules of all placements that the file can tell apart, or of the one that is wanted."""
    rules = wanted(request)
    several = {rule.processes_per_node for rule in rules if placement_of(rule) == "any"} - {None}
    if len(several) > 1:
        raise InvalidInputError(
            f"decisions for {listed(several)} processes per node, which Open MPI cannot tell apart",
            "choose one with --ppn",
        )
    return rules, [
        f"measured with {processes(only)} per node; rules for 'any' hold for all of them"
        for only in several
    ]


def _root(text: str) -> Value:
    """The object of a file, an error where the library would not take it."""
    findings = [finding for finding in lint_json(text, JSON) if IGNORED in finding.message]
    if findings:
        raise FileFormatError(str(findings[0]), "'contend tune lint' says more")
    return parse_json(text)
