"""No function only hands its arguments on to another one of contend: its callers call that."""

import ast
import builtins
from collections import Counter
from pathlib import Path

import pytest

import contend

ROOT = Path(contend.__file__).parent
ROOMS = sorted(path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file())
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
}
# Methods of several classes: an interface, which callers know instead of what it hands on to.
METHODS = Counter(
    function.name
    for tree in TREES.values()
    for owner in ast.walk(tree)
    if isinstance(owner, ast.ClassDef)
    for function in owner.body
    if isinstance(function, ast.FunctionDef)
)
EXEMPT = {
    "cli/commands/doctor.py: command": "what the folder finds: its options and its help",
    "schedules/vector.py: equal_cost": "passes over the class itself, to the base behind it",
}


def is_handing_on(function: ast.FunctionDef, module: ast.Module) -> bool:
    """Whether all that a function does is to call another with its own arguments, in order."""
    body = [part for part in function.body if not isinstance(part, ast.Import | ast.ImportFrom)]
    if ast.get_docstring(function) is not None:
        body = body[1:]
    last = body[-1] if body else None
    if len(body) != 1 or not isinstance(last, ast.Return | ast.Expr) or function.decorator_list:
        return False
    call = last.value.value if isinstance(last.value, ast.YieldFrom) else last.value
    if not isinstance(call, ast.Call) or not _is_of_contend(call.func, module):
        return False
    names = _parameters(function.args)
    return bool(names) and names == [*map(ast.unparse, call.args), *map(_keyword, call.keywords)]


def _parameters(args: ast.arguments) -> list[str]:
    """Return the parameters but self and cls, as a call passes them on."""
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    names += [f"*{args.vararg.arg}"] if args.vararg else []
    names += [arg.arg for arg in args.kwonlyargs]
    return names + ([f"**{args.kwarg.arg}"] if args.kwarg else [])


def _keyword(keyword: ast.keyword) -> str:
    value = ast.unparse(keyword.value)
    if keyword.arg is None:
        return f"**{value}"
    return value if keyword.arg == value else ast.unparse(keyword)


def _is_of_contend(callee: ast.expr, module: ast.Module) -> bool:
    """Whether a call's function is a name, or an attribute of one, that no other package has."""
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    if isinstance(callee, ast.Call):
        return ast.unparse(callee) == "super()"
    foreign = {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(module)
        if isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("contend"))
        for alias in node.names
    }
    return isinstance(callee, ast.Name) and callee.id not in foreign | set(dir(builtins))


def handing_on(tree: ast.Module) -> list[str]:
    """Return the names of the functions of a module that only hand on."""
    of_interfaces = {
        function
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for function in owner.body
        if isinstance(function, ast.FunctionDef) and METHODS[function.name] > 1
    }
    return [
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and function not in of_interfaces
        and is_handing_on(function, tree)
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_only_hands_on(room):
    names = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path, tree in TREES.items()
        if ROOT / room in path.parents
        for name in handing_on(tree)
    }
    assert names == {name for name in EXEMPT if name.startswith(f"{room}/")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(a, b):\n    return g(a, b)", True),
        ("def f(a, *rest, b, **more):\n    'Say why.'\n    return g(a, *rest, b=b, **more)", True),
        ("def f(self, a):\n    yield from self.held.g(a)", True),
        ("def f(a, b):\n    return g(b, a)", False),
        ("def f(a):\n    return g(a, 1)", False),
        ("def f(a):\n    return g(b=a)", False),
        ("import numpy as np\ndef f(a):\n    return np.sort(a)", False),
        ("def f(a):\n    return sorted(a)", False),
        ("@cache\ndef f(a):\n    return g(a)", False),
        ("def f():\n    return g()", False),
        ("def f(self, a):\n    return super().f(a)", True),
        ("def f(self, a):\n    return super(B, self.other()).f(a)", False),
    ],
)
def test_handing_on_is_seen(text, expected):
    assert handing_on(ast.parse(text)) == ["f"] * expected
