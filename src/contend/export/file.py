"""Files of other tools on disk."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.textfile import read_text
from contend.base.wholefile import is_special, make_folder, write_whole
from contend.export.format import Format, Written


def save(path: Path, format: Format, written: Written) -> None:
    """Write the file and what belongs to it, unless something else is there."""
    make_folder(path.parent)
    if path.is_file() and not is_special(path):
        old = read_text(path, errors="replace")
        if old.strip() and not format.recognises(old):
            raise InvalidInputError(
                f"{path} exists and is no {format.name} file", "name a new file, or remove it"
            )
    write_whole(path, written.text)
    for behind, text in written.beside.items():
        write_whole(path.with_name(path.name + behind), text)
