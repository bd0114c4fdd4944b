"""What stands in the way of trees for MPICH: variables that win over the file.

Run with 5.0.2 (tests/verification/test_precedence.py): MPICH reads MPIR_CVAR_X, or else
MPIR_PARAM_X, or else MPICH_X; MPIR_CVAR_<OPERATION>_INTRA_ALGORITHM beats the file.
"""

from collections.abc import Iterator

from contend.exports.csel.keys import COLLECTIVES
from contend.exports.csel.variables import FILE, PREFIXES, WITHOUT_EFFECT
from contend.exports.finding import Faults, Finding
from contend.exports.surroundings import Circumstances, Surrounding, in_effect

_FAULT = Faults({
    "forced": ("warning", "{name}={value} {where} beats the file's rules for {of}", "{undo}"),
    "file": ("warning", "{name}={value:.120} {where} names another file of rules than this",
             "{undo}, or name this file there"),
    "no-effect": ("note", "{name}={value} {where} has no effect in 5.0.2: the tree decides",
                  "{undo}"),
})  # fmt: skip


def obstacles(case: Circumstances) -> Iterator[Finding]:
    """What of the surroundings wins over rules."""
    rules, loading = case.rules, case.loading
    held = in_effect(case.around)

    def read(name: str) -> Surrounding | None:
        """The variable that the library reads, under the first of its names that is set."""
        names = (held.get(prefix + name) for prefix in PREFIXES)
        return next((one for one in names if one is not None), None)

    acting = {rule.operation for rule in rules or () if not rule.is_default}
    for operation in COLLECTIVES:
        one = read(f"{operation.upper()}_INTRA_ALGORITHM")
        is_for = rules is None or operation in acting
        if one and is_for and one.value not in ("auto", loading.get(one.name)):
            yield _FAULT("forced", None, **one.given, of=operation)
    for name in (FILE, f"CH4_{FILE}"):
        one, own = read(name), loading.get(PREFIXES[0] + name)
        if one and own is not None and one.value != own:
            yield _FAULT("file", None, **one.given)
    if one := read(WITHOUT_EFFECT):
        yield _FAULT("no-effect", None, **one.given)
