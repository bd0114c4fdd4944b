"""The layout of the tree, and what one file adds, as CONTRIBUTING shows them.

    python tests/layout.py     writes both into CONTRIBUTING.md anew

What a folder or module is says its docstring; what adds one says the base class of its kind.
"""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import contend
from contend.base.registry import Registry

ROOT = Path(contend.__file__).parent
HOME = Path(__file__).parents[1]
PAGE = HOME / "CONTRIBUTING.md"

# Nothing imports what stands below it, nor, within a room, what stands to its right, not even
# within a function. "." are the modules of the room itself.
ROOMS = {
    "base": (
        "errors near_names xml_text wholefile units textfile kinds registry document records "
        "number_text "
        "result statistics"
    ),
    "samples": "watch .",
    "schedules": "pointtopoint . libraries",
    "simulate": "topologies flows graphs",
    "models": "signature links timeouts network bounds prediction fitting changes explanation",
    "alltoall": "clusters plan",
    "measure": "lab . study probes jobs",
    "tune": "choose exports verification .",
    "programs": "traces replay sweeps",
    "export": ".",
    "report": "canvas timelines figures .",
    "api": "schemas .",
    "cli": ".",
}
FOLDERS = {
    "core": "C++20, standard library only",
    "core/src/engine": "Flows in order of time: which starts and ends next.",
    "core/src/rates": "Rates, fast: max-min fair by bottlenecks, links, classes of flows.",
    "core/src/replay": "When each operation of a traced program is done.",
    "core/src/routing": "Paths that flows choose by what is under way.",
    "core/src/schedule": "When each operation of a schedule is done.",
    "core/src/sharing": "Sharing models, one file each: the rate of each flow.",
    "bindings": "nanobind: only converts and checks",
    "benchmarks": "what the tables of the documents are made by: python -m benchmarks.<name>",
    "tests": "of every part; layout.py and tables.py write what documents say of the tree",
    "mpi": "C11, compiled on the user's machine with the user's mpicc",
    "mpi/bench": "Experiments, one file each.",
    "mpi/common": "What MPI programs share: clocks, common starts, arguments, output.",
    "mpi/execute": "Any schedule over real MPI.",
    "mpi/forced": "Experiments under what is forced on the MPI library, one setting after another.",
    "mpi/interpose": "What programs preload: each call of MPI, by one table, before the library's.",
    "mpi/interpose/exchange": "Serves MPI_Alltoall and MPI_Alltoallv.",
    "mpi/interpose/exchange/choose": "Who serves: check.c for each call, by times or the plan.",
    "mpi/interpose/exchange/report": "What was chosen, and what it was worth.",
    "mpi/interpose/exchange/schedule": "Who sends what to whom, and when.",
    "mpi/interpose/exchange/transport": "Messages, requests, and data of any type.",
    "mpi/interpose/record": "Records every call.",
    "mpi/interpose/try": "Makes a few calls by other algorithms, and keeps what is faster.",
    "mpi/interpose/watch": "Adds up the collective calls, for a job's record and for verifying.",
    "mpi/graph": "Contention graphs: the end of each of many messages at once.",
    "mpi/probe": "Calls the collective operations that it is told to.",
    "lab": "C11, Linux: the emulated cluster",
    "lab/common": "What its programs share.",
    "lab/shim": "Preloaded into the ranks: their clock, where they wait, how they end.",
    "lab/switch": "Switch (forwarding.c), network cards; links that drop frames when full.",
}
# What else there is to know of a kind that a registry finds.
NOTES = {
    "topology": "; then `python -m contend.api.schemas` writes the JSON Schema anew",
}
# What no registry finds: what to write, the list that it needs a line of, and where to look.
OTHERS = {
    "algorithm of a collective operation": (
        "`src/contend/schedules/<collective>/<name>.py` with a subclass of `Algorithm`", "",
        "src/contend/schedules/bcast/binomial.py",
    ),
    "algorithm of the exchange library": (
        "`mpi/interpose/exchange/algorithms/<name>.c`; `alltoall plan` takes those that have "
        "a schedule of the same name", "mpi/interpose/exchange/algorithms.def",
        "mpi/interpose/exchange/algorithms/lg_balanced.c",
    ),
    "call of MPI that is recorded": (
        "a line of `mpi/interpose/calls.def`, and what it does in "
        "`src/contend/programs/traces/recording/calls.py` if that is more than time", "",
        "mpi/interpose/calls.def",
    ),
    "MPI experiment": (
        "`mpi/bench/<name>.c` with a `contend_experiment`", "", "mpi/bench/alltoall_native.c"
    ),
    "sharing model": (
        "`core/src/sharing/<name>.cpp`", "core/src/sharing/models.def",
        "core/src/sharing/equal_share.cpp",
    ),
    "contention graph of the literature": (
        "a line of `src/contend/simulate/graphs/reader.py`", "",
        "src/contend/simulate/graphs/reader.py",
    ),
    "emulated network": (
        "`src/contend/measure/lab/profiles/<name>.toml`", "",
        "src/contend/measure/lab/profiles/two-clusters.toml",
    ),
    "figure of the report": (
        "`src/contend/report/figures/<name>.py` with a function from `Findings` to drawings",
        "src/contend/report/figures/table.py", "src/contend/report/figures/gains.py",
    ),
    "section of a page": (
        "`src/contend/report/sections/<name>.py` with a function that yields its content",
        "src/contend/report/page.py", "src/contend/report/sections/probes.py",
    ),
    "command": (
        "`src/contend/cli/commands/<name>.py` with `ORDER`, `PANEL`, `EXAMPLE` and `command`", "",
        "src/contend/cli/commands/solve.py",
    ),
    "command of a group": (
        "the same in the group's folder, without `PANEL`", "",
        "src/contend/cli/commands/tune/export.py",
    ),
    "function of the C++ core": (
        "`core/src/<name>.cpp`, its header and `core/tests/test_<name>.cpp`", "",
        "core/src/graph.cpp",
    ),
    "binding of it": ("`bindings/<name>.cpp`", "bindings/concepts.def", "bindings/graph.cpp"),
}  # fmt: skip


