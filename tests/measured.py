"""Samples that tables of the documents are made of, kept so that only their code is run anew.

    python tests/measured.py                lists them
    python tests/measured.py NAME FOLDER    measures and keeps them; goes on with what FOLDER has

What benchmarks/kept/NAME.tar.xz holds is in NAME.toml beside it: the command that measures it,
which is a line for a shell, which files of its folder are kept, commit, machine and day.
"""

import io
import os
import re
import sys
import tarfile
import tomllib
from datetime import date
from pathlib import Path

from support import processes
from support.processes import HOME

PLACE = HOME / "benchmarks" / "kept"
PLACES = re.compile(rb'(?<=["=:])/[^"=:,\s]*/')  # folders of the machine, as commands name them


def descriptions() -> dict[str, dict[str, str | list[str]]]:
    """Return what each set of samples says of itself, by name."""
    return {path.stem: tomllib.loads(path.read_text()) for path in sorted(PLACE.glob("*.toml"))}


def unpack(name: str, folder: Path) -> Path:
    """Put the files of a set below a folder; return theirs."""
    with tarfile.open(PLACE / f"{name}.tar.xz") as archive:
        # An argument of extractall from Python 3.11.4 on, which the attribute is before too.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder / name)
    return folder / name


def measure(name: str, folder: Path) -> None:
    """Run the command of a set in the folder, and keep what it left."""
    described, commit = descriptions()[name], processes.commit()
    processes.run(str(described["command"]), folder)
    paths = {path for pattern in described["kept"] for path in folder.glob(pattern)}
    paths -= set(folder.rglob("*.utilisation.jsonl"))  # beside samples; no table reads it
    pack(PLACE / f"{name}.tar.xz", folder, paths)
    description = PLACE / f"{name}.toml"
    text = description.read_text()
    made = {"commit": commit, "machine": machine(), "day": date.today().isoformat()}
    for key, value in made.items():
        text = re.sub(rf"^{key} = .*$", f'{key} = "{value}"', text, flags=re.M)
    description.write_text(text)


def pack(archive: Path, folder: Path, paths: set[Path]) -> None:
    """Write files without who, when and where."""
    with tarfile.open(archive, "w:xz", preset=9) as made:
        for path in sorted(paths):
            content = path.read_bytes()
            if b"\0" not in content:  # a text, where nothing counts its bytes
                content = PLACES.sub(b"", content)
            member = tarfile.TarInfo(str(path.relative_to(folder)))
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))


def machine() -> str:
    """Name this machine, as far as it tells."""
    information = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.+)$", information, re.M)
    is_virtual = re.search(r"^flags\s*:.* hypervisor\b", information, re.M)
    name = model[1].strip() if model else "an unknown processor"
    return f"{os.cpu_count()} cores, {name}{' (virtual)' if is_virtual else ''}"


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], Path(sys.argv[2]))
    for name, described in descriptions().items():
        print(f"{name:<28} {described['commit']} {described['day']}, {described['machine']}")
        print(f"{'':<28} {described['command']}")
