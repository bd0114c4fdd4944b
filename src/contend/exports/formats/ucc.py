"""UCC, which Open MPI calls as coll/ucc: a file of shell that sets UCC_TL_UCP_TUNE.

Source: src/coll_score and src/utils/ucc_coll_utils.c of UCC; see `ucc.tune_text` for the grammar.
Each entry is collective:memory:sizes:[processes]:inf:@algorithm, with the highest score, so that
no other component takes the call; memory is that of the host. Sizes of an all-to-all and an
all-gather are those of all blocks. Run with 1.9.0: the map of scores that it prints for a team has
the ranges that were written.
What is left out is decided by the library itself; a default is left out.
"""

from collections.abc import Iterator, Mapping

from contend.choose.rules import Rule
from contend.errors import InvalidInputError
from contend.exports.bands import Band, Piece, by_operation, notes_without_sizes, pieces
from contend.exports.filerule import FileRule
from contend.exports.finding import Finding
from contend.exports.format import Export, Format, Request
from contend.exports.placed import placed
from contend.exports.settings import settings_of
from contend.exports.shell import exporting, kept_values, values, values_in
from contend.exports.told import told_lines
from contend.exports.ucc.lint import BACK, FAMILY, LONGEST, NAMES, UNITS, VARIABLE, linted
from contend.exports.ucc.tune_text import END, MOST_PROCESSES, Entry, entries
from contend.libraries import Version

CALLED = {"OMPI_MCA_coll_ucc_enable": "1", "OMPI_MCA_coll_ucc_priority": "100"}


class UCCVariable(Format):
    """The variable of UCC's transport layer over UCP."""

    name = "ucc"
    title = "UCC's variable"
    library_name = "ucc"
    first = (1, 3)

    def write(self, request: Request) -> Export:
        """A file to source."""
        return self._export(request, [], {})

    def merged(self, old: str, new: Export, request: Request) -> Export:
        """The same, and entries of the old file for collectives that nothing was decided on."""
        decided = {NAMES.get(r.operation, r.operation) for r in request.decisions.rules}
        variables = kept_values(old)
        held = entries(variables.pop(VARIABLE, ""))
        kept = [one.text for one in held if not decided & {*one.collectives}]
        return self._export(request, kept, variables)

    def _export(self, request: Request, kept: list[str], others: Mapping[str, str]) -> Export:
        rules, notes = placed(request)
        texts = list(kept)
        for operation, of in by_operation(rules).items():
            texts += self._entries(operation, of, request.version, notes)
        value = "#".join(texts)
        if len(value) > LONGEST:
            raise InvalidInputError(
                f"the rules make a variable of {len(value)} bytes, where the system passes "
                f"{LONGEST}",
                "let rules end at the processes that are used, instead of having no end",
            )
        variables = {**others, **({VARIABLE: value} if value else {}), **CALLED}
        loading = ("Source this file before mpiexec. What is not named is left to the library.",)
        about = told_lines("UCC", request, loading, notes)
        return Export(exporting(about, variables), "\n".join(about), {}, tuple(notes))

    def _entries(
        self, operation: str, rules: list[Rule], version: Version, notes: list[str]
    ) -> Iterator[str]:
        unit = UNITS.get(operation, "none")
        if unit == "none":
            notes += notes_without_sizes(operation, rules, "UCC tells none apart")
        for piece in pieces(rules, unit, END):
            for band in piece.bands:
                if (rule := band.departure) is None:
                    continue
                if band.least == band.last:
                    notes.append(f"{operation}: UCC takes no rule for the one size {band.least}")
                    continue
                algorithm = self.library.algorithm(operation, rule.algorithm, version)
                self.library.require_options(algorithm, rule.options)
                yield _entry(NAMES.get(operation, operation), algorithm.name, piece, band)

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules of the variable."""
        held = entries(values(text).get(VARIABLE, ""))
        return tuple(rule for entry in held if entry.algorithm for rule in _rules(entry))

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is wrong with a text; see `ucc.lint`."""
        return linted(text, self.library, version)

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """What the file sets; nothing where it is not there yet."""
        return values_in(path)

    def recognises(self, text: str) -> bool:
        """Whether the variable is set."""
        return bool(settings_of(text, lambda name: name.startswith(FAMILY)))


def _entry(collective: str, algorithm: str, piece: Piece, band: Band) -> str:
    fields = [collective, "host"]
    if (band.least, band.last) != (0, None):
        fields.append(f"{band.least}-{'inf' if band.last is None else band.last}")
    last = "inf" if piece.last is None else piece.last
    fields += [f"[{piece.first}-{last}]", "inf", f"@{algorithm}"]
    return ":".join(fields)


def _rules(entry: Entry) -> Iterator[FileRule]:
    for collective in entry.collectives:
        operation = BACK.get(collective, collective)
        for n, n_last in entry.processes or ((1, MOST_PROCESSES),):
            for size, last in entry.sizes or ((0, END),):
                yield FileRule(
                    operation, n, None if n_last >= MOST_PROCESSES else n_last + 1,
                    size, None if last >= END else last + entry.has_last, entry.algorithm,
                    is_per_communicator=UNITS.get(operation) == "total",
                )  # fmt: skip
