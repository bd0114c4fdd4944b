"""What has to be mended in NCCL's example tuner plugin before rules gain anything by it.

Source: plugin.c of NCCL 2.27.5, 2.29.7 and of the first with ncclTunerPlugin_v6 (2.30), and
ncclGetAlgoInfo of src/enqueue.cc, read; the plugin was built and called as NCCL calls it.
pluginGetCollInfo begins with *nChannels = 1, and NCCL takes what it returns unless that is 0: each
call that no rule is for, and each rule with -1, runs on one channel. Before 2.30 it takes the table
of costs, which NCCL hands over as an array of arrays, for one of pointers: it crashes at the first
call that a rule is for (NVIDIA/nccl issue 1974). RCCL mended both, and has its own from 2.30 on.
"""

import re

from contend.exports.finding import Faults, Finding
from contend.libraries import Version, version_text

FIRST_WITH_TABLE = (2, 30)
MENDING = "*nChannels = 0"
_TABLE = r"; s/collCostTable\[config->/((float (*)[NCCL_NUM_PROTOCOLS])collCostTable)[config->/g"
_MENDED = re.compile(r"^#.*\*nChannels = 0", re.MULTILINE)
_FAULT = Faults({
    "plugin": ("warning", "NCCL's example plugin as it comes {crash}runs each call that no rule is "
               "for on one channel, in the place of NCCL's own number",
               "build it after {command}, and say so in a comment: # *nChannels = 0"),
})  # fmt: skip


def command(version: Version) -> str:
    """Return what mends the plugin's source, for a shell."""
    table = _TABLE if version < FIRST_WITH_TABLE else ""
    return rf"sed -i 's/\*nChannels = 1;/*nChannels = 0;/{table}' plugin.c"


def of_plugin(text: str, version: Version) -> Finding:
    """Return the finding that each file with rules has: a note, where it says what to mend."""
    crash = f"crashes at the first call that a rule is for ({version_text(version)}), and "
    finding = _FAULT(
        "plugin", None, crash=crash if version < FIRST_WITH_TABLE else "", command=command(version)
    )
    if _MENDED.search(text):
        return Finding("note", finding.code, finding.message, finding.remedy)
    return finding
