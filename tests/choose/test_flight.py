"""Which algorithms have messages for all others in flight at once."""

import pytest

from contend.choose.safe import floods


@pytest.mark.parametrize("setting", ["openmpi:linear", "direct", "rotated"])
def test_all_messages_of_an_exchange_that_wait_for_nothing_are_in_flight(setting: str) -> None:
    assert floods("alltoall", setting)


@pytest.mark.parametrize(
    ("operation", "setting"),
    [
        ("alltoall", "openmpi:pairwise"), ("alltoall", "openmpi:modified_bruck"),
        ("alltoall", "bruck"), ("allgather", "ring"), ("bcast", "openmpi:chain"),
        ("gather", "openmpi:linear"), ("alltoall", "native"), ("alltoall", "unheard_of"),
    ],
)  # fmt: skip
def test_messages_that_wait_for_others_are_not(operation: str, setting: str) -> None:
    """Into one root n-1 messages are in flight, not n (n-1)."""
    assert not floods(operation, setting)
