"""coll/han, which stands before coll/tuned from 5.0 on: of which calls it takes what from rules.

Seen with 5.0.11 by looking which functions ranks enter, on one host and on emulated ones.
"""

import re
from collections.abc import Iterable

from contend.exports.finding import Finding
from contend.exports.openmpi.collectives import han_takes
from contend.libraries import Version

ALL_CALLS = frozenset(("allreduce", "barrier"))  # that it keeps on nodes of unequal ranks
OFF = re.compile(r"coll_han_priority|\^han\b|,han\b|coll/han")
# Words of a file of rules of its own, and what its rules begin with: a size and a component.
_OWN_RULES = re.compile(
    r"\b(?:global_communicator|intra_node|inter_node)\b|"
    r"^\s*\d+\s+(?:self|basic|libnbc|tuned|sm|adapt|han)\b",
    re.MULTILINE,
)


def han_finding(
    operation: str, version: Version, is_single: bool, line: int | None, has_comments: bool
) -> Iterable[Finding]:
    """A finding where it takes an operation; `is_single`: of communicators of one rank a node."""
    if not han_takes(operation, version):
        return
    unequal = "all" if operation in ALL_CALLS else "only the first"
    reach = (
        f"the first call of a communicator of {operation}" if is_single
        else f"calls of {operation} on several hosts"
    )  # fmt: skip
    ranks = (
        "" if is_single
        else f", with one rank a node only the first call and with unequal nodes {unequal}"
    )  # fmt: skip
    yield Finding(
        "warning" if has_comments else "note", "han",
        f"from 5.0 on coll/han has a higher priority, and takes {reach} before the rules are "
        f"looked at, which then act among the ranks of a node; none within one host{ranks} (seen "
        "with 5.0.11)",
        "run with OMPI_MCA_coll_han_priority=0, if rules are to hold on whole communicators"
        + (", and say so in a comment of the file" if has_comments else ""), line,
    )  # fmt: skip


def is_of_han(text: str) -> bool:
    """Whether a text is a file of rules of coll/han itself."""
    return bool(_OWN_RULES.search(re.sub("#.*", "", text)))


def of_han() -> Finding:
    """A file of coll/han in the place of one of coll/tuned."""
    return Finding(
        "error", "han-file",
        "this is a file of rules of coll/han, whose form is another: coll/tuned makes nothing of "
        "it, and it is not checked here",
        "name it in OMPI_MCA_coll_han_dynamic_rules_filename, with "
        "OMPI_MCA_coll_han_use_dynamic_file_rules=1",
    )  # fmt: skip
