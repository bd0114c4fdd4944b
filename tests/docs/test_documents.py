"""What the documents show is true: examples validate, links lead somewhere."""

import json
import re
import runpy
import shlex
from pathlib import Path

import jsonschema
import pytest

from contend.api.schemas import FORMATS, schema_text
from contend.base.document import from_object
from support import commands

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
JSON_BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)
COMMENT = re.compile(r"<!-- table: (.+?) \| commit ")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def examples():
    return [
        pytest.param(json.loads(block), id=f"{page.name}-{number}")
        for page in PAGES
        for number, block in enumerate(JSON_BLOCK.findall(page.read_text()))
    ]


@pytest.mark.parametrize("example", examples())
def test_every_json_example_validates(example):
    name = example["schema"].removeprefix("contend.")
    jsonschema.validate(example, json.loads(schema_text(name)))
    from_object(FORMATS[name], example, "the example")


def test_every_format_has_an_example():
    shown = {example.values[0]["schema"] for example in examples()}
    assert shown == {"contend.samples", "contend.network", "contend.topology", "contend.sweep"}


def test_every_link_leads_to_a_file():
    for page in PAGES:
        for target in LINK.findall(page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_command_above_each_table_is_one_that_there_is():
    """Those of contend are parsed, and modules of benchmarks are there."""
    for page in PAGES:
        for line in COMMENT.findall(page.read_text()):
            for part in commands.parts(re.sub(r'"\$(\w+)"', r"\1", line)):
                words = [word for word in shlex.split(part) if word != "--markdown"]
                if words[0] == "contend":
                    commands.parse(words[1:])
                elif "-m" in words and (name := words[words.index("-m") + 1]).startswith("bench"):
                    place = ROOT.joinpath(*name.split("."))
                    is_there = place.with_suffix(".py").exists() or place.is_dir()
                    assert is_there, f"{page}: {line}"


def test_every_kind_of_warning_is_explained():
    from typing import get_args

    from contend.samples.warnings import Kind

    text = (ROOT / "docs" / "measuring.md").read_text()
    assert [kind for kind in get_args(Kind) if f"`{kind}`" not in text] == []


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_every_example_runs(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert "seconds" in capsys.readouterr().out
