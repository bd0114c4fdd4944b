"""Decisions as the files and variables that MPI libraries obey: written, read and checked."""

from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Finding, worst
from contend.tune.exports.format import FORMATS, Export, Format, Request, format_named

__all__ = ["FORMATS", "Export", "FileRule", "Finding", "Format", "Request", "format_named", "worst"]
