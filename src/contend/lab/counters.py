"""The switch's counters: a small file that it keeps mapped, read while it runs.

Layout (native endian): "contend1", uint32 number of entries, uint32 epoch, then for each entry a
name of 56 bytes and a uint64. What each counts stands in lab/switch/counters.h.
"""

import struct
from pathlib import Path

from contend.errors import FileFormatError

_HEAD = struct.Struct("=8sII")
_ENTRY = struct.Struct("=56sQ")
_MAGIC = b"contend1"


def read(path: Path) -> dict[str, int]:
    """All counters by name."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"the switch's counters cannot be read: {error}", "is the lab still running?"
        ) from None
    magic, count, _ = _HEAD.unpack_from(data)
    if magic != _MAGIC or len(data) < _HEAD.size + count * _ENTRY.size:
        raise FileFormatError(f"{path} holds no counters", "restart the lab")
    entries = _ENTRY.iter_unpack(data[_HEAD.size : _HEAD.size + count * _ENTRY.size])
    return {name.rstrip(b"\0").decode(): value for name, value in entries}
