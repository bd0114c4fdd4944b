"""What is tried is what the libraries offer, and nothing that is wrong for a call."""

import re
from typing import NamedTuple

import pytest

from contend.measure.build import source_folder
from contend.schedules.libraries import library_named

LINE = re.compile(r'OFFER\((\w+), (\w+), "(.+)", (\d+), (\d+), (\w+)\)')
# Left out: two ranks alone, a parameter of its own, several nodes, or all calls the same.
LEFT_OUT = {
    "openmpi": {"two_proc", "chain", "direct-messaging", "knomial", "allgather_reduce"},
    "mpich": {
        "smp", "k_brucks", "recexch", "recexch_doubling", "recexch_halving", "linear",
        "k_dissemination", "dissemination", "recursive_multiplying", "noncommutative",
        "k_reduce_scatter_allgather",
    },
}  # fmt: skip
EXACT_ALONE = {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block"}
NOT_TRIED = {"scan", "exscan"}


class Offer(NamedTuple):
    library: str
    operation: str
    name: str
    number: int
    since: tuple[int, int]
    ranks: str


def offers() -> list[Offer]:
    text = (source_folder() / "interpose" / "try" / "offers.def").read_text()
    return [
        Offer(
            library.lower(), operation.lower(), name, int(number),
            (int(since) // 100, int(since) % 100), ranks.lower().replace("_", " "),
        )
        for library, operation, name, number, since, ranks in LINE.findall(text)
    ]  # fmt: skip


def test_every_line_is_read():
    text = (source_folder() / "interpose" / "try" / "offers.def").read_text()
    assert len(offers()) == text.count("\nOFFER(") > 70


@pytest.mark.parametrize("one", offers(), ids=str)
def test_an_offer_is_an_algorithm_that_is_right_for_what_is_tried(one):
    library, _ = library_named(one.library)
    entry = library.algorithm(one.operation, one.name, one.since)
    assert (entry.number or 0) == one.number and entry.ranks == one.ranks
    assert not library.wrong_where(one.operation, one.name, one.since)
    assert entry.other_ranks != "error" or entry.ranks != "any"
    if library.reorders_operands(one.operation, one.name, one.since):
        assert one.operation in EXACT_ALONE


@pytest.mark.parametrize("name", ["openmpi-5.0.11", "mpich-5.0.2"])
def test_what_a_library_offers_is_tried_unless_there_is_a_reason(name):
    library, version = library_named(name)
    tried = {(one.operation, one.name) for one in offers() if one.library == library.name}
    for operation in set(library.operations(version)) - NOT_TRIED:
        entries = library.algorithms(operation, version)
        for entry in entries:
            is_known = (operation, entry.name) in tried or entry.name in LEFT_OUT[library.name]
            is_only = len([one for one in entries if one.name not in LEFT_OUT[library.name]]) == 1
            assert is_known or is_only or entry.own_name in ("tree", "pipelined_tree"), entry
