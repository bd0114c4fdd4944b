"""Errors that name the thing, the rule and the remedy.

A library function raises one of these and never exits or prints; the command line turns it into
one message and a non-zero exit code.
"""

import errno
import re

LONGEST_ECHO = 200  # characters of what was given that a message repeats
_QUOTED = re.compile(
    r"""(?<!\w)(?P<mark>['"])(?P<text>(?:(?!(?P=mark))[^\\\n]|\\.|(?P=mark)(?=\w))*)(?P=mark)"""
)
_LONG_WORD = re.compile(rf"(\S{{{LONGEST_ECHO}}})\S{{9,}}")  # 9: more than marks and dots


def shortened(text: str) -> str:
    """The text with quotations and words cut after `LONGEST_ECHO` characters.

    >>> shortened(f"{'9' * 5000!r} is too large").replace("9", "")
    "''... is too large"
    """
    quoted = _QUOTED.sub(_shortened_quotation, text)
    return _LONG_WORD.sub(r"\1...", quoted)


def _shortened_quotation(match: re.Match[str]) -> str:
    mark, text = match["mark"], match["text"]
    return match[0] if len(text) <= LONGEST_ECHO else f"{mark}{text[:LONGEST_ECHO]}{mark}..."


class ContendError(Exception):
    """Base class: `message` says what was given and what is required, `remedy` what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = shortened(message)
        self.remedy = shortened(remedy)

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class InvalidInputError(ContendError):
    """A value outside what a function is defined for."""


class FileFormatError(ContendError):
    """A file that is not what its name or its schema promises."""


class MissingToolError(ContendError):
    """Something the machine does not offer: an MPI library, a compiler, a clock."""


class LaunchError(ContendError):
    """An MPI program that could not be started, died, hung or returned wrong data."""


class LostLaunchError(LaunchError):
    """An MPI program that died or hung while it measured, or whose times cannot be."""


class StorageError(ContendError):
    """A file that could not be written: full disk, no permission, in use by another process."""

    @classmethod
    def of(cls, path: object, error: OSError, kept: str = "") -> "StorageError":
        """Error for a failed write of `path`; `kept` says what is safe all the same."""
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        remedy = "free some space" if is_full else "name another place"
        return cls(f"cannot write {path}: {error.strerror}", remedy + (f"; {kept}" if kept else ""))
