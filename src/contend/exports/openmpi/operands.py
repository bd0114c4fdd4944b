"""Rules of coll/tuned that are wrong in some programs: it runs them whatever the call."""

from collections.abc import Iterable, Iterator

from contend.exports.finding import Finding
from contend.exports.openmpi.groups import Group
from contend.exports.operands import wrong_in_some
from contend.libraries import LIBRARIES, Version


def operand_findings(
    groups: Iterable[Group], version: Version, text: str | None
) -> Iterator[Finding]:
    """A finding for each rule that is for more than one process; `text` as of `check_groups`."""
    library = LIBRARIES.get("openmpi")
    for group in groups:
        if group.n_to is not None and group.n_to <= 2:
            continue
        for entry in group.entries:
            known = library.numbered(group.operation, entry.number, version)
            if known is not None:
                yield from wrong_in_some(
                    library, group.operation, known.name, version, text or "", entry.line
                )
