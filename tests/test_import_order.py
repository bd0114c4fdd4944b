import subprocess
import sys

from layout import GROUND, ORDER, ROOT, imported, top

FIRST = (*GROUND, "_core")
RANK = dict.fromkeys(FIRST, 0) | {
    name: rank for rank, name in enumerate((*ORDER, "__main__"), start=1)
}


FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def test_the_order_has_every_module_and_folder_and_no_other():
    there = {top(path) for path in FILES} | {top(path) for path in ROOT.glob("*.pyi")}
    assert there == RANK.keys()


def test_nothing_imports_to_its_right():
    wrong = [
        f"{path.relative_to(ROOT)}, line {line}: {top(path)} imports {name}"
        for path in FILES
        for name, line in imported(path)
        if name != top(path) and RANK.get(name, len(RANK)) > RANK[top(path)]
    ]
    assert not wrong


def test_the_package_itself_imports_nothing_until_a_name_is_used():
    program = (
        "import sys, contend\n"
        "print([name for name in sys.modules if name.startswith('contend.') or name == 'numpy'])\n"
        "contend.solve\n"
        "print('contend.api.flows' in sys.modules, 'contend.api.network' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().split("\n")[:2] == ["[]", "True False"]


def test_the_first_group_has_no_cycle():
    uses = {
        name: {other for other, _ in imported(ROOT / f"{name}.py")} - {name}
        for name in FIRST
        if (ROOT / f"{name}.py").is_file()
    }
    while free := [name for name, others in uses.items() if not others & uses.keys()]:
        for name in free:
            del uses[name]
    assert not uses
