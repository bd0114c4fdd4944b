"""What is wrong with rules for Open MPI, whatever form they have."""

from contend.exports.finding import Finding
from contend.exports.openmpi.classic_lint import lint_classic
from contend.exports.openmpi.collectives import JSON
from contend.exports.openmpi.json_lint import lint_json
from contend.exports.openmpi.numbers import is_numbers
from contend.exports.openmpi.parameters_lint import lint_parameters, parameters_in
from contend.exports.settings import is_script
from contend.libraries import Version


def linted(text: str, version: Version) -> list[Finding]:
    """The findings of parameters that a script sets, of JSON from 6.0 on, or of numbers."""
    if not is_numbers(text) and (parameters_in(text) or is_script(text)):
        return lint_parameters(text, version)
    if text.lstrip()[:1] == "{" and version >= JSON:
        return lint_json(text, version)
    return lint_classic(text, version)
