"""How large the project is: `make size` prints a row for each measure.

Packages are the top-level folders of contend, arrows the pairs of its top-level modules and folders
of which the first imports the second. Options are those that `--help`
of all commands shows, without itself.
"""

from collections.abc import Iterable
from pathlib import Path

from layout import HOME, ROOT, imported, top
from support.commands import every_command

ASIDE = ("decisions", "results")  # folders of docs; results are the appendix


def lines_of(*paths: Path) -> int:
    """Count lines, with comments and blanks."""
    return sum(path.read_bytes().count(b"\n") for path in paths)


def files_of(folder: Path, *suffixes: str) -> Iterable[Path]:
    """Return the files below a folder that end so."""
    return [path for suffix in suffixes for path in folder.rglob(f"*{suffix}")]


def sizes() -> dict[str, int]:
    """Return each measure by its name."""
    python = files_of(ROOT, ".py")
    pages = [
        path
        for path in files_of(HOME / "docs", ".md")
        if path.relative_to(HOME).parts[1] not in ASIDE
    ]
    arrows = {(top(path), name) for path in python for name, _ in imported(path)}
    commands = [one for _, one in every_command() if not getattr(one, "commands", None)]
    options = [
        one for command in commands for one in command.params if one.param_type_name == "option"
    ]
    hidden = [one for one in options if one.hidden]
    tests = files_of(HOME / "tests", ".py", ".c", ".h", ".cpp", ".f90")
    return {
        "lines of Python in src/contend": lines_of(*python),
        "lines of Python and C in tests": lines_of(*tests),
        "kB of Markdown in docs and README": sum(
            path.stat().st_size for path in [*pages, HOME / "README.md"]
        )
        // 1000,
        "packages": len({top(path) for path in python if path.parent != ROOT}),
        "arrows between packages": len([pair for pair in arrows if pair[0] != pair[1]]),
        "commands": len(commands),
        "options of commands": len(options) - len(hidden),
        "hidden options (--json, said once for all commands, and old ones)": len(hidden),
    }


if __name__ == "__main__":
    for name, size in sizes().items():
        print(f"{size:>7} {name}")
