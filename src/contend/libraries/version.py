"""Versions of MPI libraries, which decide what a library offers and which file it reads."""

import re

from contend.errors import InvalidInputError

Version = tuple[int, ...]
_NUMBERS = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}")


def version_of(text: str) -> Version:
    """The numbers of a version, as a tuple that compares; what follows them is left out.

    >>> version_of("5.0.11rc1") > version_of("5.0.7")
    True
    """
    if (match := _NUMBERS.match(text.strip())) is None:
        raise InvalidInputError(f"{text!r} is no version", "write it as 5.0.11 or 5")
    return tuple(int(part) for part in match[0].split("."))


def version_text(version: Version) -> str:
    """The version as it is written.

    >>> version_text((5, 0, 11))
    '5.0.11'
    """
    return ".".join(map(str, version))
