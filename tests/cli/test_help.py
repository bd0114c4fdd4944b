"""Every command explains itself; every format has a published schema."""

import json
import pkgutil

import pytest

from contend.cli import commands
from contend.cli.folder import PANELS
from contend.schemas import FORMATS

NAMES = [
    found.name.rstrip("_").replace("_", "-") for found in pkgutil.iter_modules(commands.__path__)
]


@pytest.mark.parametrize("name", NAMES)
def test_help_shows_an_example_of_the_command(contend, name):
    outcome = contend(name, "--help")
    assert outcome.code == 0
    assert f"Example: contend {name}" in " ".join(outcome.out.split())


def test_the_main_help_lists_every_command(contend):
    text = contend("--help").out
    assert all(name in text for name in NAMES)
    assert "--install-completion" in text


def test_the_version_is_that_of_the_package(contend):
    from contend import __version__

    assert contend("--version").out.strip() == f"contend {__version__}"


@pytest.mark.parametrize("name", FORMATS)
def test_the_schema_of_every_format_is_printed_as_json(contend, name):
    schema = json.loads(contend("schema", name).out)
    assert schema["properties"]["schema"] == {"const": FORMATS[name].schema_name}


def test_commands_stand_in_panels_whose_order_is_given(contend):
    heads = [line.split()[1] for line in contend("--help").out.splitlines() if line[:2] == "╭─"]
    shown = [head for head in heads if head != "Options"]
    assert shown == [panel for panel in PANELS if panel in shown]
    assert {"Begin", "Measure", "Model", "Decide", "Apply", "Simulate", "Inspect"} <= set(shown)
