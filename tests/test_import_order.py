import subprocess
import sys

import pytest

import contend.api
from layout import ROOMS, ROOT, imported, modules, part, top

RANK = {"_core": 0} | {name: rank for rank, name in enumerate((*ROOMS, "__main__"), start=1)}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def test_the_order_has_every_module_and_folder_and_no_other():
    there = {top(path) for path in FILES} | {top(path) for path in ROOT.glob("*.pyi")}
    assert there == RANK.keys()
    for room, parts in ROOMS.items():
        inside = {path.stem for path in (ROOT / room).iterdir()} - {"__pycache__", "__init__"}
        assert inside >= set(parts.split()) - {"."}, room
        assert "." in parts.split() or inside == set(parts.split()), room


def test_nothing_imports_what_stands_below_its_room():
    wrong = [
        f"{path.relative_to(ROOT)}, line {line}: {top(path)} imports {name}"
        for path in FILES
        for name, line in imported(path)
        if name != top(path) and RANK.get(name, len(RANK)) > RANK[top(path)]
    ]
    assert not wrong


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_imports_to_its_right_within_a_room(room):
    order = ROOMS[room].split()
    wrong = []
    for path in (ROOT / room).rglob("*.py"):
        mine = part(room, path.relative_to(ROOT / room).with_suffix("").parts)
        for names, line in modules(path):
            if names[:1] == [room]:
                other = part(room, names[1:])
                if mine not in order or order.index(other) > order.index(mine):
                    wrong.append(f"{path.relative_to(ROOT)}, line {line}: imports {other}")
    assert not wrong


def test_the_command_line_calls_the_door_alone():
    called = {name for path in (ROOT / "cli").rglob("*.py") for name, _ in imported(path)}
    assert called == {"cli", "api"}


def test_no_public_name_is_that_of_a_module():
    public = set(contend.api.places())
    assert not public & {path.stem for path in (ROOT / "api").iterdir()}
    assert not public & {path.stem for path in ROOT.iterdir()}


def test_the_package_itself_imports_nothing_until_a_name_is_used():
    program = (
        "import sys, contend\n"
        "print([name for name in sys.modules if name.startswith('contend.') or name == 'numpy'])\n"
        "contend.solve\n"
        "print('contend.api.flows' in sys.modules, 'contend.api.network' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().split("\n")[:2] == ["[]", "True False"]
