"""MPI libraries: the algorithms that each offers, and how to select one."""

from contend.schedules.libraries.algorithm import (
    LibraryAlgorithm,
    Version,
    version_of,
    version_text,
)
from contend.schedules.libraries.default import Default
from contend.schedules.libraries.library import LIBRARIES, Library, library_named, library_of

__all__ = [
    "LIBRARIES",
    "Default",
    "Library",
    "LibraryAlgorithm",
    "Version",
    "library_named",
    "library_of",
    "version_of",
    "version_text",
]
