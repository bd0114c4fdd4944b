"""Errors that name the thing, the rule and the remedy.

A library function raises one of these and never exits or prints; the command line turns it into
one message and a non-zero exit code.
"""

import errno


class ContendError(Exception):
    """Base class: `message` says what was given and what is required, `remedy` what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

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


class StorageError(ContendError):
    """A file that could not be written: full disk, no permission, in use by another process."""

    @classmethod
    def of(cls, path: object, error: OSError, kept: str = "") -> "StorageError":
        """Error for a failed write of `path`; `kept` says what is safe all the same."""
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        remedy = "free some space" if is_full else "name another place"
        return cls(f"cannot write {path}: {error.strerror}", remedy + (f"; {kept}" if kept else ""))
