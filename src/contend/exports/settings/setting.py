"""A variable that a text sets, in whatever form."""

from dataclasses import dataclass

MCA = {"mca": "OMPI_MCA_", "gmca": "OMPI_MCA_", "omca": "OMPI_MCA_", "prtemca": "PRTE_MCA_",
       "pmixmca": "PMIX_MCA_"}  # fmt: skip
# What names of variables begin with that tune collective operations.
TUNING = ("I_MPI_ADJUST_", "UCC_TL_UCP_TU", "OMPI_MCA_coll", "PRTE_MCA_coll", "PMIX_MCA_coll",
          "MPIR_CVAR_", "MPIR_PARAM_")  # fmt: skip

KEPT = -1  # the scope of options that stand without a command, which gets them elsewhere


@dataclass(frozen=True)
class Setting:
    """A variable, its value and its line.

    `problem` says what is made of it, if not that. `scope` is 0 for what holds from there on, else
    tells commands apart that have it for themselves. `replaces` is the line of an earlier one that
    never takes effect.
    """

    name: str
    value: str
    line: int
    problem: str = ""
    is_known: bool = True  # false: the value is put in by a shell
    is_read: bool = True  # false: the name stands in a form that is not read
    is_exported: bool = True  # false: a variable of the shell alone
    scope: int = 0
    replaces: int | None = None
