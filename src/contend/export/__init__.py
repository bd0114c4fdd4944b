"""Interchange: samples and networks in the formats of other tools, one file each."""

from contend.export.format import (
    FORMATS,
    Format,
    NetworkFormat,
    SamplesFormat,
    Wanted,
    Written,
)

__all__ = ["FORMATS", "Format", "NetworkFormat", "SamplesFormat", "Wanted", "Written"]
