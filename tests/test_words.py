"""Names of modules and words of docstrings are those of the field (docs/glossary.md)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import contend

ROOT = Path(contend.__file__).parent
PLACES = sorted({*ROOT.rglob("*.py"), *(path.parent for path in ROOT.rglob("*.py"))})
FILES = [path for path in PLACES if path.suffix == ".py"]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}

PARTICIPLE = re.compile(
    r"(?:^|_)(?:\w*[a-z](?:ed|ing)|borne|done|drawn|found|given|held|kept|known|left|made|meant"
    r"|said|seen|foreseen|sent|shown|taken|told|foretold|written|chosen|as_run|left_out)$"
)
# Nouns that end like participles, and algorithms by the names of the literature.
NOUNS = {
    "drawing", "finding", "fitting", "folding", "hashing", "matching", "nesting", "ranking",
    "recording", "ring", "double_ring", "segmented_ring", "routing", "scaling", "setting",
    "sharing", "timing", "tuning",
}  # fmt: skip
ALGORITHMS = {
    "lg_balanced", "lg_pipelined", "paced", "recursive_doubling", "recursive_halving", "rotated",
    "spaced", "throttled",
}  # fmt: skip

BANNED = re.compile(
    r"(?<![a-z])(told|foretold|said|surely|lone|borne out|bears? (?:\w+ )?out|kept apart)(?![a-z])",
    re.IGNORECASE,
)
ROOMS = (  # whose words are mended
    "base", "samples", "schedules", "simulate", "models", "alltoall", "measure", "tune",
    "programs", "export", "report", "api", "cli",
)  # fmt: skip
# Names that others use: a column of tables, a key of a table's attributes, a parameter of sweep.
PUBLIC = ("is_told_from_best", "is_told_from_second", '"said"')
# What names no value: neither a variable nor a parameter, an attribute or a function.
NAMELESS = {"one", "found", "known", "own", "what", "there", "left"}
NAMED_ROOMS = (  # whose values have names
    "alltoall", "api", "base", "cli", "export", "measure", "models", "programs",
    "report", "samples", "schedules", "simulate", "tune",
)  # fmt: skip
PARAMETERS = {
    ("programs/sweeps/sweep.py", "told"), ("api/programs.py", "told"),
    # Of the door: the library that shall obey, or its own rules.
    ("tune/apply.py", "own"), ("tune/exports/rulesfile.py", "own"),
    ("tune/exports/file_rules.py", "said"),  # a mark in files that were written
    ("samples/quality.py", "what"),  # a word of warnings.toml
}  # fmt: skip


def documented() -> Iterator[tuple[str, str]]:
    """Yield the place of each docstring and its text."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                line = getattr(node, "lineno", 1)
                yield f"{path.relative_to(ROOT)}, line {line}", ast.get_docstring(node) or ""


def name_of(node: ast.AST) -> str:
    """Return the name of a parameter, variable, attribute or function."""
    return next(name for key in ("arg", "id", "attr", "name") if (name := getattr(node, key, "")))


def banned_words(text: str) -> list[str]:
    """Return the banned words of a line of code, whatever they are a part of."""
    for name in PUBLIC:
        text = text.replace(name, "")
    return BANNED.findall(text.replace("_", " "))


def test_modules_are_nouns():
    names = {path: path.stem for path in PLACES if path.stem.split("_")[-1] not in NOUNS}
    wrong = [
        str(path.relative_to(ROOT))
        for path, name in names.items()
        if PARTICIPLE.search(name) and not (name in ALGORITHMS and "schedules" in path.parts)
    ]
    assert not wrong


def test_the_list_of_nouns_has_no_name_without_a_module():
    assert {path.stem for path in PLACES} >= NOUNS | ALGORITHMS


def test_no_docstring_begins_in_the_middle_of_a_sentence():
    assert [place for place, text in documented() if re.match(r"(Of|That)\b", text)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_words_have_one_meaning(room):
    wrong = [
        f"{path.relative_to(ROOT)}, line {number}: {', '.join(words)}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
        if (words := banned_words(line))
        and {(path.relative_to(ROOT).as_posix(), word) for word in words} - PARAMETERS
    ]
    assert not wrong


@pytest.mark.parametrize("room", NAMED_ROOMS)
def test_values_have_names(room):
    bound = [
        (path.relative_to(ROOT).as_posix(), name_of(node))
        for path in FILES
        if ROOT / room in path.parents
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.arg | ast.Name | ast.Attribute | ast.FunctionDef)
        and not isinstance(getattr(node, "ctx", None), ast.Load)
    ]
    assert {place for place in bound if place[1] in NAMELESS} <= PARAMETERS


def test_banned_words_are_found_in_names_and_sentences():
    assert banned_words("is_told = self._said  # Surely") == ["told", "said", "Surely"]
    assert banned_words('untold, alone, attrs["said"]') == []
