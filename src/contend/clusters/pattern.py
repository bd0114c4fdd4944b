"""Host patterns that Python and C libraries read alike: `*`, `?`, `[a-z]`, `[!a]`.

Idea: what the two read differently begins with a bracket: `[^a]` negates in C alone, `[[:alpha:]]`
and the like are classes in C alone.
"""

import re

from contend.errors import InvalidInputError

_DIFFERENT = re.compile(r"\[[\^:.=]")


def require_pattern(text: str) -> None:
    """Raise an error for a pattern that only one of the two understands.

    >>> require_pattern("red[!1-3]*")
    """
    if found := _DIFFERENT.search(text):
        raise InvalidInputError(
            f"the pattern {text!r} has {found[0]!r}", "write [!a] for all but a, [a-z] for letters"
        )
