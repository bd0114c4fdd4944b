"""Rules are read as Open MPI itself reads them, whatever the file looks like.

Each text gives an all-to-all Bruck's algorithm, with which a rank of four sends to two others, or
anything else, with which it sends to all three: what `read` says, and what Open MPI then does.
"""

from __future__ import annotations

import pytest

from contend.base.errors import FileFormatError
from contend.measure.mpi import MPI
from contend.tune.exports.filerule import rule_for
from support.formats import target_named

pytestmark = pytest.mark.mpi
RANKS, M = 4, 15_000
BRUCK, LINEAR = "0 3 0 0\n", "0 1 0 0\n"

TEXTS = {
    "all-on-one-line": "1 3 1 2 1 0 3 0 0",
    "words-and-signs": f"collectives: 1\n+3 alltoall\n1\n2\n1\n{BRUCK}",
    "windows": f"1\n3\n1\n2\n1\n{BRUCK}".replace("\n", "\r\n"),
    "octal-size": f"1\n3\n1\n2\n2\n{LINEAR}0165140 3 0 0\n",  # 60000, as many as are sent
    "hexadecimal-size-beyond": f"1\n3\n1\n2\n2\n{LINEAR}0xea61 3 0 0\n",  # 60001
    "processes-descend": f"1\n3\n3\n2\n1\n{LINEAR}8\n1\n{LINEAR}3\n1\n{BRUCK}",
    "sizes-descend": f"1\n3\n1\n2\n3\n{LINEAR}100000 1 0 0\n100 3 0 0\n",
    "first-block-of-more-processes": f"1\n3\n2\n16\n1\n{BRUCK}32\n1\n{LINEAR}",
    "twice": f"2\n3\n1\n2\n1\n{LINEAR}3\n1\n2\n1\n{BRUCK}",
    "numbers-left": f"1\n3\n1\n2\n1\n{BRUCK}4096 1 0 0\n",
    "ends-early": f"2\n3\n1\n2\n1\n{BRUCK}7\n",
    "negative": "1\n3\n1\n2\n1\n0 3 -1 0\n",
    "version-line": f"rule-file-version-2\n1\n3\n1\n2\n1\n{BRUCK}",
    "version-line-behind-a-comment": f"# 2\nrule-file-version-2\n1\n3\n1\n2\n1\n{BRUCK}",
}


def algorithm(target: str, text: str) -> str:
    """The algorithm that is read for the call, or that the file is ignored."""
    try:
        rule = rule_for(target_named(target).read(text), "alltoall", RANKS, M)
    except FileFormatError:
        return "ignored"
    return rule.algorithm if rule else "default"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_read_is_what_open_mpi_does(sent, openmpi: MPI, text):
    target = f"openmpi-{openmpi.title.split()[-1]}"
    counted = sent(text, target, "alltoall", M)
    partners = len({to for source, to in counted if source == 0})
    assert partners == (2 if algorithm(target, text) == "modified_bruck" else 3)


def test_the_texts_are_of_both_kinds():
    """Else the test above could not fail."""
    kinds = {algorithm("openmpi-4", text) for text in TEXTS.values()}
    assert kinds == {"modified_bruck", "linear", "ignored"}
