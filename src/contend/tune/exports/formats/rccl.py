"""RCCL: the CSV of its tuner, which is built in from 2.30 on.

As NCCL's, but that lines which cannot be read are left out, and calls without a rule are RCCL's own
choice (src/contend/tune/exports/nccl/rows.py). What contend writes has no fields of RCCL's alone.
Restriction: before 2.30 RCCL has an example plugin that reads as NCCL's does.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.schedules.libraries import Version
from contend.tune.exports.formats.nccl import NCCLFormat
from contend.tune.exports.nccl.rows import RCCL


class RCCLFormat(NCCLFormat):
    name = "rccl"
    title = "CSV of RCCL's tuner"
    library_name = "rccl"
    first = (2, 30)
    dialect = RCCL
    plugin: ClassVar[Mapping[str, str]] = {}

    def loading(self, version: Version) -> tuple[str, ...]:
        return ("Read by RCCL itself, where no tuner plugin is loaded.",)
