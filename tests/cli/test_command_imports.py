"""Commands import what they need, so that they start at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support import networks

HEAVY = {"jinja2", "matplotlib", "networkx", "numpy", "pandas", "pyroute2", "scipy", "scipy.stats"}
PROGRAM = """
import json, sys
from contend.cli.app import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (["--help"], set()),
        (["tune", "--help"], set()),
        (["predict", "NETWORK", "bcast", "--algorithm", "binomial", "-n", "8", "-m", "64"],
         {"numpy"}),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_command_imports_no_more_than_it_needs(
    words: list[str], allowed: set[str], tmp_path: Path
) -> None:
    file = networks.write(tmp_path / "network.json", networks.plogp())
    given = [str(file) if word == "NETWORK" else word for word in words]
    assert HEAVY & imported(given) <= allowed


def test_a_prediction_by_fitted_forms_needs_numpy_alone(contend, samples_file, tmp_path) -> None:
    file = tmp_path / "network.json"
    assert contend("fit", samples_file(), "-o", file).code == 0
    assert "growth" in json.loads(file.read_text())["operations"][0]["forms"]
    assert HEAVY & imported(["predict", str(file), "-n", "64", "-m", "1MiB"]) == {"numpy"}


def imported(words: list[str]) -> set[str]:
    """Names of modules that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))
