"""Where a study keeps its files."""

from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class StudyFiles:
    """Where a study keeps its two artefacts and its report."""

    folder: Path
    slower: int = 1  # times slower than its file says a lab ran, on a busy machine

    @classmethod
    def latest(cls, folder: Path) -> "StudyFiles":
        """Those of the slowest lab that a study in this folder came to."""
        files = cls(folder)
        while (slower := replace(files, slower=2 * files.slower)).samples.exists():
            files = slower
        return files

    @property
    def samples(self) -> Path:
        """The samples file; samples of different dilations of time are not mixed."""
        name = "samples.jsonl" if self.slower == 1 else f"samples-{self.slower}-times-slower.jsonl"
        return self.folder / name

    @property
    def network(self) -> Path:
        return self.folder / "network.json"
