"""Sets the version of a release wherever it stands, and its heading in the changelog.

    python packaging/release.py 0.1.0 YYYY-MM-DD

pyproject.toml, CITATION.cff (with the date), the recipes of Spack and conda, and CHANGELOG.md, in
which what was not released yet goes below the heading of the release.
"""

import argparse
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNRELEASED = "## Unreleased\n"
VERSION = re.compile(r"\d+\.\d+\.\d+")

# Where the version stands: a file, and what is around it.
PLACES = (
    ("pyproject.toml", r'(?m)^(version = ")[^"]+(")$'),
    ("CITATION.cff", r"(?m)^(version: )\S+()$"),
    ("packaging/conda/recipe.yaml", r'(?m)^(  version: ")[^"$]+(")$'),
    ("packaging/spack/package.py", r'(?m)^(    version\(")[^"]+("\))$'),
)


def changed(name: str, text: str, version: str, day: str) -> str:
    """Text of a file of the project, with the version (and day) of the release.

    Raises
    ------
    ValueError
        Where the file has no place for it, or more than one.
    """
    for place, pattern in PLACES:
        if place == name:
            text, count = re.subn(pattern, rf"\g<1>{version}\g<2>", text)
            if count != 1:
                raise ValueError(f"{name} has {count} versions, where one is due")
    if name == "CITATION.cff":
        text = re.sub(r"(?m)^date-released: .*\n", "", text)
        text = re.sub(r"(?m)^(version: .*\n)", rf"\g<1>date-released: {day}\n", text)
    if name == "CHANGELOG.md":
        if text.count(UNRELEASED) != 1 or f"## [{version}]" in text:
            raise ValueError(f"CHANGELOG.md has no {UNRELEASED.strip()!r}, or {version} already")
        text = text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n")
    return text


def release(version: str, day: str, read: Callable[[str], str]) -> dict[str, str]:
    """New texts of all files, by name."""
    if VERSION.fullmatch(version) is None:
        raise ValueError(f"{version!r} is no version such as 0.1.0")
    date.fromisoformat(day)
    names = [*(name for name, _ in PLACES), "CHANGELOG.md"]
    return {name: changed(name, read(name), version, day) for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("day")
    options = parser.parse_args()
    texts = release(options.version, options.day, lambda name: (ROOT / name).read_text())
    for name, text in texts.items():
        (ROOT / name).write_text(text)


if __name__ == "__main__":
    main()
