"""RCCL: the algorithms of NCCL that AMD's library runs, by the same names and variables.

Source: "Using the RCCL tuner plugin API" of its documentation, which names tree and ring with all
three protocols, and src/plugin/tuner/csv_tuner.cc of 2.30 (rocm-systems); read, not run.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.schedules.libraries.algorithm import LibraryAlgorithm, Version
from contend.schedules.libraries.library import Library
from contend.schedules.libraries.nccl import ANYWHERE, SERVED, algorithm_table, forcing


class RCCL(Library):
    name = "rccl"
    title = "RCCL"
    says = r"\bRCCL\s+(?:version\s*:?\s*)?v?(\d[\d.]*)"
    oldest = (2, 27)
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = algorithm_table(
        {operation: tuple(name for name in names if name in ANYWHERE)
         for operation, names in SERVED.items()}
    )  # fmt: skip

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """NCCL_ALGO, NCCL_PROTO and the number of channels, as of NCCL."""
        self.require_options(algorithm, options)
        return forcing(algorithm, options)
