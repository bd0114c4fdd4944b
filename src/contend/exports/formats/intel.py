"""Intel MPI: a file of shell that sets I_MPI_ADJUST_<OPERATION>="preset:sizes@processes;...".

Source: Developer Reference, I_MPI_ADJUST family: ranges hold both their ends, and sizes are those
of `UNITS`. Run with 2021.18: a value that it cannot read is ignored and said so at I_MPI_DEBUG=5
("Incorrect adjust value"); a preset out of range, ranges that overlap and ranges that end before
they begin are taken without a word.
What is left out is decided by the library itself; a default is left out.
"""

from collections.abc import Iterator, Mapping

from contend.choose.rules import Rule
from contend.exports.bands import Unit, by_operation, notes_without_sizes, pieces
from contend.exports.filerule import FileRule
from contend.exports.finding import Finding
from contend.exports.format import Export, Format, Request
from contend.exports.intel.conditions import MOST, clauses
from contend.exports.intel.lint import PREFIX, UNITS, linted
from contend.exports.operands import always_right
from contend.exports.placed import placed
from contend.exports.settings import settings_of
from contend.exports.shell import exporting, kept_values, values, values_in
from contend.exports.told import told_lines
from contend.libraries import Version


class IntelVariables(Format):
    """Variables of Intel MPI."""

    name = "intel"
    title = "Intel MPI's variables"
    library_name = "intel"
    first = (2021, 18)

    def write(self, request: Request) -> Export:
        """A file to source."""
        return self._export(request, {})

    def merged(self, old: str, new: Export, request: Request) -> Export:
        """The same, and variables of the old file that nothing was decided on."""
        return self._export(request, kept_values(old))

    def _export(self, request: Request, kept: Mapping[str, str]) -> Export:
        every, notes = placed(request)
        rules, left_out = always_right(every, request, self.library)
        notes += left_out
        variables = dict(kept)
        for operation, of in by_operation(rules).items():
            unit: Unit = UNITS.get(operation, "none")
            if unit == "none":
                notes += notes_without_sizes(operation, of, "Intel MPI tells none apart")
            by_preset: dict[int, list[str]] = {}
            for number, condition in self._conditions(operation, of, unit, request.version):
                by_preset.setdefault(number, []).append(condition)
            name = f"{PREFIX}{operation.upper()}"
            variables.pop(name, None)
            if by_preset:
                clauses = (f"{number}:{','.join(those)}" for number, those in by_preset.items())
                variables[name] = ";".join(clauses)
        loading = ("Source this file before mpiexec. What is not named is left to the library.",)
        about = told_lines("Intel MPI", request, loading, notes, rules)
        return Export(exporting(about, variables), "\n".join(about), {}, tuple(notes))

    def _conditions(
        self, operation: str, rules: list[Rule], unit: Unit, version: Version
    ) -> Iterator[tuple[int, str]]:
        for piece in pieces(rules, unit, MOST):
            for band in piece.bands:
                if (rule := band.departure) is not None:
                    algorithm = self.library.algorithm(operation, rule.algorithm, version)
                    assert algorithm.number is not None
                    last = MOST if band.last is None else band.last
                    end = MOST if piece.last is None else piece.last
                    yield algorithm.number, f"{band.least}-{last}@{piece.first}-{end}"

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules of all variables that it can read."""
        return tuple(self._read(text, version))

    def _read(self, text: str, version: Version) -> Iterator[FileRule]:
        for name, value in values(text).items():
            operation = name.removeprefix(PREFIX).lower()
            known = {one.number: one.name for one in self.library.algorithms(operation, version)}
            for clause in clauses(value) if name.startswith(PREFIX) and known else ():
                for one in clause.conditions:
                    yield FileRule(
                        operation, one.n, None if one.n_last >= MOST else one.n_last + 1,
                        one.size, None if one.size_last >= MOST else one.size_last + 1,
                        known.get(clause.preset, "default"),
                        is_per_communicator=UNITS.get(operation) == "total",
                    )  # fmt: skip

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is wrong with a text; see `intel.lint`."""
        return linted(text, self.library, version)

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """What the file sets; nothing where it is not there yet."""
        return values_in(path)

    def recognises(self, text: str) -> bool:
        """Whether a variable of the family is set."""
        return bool(settings_of(text, lambda name: name.startswith(PREFIX)))
