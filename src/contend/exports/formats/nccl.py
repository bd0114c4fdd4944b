"""NCCL: the CSV of its example tuner plugin, from 2.27 on (src/contend/exports/nccl/rows.py).

Each number of ranks has lines of its own: NCCL knows no "and more". Sizes of an all-gather and a
reduce-scatter are those of all blocks. What is left to NCCL has no line, which means NCCL's own
choice only of a plugin that is mended (src/contend/exports/nccl/plugin.py).
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.exports.nccl.format import TunerFormat
from contend.exports.nccl.plugin import command
from contend.exports.nccl.rows import NCCL
from contend.libraries import Version


class NCCLFormat(TunerFormat):
    """The CSV of the example plugin."""

    name = "nccl"
    title = "CSV of NCCL's tuner plugin"
    library_name = "nccl"
    first = (2, 27)
    dialect = NCCL
    plugin: ClassVar[Mapping[str, str]] = {"NCCL_TUNER_PLUGIN": "libnccl-tuner-example.so"}

    def loading(self, version: Version) -> tuple[str, ...]:
        """What has to be mended in the plugin, beside the variables."""
        return (
            "Read by NCCL's example tuner plugin, built after:",
            f"  {command(version)}",
            "Without that it runs calls that no rule is for on one channel.",
        )
