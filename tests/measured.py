"""Samples that tables of the documents are made of, kept so that only their code is run anew.

    python tests/measured.py                 lists them, and which are older than their code
    python tests/measured.py NAME [FOLDER]   measures and keeps them; goes on with what FOLDER has
    python tests/measured.py NAME FOLDER --part    keeps what FOLDER has, to go on elsewhere

What benchmarks/kept/NAME.tar.xz holds is said by NAME.toml beside it: the command that measures it,
which is a line for a shell, which files of its folder are kept, and the code, commit, machine and
day they come from. A table's command finds them in "$MEASURED"/NAME.
"""

import io
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import history
import shell

PLACE = "benchmarks/kept"
NOT_YET = "none"  # commit of what is described and waits to be measured
NAMED = re.compile(r'"\$MEASURED"/([\w-]+)')
PLACES = re.compile(rb'(?<=["=:])/[^"=:,\s]*/')  # folders of the machine, as commands name them


@dataclass(frozen=True)
class Description:
    """What a set of samples says of itself: commit, machine and day of the last measurement."""

    command: str
    kept: list[str]  # patterns of files
    code: list[str]  # paths that measuring depends on
    commit: str
    machine: str
    day: str
    begun: str = ""  # commit of a measurement that was stopped, of which the archive has a part


@dataclass(frozen=True)
class Measured:
    """One set of samples, by its description."""

    home: Path
    name: str

    @property
    def description(self) -> Path:
        """What says how it was made."""
        return self.home / PLACE / f"{self.name}.toml"

    @property
    def archive(self) -> Path:
        """What holds the samples."""
        return self.description.with_suffix(".tar.xz")

    @property
    def path(self) -> str:
        """The archive, as a table's code would name it."""
        return str(self.archive.relative_to(self.home))

    def said(self) -> Description:
        """The description."""
        return Description(**tomllib.loads(self.description.read_text(encoding="utf-8")))

    def since(self) -> list[str] | None:
        """Files of the code that changed since it was measured; None where that cannot be told."""
        commit = self.said().commit
        return [self.path] if commit == NOT_YET else self._since(commit)

    def _since(self, commit: str) -> list[str] | None:
        files = history.changed(commit, self.home)
        return None if files is None else history.below(files, self.said().code)

    def measure(self, folder: Path) -> None:
        """Run the command in the folder, and keep what it left."""
        said, commit = self.said(), history.commit_of(self.said().code, self.home)
        if said.begun and self._since(said.begun) == []:
            self._extract(folder)
        shell.run(said.command, folder, self.home)
        self.keep(folder, commit)

    def keep_part(self, folder: Path) -> None:
        """What there is of a measurement that was stopped, to go on with it elsewhere."""
        self.keep(folder, history.commit_of(self.said().code, self.home), is_part=True)

    def keep(self, folder: Path, commit: str, *, is_part: bool = False) -> None:
        """The files of the folder, without who, when and where; commit, machine, day are noted."""
        kept = self.said().kept
        paths = sorted({path for one in kept for path in folder.glob(one)} - _beside(folder))
        if not paths:
            raise shell.FailedError(f"{folder} has none of {kept}")
        with tarfile.open(self.archive, "w:xz", preset=9) as archive:
            for path in paths:
                content = path.read_bytes()
                if b"\0" not in content:  # a text, where nothing counts its bytes
                    content = PLACES.sub(b"", content)
                member = tarfile.TarInfo(str(path.relative_to(folder)))
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        made = {"commit": commit, "machine": history.machine(), "day": date.today().isoformat()}
        text = re.sub(
            r"^begun = .*\n", "", self.description.read_text(encoding="utf-8"), flags=re.M
        )
        if is_part:
            made["commit"], text = NOT_YET, f'{text}begun = "{commit}"\n'
        for key, value in made.items():
            text = re.sub(rf"^{key} = .*$", f'{key} = "{value}"', text, flags=re.M)
        self.description.write_text(text, encoding="utf-8")

    def unpack(self, folder: Path) -> None:
        """The files, below a folder of the set's name."""
        if self.said().commit == NOT_YET:
            remedy = f"measure it: python tests/measured.py {self.name}"
            raise shell.FailedError(f"{PLACE} has no samples {self.name!r}; {remedy}")
        self._extract(folder / self.name)

    def _extract(self, folder: Path) -> None:
        with tarfile.open(self.archive) as archive:
            # An argument of extractall from Python 3.11.4 on, which the attribute is before too.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(folder)


def _beside(folder: Path) -> set[Path]:
    """What a campaign leaves beside its samples: how busy the links were, which no table reads."""
    return set(folder.rglob("*.utilisation.jsonl"))


def every_set(home: Path = history.HOME) -> list[Measured]:
    """All that are kept, by name."""
    return [Measured(home, path.stem) for path in sorted((home / PLACE).glob("*.toml"))]


def named_in(command: str, home: Path = history.HOME) -> list[Measured]:
    """Those that a table's command reads."""
    return [Measured(home, name) for name in sorted(set(NAMED.findall(command)))]


@contextmanager
def unpacked(command: str, home: Path = history.HOME) -> Iterator[dict[str, str]]:
    """The environment in which a table's command finds its samples."""
    with TemporaryDirectory() as folder:
        for one in named_in(command, home):
            one.unpack(Path(folder))
        yield {"MEASURED": folder}


def main() -> None:
    """Print the list, or measure one."""
    if not sys.argv[1:]:
        for one in every_set():
            said = one.said()
            print(f"{one.name:<28} {history.age(one.since(), said.commit)}")
            print(f"{'':<28} {said.command}, {said.machine}")
        return
    name, *folder = [word for word in sys.argv[1:] if word != "--part"]
    known = {one.name: one for one in every_set()}
    if name not in known:
        raise SystemExit(f"no samples are named {name!r}; there are {', '.join(known)}")
    with TemporaryDirectory() as empty:
        try:
            place = Path(folder[0] if folder else empty)
            known[name].keep_part(place) if "--part" in sys.argv else known[name].measure(place)
        except (shell.FailedError, history.HistoryError, subprocess.CalledProcessError) as why:
            raise SystemExit(str(why)) from None


if __name__ == "__main__":
    main()
