"""Executables of Linux: whether the dynamic loader has a part in them."""

import struct
from pathlib import Path

_INTERPRETER = 3  # PT_INTERP of elf.h: names the loader, which preloads libraries


def is_static(program: str | Path) -> bool:
    """Whether it is an executable that the dynamic loader has no part in, so preloads nothing.

    Its format is ELF: a header that says where the table of segments is, of which one is the name
    of the loader.
    """
    try:
        with Path(program).open("rb") as file:
            header = file.read(64)
            if header[:4] != b"\x7fELF":
                return False
            order = "<" if header[5] == 1 else ">"
            begin, sizes = ("Q", 54) if header[4] == 2 else ("I", 42)
            (table,) = struct.unpack_from(order + begin, header, 32 if begin == "Q" else 28)
            size, count = struct.unpack_from(f"{order}HH", header, sizes)
            file.seek(table)
            segments = file.read(size * count)
        kinds = [struct.unpack_from(f"{order}I", segments, size * i)[0] for i in range(count)]
    except (OSError, struct.error, IndexError):
        return False
    return _INTERPRETER not in kinds
