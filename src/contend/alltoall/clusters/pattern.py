"""Host patterns that Python and C libraries read alike: `*`, `?`, `[a-z]`, `[!a]`.

Idea: what the two read differently begins with a bracket: `[^a]` negates in C alone, `[[:alpha:]]`
and the like are classes in C alone.
"""

import re

from contend.base.errors import InvalidInputError

_DIFFERENT = re.compile(r"\[[\^:.=]")
# Numbers with commas between, or a range to one of several digits: as Slurm lists hosts.
_NUMBERS = re.compile(r"\[(?=[^]]*,|[^]]*\d\d)\d+(?:-\d+|,\d+)(?:-\d+|,\d+)*\]")


def require_pattern(text: str) -> None:
    """Raise an error for a pattern that only one of the two understands.

    >>> require_pattern("red[!1-3]*")
    """
    if match := _DIFFERENT.search(text):
        raise InvalidInputError(
            f"the pattern {text!r} has {match[0]!r}", "write [!a] for all but a, [a-z] for letters"
        )


def require_no_list(pattern: str) -> None:
    """Raise an error for numbers in brackets that are meant as a list, of which Slurm has such.

    >>> require_no_list("red[135]n[0-9]*")
    """
    if match := _NUMBERS.search(pattern):
        raise InvalidInputError(
            f"{match[0]} of {pattern!r} is a set of single characters, as in patterns of a shell",
            "lists of numbers as of Slurm are not read: name each host, or write patterns such as "
            '"n[1-9]" and "n1[0-2]" for n1 to n12',
        )
