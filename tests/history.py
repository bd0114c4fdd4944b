"""What of the code is not what it was at a commit: renames, imports, comments and layout aside."""

import ast
import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

HOME = Path(__file__).parents[1]
EXCEPT = ":!"  # before a path of code that is none, as git writes it
C_SUFFIXES = {".c", ".h", ".cpp", ".hpp"}
# in this order: text, which may hold what looks like a comment, then comments, then what counts
C_PIECES = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/|^\s*\#\s*include[^\n]*)"""
    r"""|(?P<word>\w+|[^\w\s])""",
    re.S | re.M,
)


class HistoryError(Exception):
    """Why it cannot be told what code figures come from."""


@cache
def changed(commit: str, home: Path = HOME) -> frozenset[str] | None:
    """Files that are not what they were at a commit; None where it is not known here."""
    words = ["diff", "--name-status", "-z", "-M", "--no-color", commit, "--"]
    try:
        fields = iter(_git(home, *words).split("\0")[:-1])
    except subprocess.CalledProcessError:
        return None
    found = set()
    for status in fields:
        before = next(fields)
        after = next(fields) if status.startswith("R") else before
        if status[0] in "MR" and _is_alike(commit, before, after, home):
            continue
        found |= {before, after}
    return frozenset(found)


def below(files: frozenset[str], paths: list[str]) -> list[str]:
    """Those that are one of the paths, or in a folder of them, less those of ":!PATH", in order."""
    less = [path.removeprefix(EXCEPT) for path in paths if path.startswith(EXCEPT)]
    return sorted(file for file in files if _is_below(file, paths) and not _is_below(file, less))


def _is_below(file: str, paths: Iterable[str]) -> bool:
    return any(file == path or file.startswith(path.rstrip("/") + "/") for path in paths)


def commit_of(code: list[str], home: Path = HOME) -> str:
    """HEAD, of which the code has to be."""
    if dirty := _git(home, "status", "--porcelain", "--", *code):
        raise HistoryError(f"commit the code first, which was changed:\n{dirty}")
    return _git(home, "rev-parse", "--short", "HEAD").strip()


def age(files: list[str] | None, commit: str) -> str:
    """In words, from the files that changed since a commit."""
    if not commit:
        return "says not what made it"
    if files is None:
        return f"commit {commit} is not known here"
    if not files:
        return "current"
    return f"old: {len(files)} files changed since {commit}, as {files[0]}"


def machine() -> str:
    """This one, as far as it tells."""
    information = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.+)$", information, re.M)
    is_virtual = re.search(r"^flags\s*:.* hypervisor\b", information, re.M)
    name = model[1].strip() if model else "an unknown processor"
    return f"{os.cpu_count()} cores, {name}{' (virtual)' if is_virtual else ''}"


def meaning(name: str, text: str) -> object:
    """What of a file makes it do what it does."""
    suffix = Path(name).suffix
    if suffix == ".py":
        return _of_python(text)
    if suffix in C_SUFFIXES:
        pieces = C_PIECES.finditer(text)
        return [piece[0] for piece in pieces if piece.lastgroup != "comment"]
    return text


def _of_python(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_silent(one)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_silent(node: ast.stmt) -> bool:
    """An import, or text that stands by itself, as docstrings do."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom)


def _is_alike(commit: str, before: str, after: str, home: Path) -> bool:
    try:
        old = _git(home, "show", f"{commit}:{before}")
        new = (home / after).read_text(encoding="utf-8")
        return Path(before).suffix == Path(after).suffix and (
            meaning(after, old) == meaning(after, new)
        )
    except (UnicodeDecodeError, SyntaxError):
        return False


def _git(home: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(home), *words], capture_output=True, text=True, check=True
    ).stdout
