"""UCC, which Open MPI calls as coll/ucc: a file of shell that sets UCC_TL_UCP_TUNE.

Source: `exports.ucc.tune`, which has the grammar. Run with 1.9.0.
Each entry that is written is collective:memory:sizes:[processes]:inf:@algorithm, with the highest
score, so that no other component takes the call; memory is that of the host.
Restrictions: a radix is one variable for all calls of an algorithm.
"""

from collections.abc import Iterable, Iterator, Mapping

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import LibraryAlgorithm, Version
from contend.schedules.libraries.ucc import CALLED, radix
from contend.tune.exports.bands import Band
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.format import Export, Request, not_merged
from contend.tune.exports.settings import Setting
from contend.tune.exports.shell import Departure, Departures, VariablesFormat, values
from contend.tune.exports.ucc.conf import has_sections
from contend.tune.exports.ucc.tune import (
    END,
    NAMES,
    UNITS,
    VARIABLE,
    entries,
    entry_text,
    rules_of,
    text_without,
    value_findings,
)

LONGEST = 128 * 1024 - 64  # bytes of a variable that Linux passes on
_FAULT = Faults(__file__)


class UCCVariable(VariablesFormat):
    name = "ucc"
    title = "UCC's variable"
    library_name = "ucc"
    first = (1, 3)
    family = "UCC_TL_UCP_TU"  # what misspelt names begin with
    between = "#"
    units = UNITS
    most = END
    by_hand = "run the program with UCC_COLL_TRACE=info, by which UCC says what serves each call"

    def write(self, request: Request) -> Export:
        """The same with old entries, an error where UCC would ignore them all together."""
        written = super().write(request)
        for finding in () if request.old is None else self.lint(written.text, request.version):
            if finding.level == "error":
                raise not_merged(f"with the new rules {finding.message}")
        return written

    def variables(
        self, departures: Departures, kept: Mapping[str, str], notes: list[str]
    ) -> dict[str, str]:
        """One variable, after the old entries of collectives that nothing was decided on."""
        variables = dict(kept)
        held = entries(variables.pop(VARIABLE, ""))
        texts = [rest for entry in held if (rest := text_without(entry, {*departures}))]
        for operation, decided in departures.items():
            for piece, band, algorithm in without_one_size(operation, decided, notes):
                collective = NAMES.get(operation, operation)
                processes = f"{piece.first}-{'inf' if piece.last is None else piece.last}"
                texts.append(entry_text(collective, algorithm.name, band, processes))
                variables |= self._radix(band, algorithm, variables)
        value = "#".join(texts)
        if len(value) > LONGEST:
            raise InvalidInputError(
                f"the rules make a variable of {len(value)} bytes, where the system passes "
                f"{LONGEST}",
                "let rules end at the processes that are used, instead of having no end",
            )
        return {**variables, **({VARIABLE: value, **CALLED} if value else {})}

    def _radix(
        self, band: Band, algorithm: LibraryAlgorithm, variables: Mapping[str, str]
    ) -> dict[str, str]:
        """The variable of a radix, which is one for all calls."""
        wanted = {} if band.departure is None else radix(algorithm, band.departure.options)
        for name, value in wanted.items():
            if variables.get(name, value) != value:
                raise InvalidInputError(
                    f"{name} is to be {variables[name]} and {value}, and is one for all calls",
                    "export --library ucc-conf, whose sections have radices of their own",
                )
        return wanted

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        held = entries(values(text).get(VARIABLE, ""))
        return tuple(rule for entry in held if entry.algorithm for rule in rules_of(entry))

    def check(self, setting: Setting, version: Version, text: str) -> Iterator[Finding]:
        """What makes UCC ignore all of the variable, or parts of it."""
        line = setting.line
        if setting.name != VARIABLE:
            yield _FAULT("variable", line, name=setting.name)
            return
        yield from value_findings(setting.value, line, self.library, version)
        if len(setting.value) > LONGEST:
            yield _FAULT("length", line, bytes=len(setting.value))

    def recognises(self, text: str) -> bool:
        """Whether a variable of the family is set, but in no section of a file of configuration."""
        return super().recognises(text) and not has_sections(text)


def without_one_size(
    operation: str, departures: Iterable[Departure], notes: list[str]
) -> list[Departure]:
    """The departures that UCC has rules for, and notes of those of a single size."""
    kept = []
    for piece, band, algorithm in departures:
        if band.least == band.last:
            notes.append(f"{operation}: UCC takes no rule for the one size {band.least}")
        else:
            kept.append((piece, band, algorithm))
    return kept
