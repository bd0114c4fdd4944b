import pytest

from contend.base.errors import LONGEST_ECHO, ContendError

LONG = 50 * LONGEST_ECHO


@pytest.mark.parametrize(
    "given", ["9" * LONG, "a b " * LONG, "it's " * LONG, '"' * LONG, "\n" * LONG, "\\" * LONG]
)
def test_a_message_repeats_the_beginning_of_what_was_given(given):
    for text in (f"{given!r} is no number", f"the file {given!r} and {given!r} differ"):
        error = ContendError(text, f"write {given!r} again")
        assert len(error.message) < 3 * LONGEST_ECHO
        assert len(error.remedy) < 2 * LONGEST_ECHO


@pytest.mark.parametrize(
    "message",
    [
        "'ring' needs the machine's network, not that of 'tree'; " * 20,
        "the launch ended:\n  " + "\n  ".join(["a line of its output"] * 15),
        "choose from " + ", ".join(f"'name-{number}'" for number in range(100)),
    ],
)
def test_a_long_message_of_short_words_stays_as_it_is(message):
    assert ContendError(message).message == message


def test_an_error_is_its_message_and_its_remedy():
    assert str(ContendError("got 3", "give 4")) == "got 3; give 4"
    assert str(ContendError("got 3")) == "got 3"