def layout() -> str:
    """The block of the layout."""
    lines = [f"{_indented(folder):<22} {about}" for folder, about in FOLDERS.items()]
    lines += ["src/contend/"]
    for room, parts in ROOMS.items():
        lines += [f"  {room + '/':<20} {about(room)}"]
        lines += [f"    {one:<18} {about(f'{room}/{one}')}" for one in parts.split() if one != "."]
    return "\n".join(["```", *lines, "```"])


def _indented(folder: str) -> str:
    return ("  " if "/" in folder else "") + folder + "/"


def about(name: str) -> str:
    """First line of the docstring of a module or folder of the package."""
    folder = ROOT / name / "__init__.py"
    text = (folder if folder.is_file() else ROOT / f"{name}.py").read_text()
    return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]


def table() -> str:
    """The table of what one file adds."""
    rows = [
        (one.kind, f"`src/{one.package.replace('.', '/')}/<name>.py` with a subclass of "
         f"`{one.base.__name__}`{NOTES.get(one.kind, '')}", "", usual(one))
        for one in registries()
    ] + [(what, *how) for what, how in OTHERS.items()]  # fmt: skip
    lines = [
        f"| {what} | {written} | {f'a line of {_link(list_)}' if list_ else 'nothing'} "
        f"| {_link(look)} |"
        for what, written, list_, look in rows
    ]
    return "\n".join(["| to add | write | register | look at |", "|---|---|---|---|", *lines])


def _link(path: str) -> str:
    return f"[{Path(path).name}]({path})"


def usual(registry: Registry[object]) -> str:
    """File of the entry that is longer than half of them: neither trivial nor the hardest."""
    files = {inspect.getfile(type(entry)) for entry in registry.all()}
    ordered = sorted(files, key=lambda file: (Path(file).read_text().count("\n"), file))
    return str(Path(ordered[len(ordered) // 2]).relative_to(HOME))


def top(path: Path) -> str:
    """Return the name of the room, or module at the top, that a file of the package belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py").removesuffix(".pyi")


def part(room: str, names: Sequence[str]) -> str:
    """Return the part of a room that a module belongs to, which `names` lead to from the room."""
    return names[0] if names and names[0] in ROOMS[room].split() else "."


def modules(path: Path) -> Iterator[tuple[list[str], int]]:
    """Yield what a file imports of the package, as names below it, with the line."""
    package = ["contend", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imports = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            imports = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in imports:
            names = module.split(".")
            if names[0] == "contend" and names[1:] != ["__version__"]:
                yield names[1:], node.lineno


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the top-level names of the package that a file imports, with the line."""
    for names, line in modules(path):
        yield (names[0] if names else "contend"), line


def registries() -> list[Registry[object]]:
    """Every registry that a module of the package holds."""
    found: dict[str, Registry[object]] = {}
    for module in pkgutil.walk_packages(contend.__path__, "contend."):
        if not module.name.endswith("__main__"):
            for member in vars(importlib.import_module(module.name)).values():
                if isinstance(member, Registry):
                    found[member.package] = member
    return list(found.values())


def page() -> str:
    """CONTRIBUTING as the tree says."""
    text = re.sub(
        r"\n\| to add .*?\n(?=\n)", lambda _: f"\n{table()}\n", PAGE.read_text(), flags=re.S
    )
    head, rest = text.split("\n## Layout\n", 1)
    return f"{head}\n## Layout\n" + re.sub(
        r"```.*?```", lambda _: layout(), rest, count=1, flags=re.S
    )


if __name__ == "__main__":
    PAGE.write_text(page())
