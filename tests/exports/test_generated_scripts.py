"""Scripts put together at random: a variable is found in its line, and nothing else is.

A shell script is also run by bash, whose launchers keep what a program would get.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.tune.exports import FORMATS
from contend.tune.exports.settings import is_script, settings_in

NAMES = ("I_MPI_ADJUST_BCAST", "I_MPI_ADJUST_ALLREDUCE", "I_MPI_ADJUST_ALLGATHER")
VALUES = ("1", "2", "1:0-1024;2:1025-2147483647", "2:0-8;1:9-2147483647")
REVERSED = "1:1024-0;2:1025-2147483647"
LANGUAGES = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text())

# Launchers that keep the environment and their words, as a program would get them.
LAUNCHERS = """
show() { env -0 >> "$HOME/seen"; printf '%s\\0' "$@" >> "$HOME/seen"; }
mpirun() { show "$@"; }
mpiexec() { show "$@"; }
"""


Writer = Callable[[Callable[..., str], dict[str, str]], str]


@dataclass(frozen=True)
class Script:
    """A text that sets `name` to `value` in `line`."""

    text: str
    name: str
    value: str
    line: int


def _shell_word(draw: st.DrawFn, value: str) -> str:
    """Write a value as one word whose parts stand in marks of different kinds."""
    cuts = sorted(draw(st.sets(st.integers(0, len(value)), max_size=3)) | {0, len(value)})
    parts = [value[a:b] for a, b in pairwise(cuts)]
    kinds = ('"{}"', "'{}'", "$'{}'", None)
    words = []
    for part in parts:
        kind = draw(st.sampled_from(kinds))
        words.append(kind.format(part) if kind else part.replace(";", "\\;"))
    return "".join(words)


def _word(draw: st.DrawFn, language: str, value: str) -> str:
    if language == "sh":
        return _shell_word(draw, value)
    marks = {"csh": ('"{}"', "'{}'"), "tcl": ('"{}"', "{{{}}}"), "fish": ('"{}"', "'{}'"),
             "lua": ('"{}"', "'{}'", "[[{}]]")}  # fmt: skip
    return draw(st.sampled_from(marks[language])).format(value)


@st.composite
def scripts(draw: st.DrawFn, language: str, values: tuple[str, ...] = VALUES) -> Script:
    """Draw a script of unrelated lines and one that sets a variable."""
    name, value = draw(st.sampled_from(NAMES)), draw(st.sampled_from(values))
    lines = st.lists(st.sampled_from(LANGUAGES[language]["unrelated"]), max_size=6)
    before = draw(st.sampled_from(LANGUAGES[language]["headers"]))
    before += "".join(f"{line.format(n=name)}\n" for line in draw(lines))
    form = draw(st.sampled_from(LANGUAGES[language]["forms"])).format(
        n=name, w=_word(draw, language, value)
    )
    indent = draw(st.sampled_from(("", "  ", "\t")))
    after = "".join(f"{line.format(n=name)}\n" for line in draw(lines))
    text = before + indent + form + "\n" + after
    ends = draw(st.sampled_from(("\n", "\r\n"))) if language in ("tcl", "lua") else "\n"
    setting = form.index(name)
    return Script(text.replace("\n", ends), name, value, (before + form[:setting]).count("\n") + 1)


def _check(script: Script) -> None:
    assert is_script(script.text)
    mine = [each for each in settings_in(script.text) if each.name in NAMES]
    read = [(each.value, each.line, each.is_known) for each in mine if each.is_read]
    assert read == [(script.value, script.line, True)], script.text
    intel = FORMATS.get("intel")
    assert intel.recognises(script.text)
    assert intel.lint(script.text, intel.first) == [], script.text
    recognising = [each.name for each in FORMATS.all() if each.recognises(script.text)]
    assert recognising == ["intel"], script.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_variable_is_found_in_its_line_and_nothing_else_is(language: str) -> None:
    run = settings(max_examples=150, derandomize=True, deadline=None)(
        given(scripts(language))(_check)
    )
    run()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_value_is_an_error_of_its_line_alone(language: str) -> None:
    intel = FORMATS.get("intel")

    def check(script: Script) -> None:
        found = [(each.level, each.line) for each in intel.lint(script.text, intel.first)]
        assert [line for level, line in found if level == "error"] == [script.line], script.text
        assert {line for _, line in found} == {script.line}, script.text

    run = settings(max_examples=60, derandomize=True, deadline=None)(
        given(scripts(language, (REVERSED,)))(check)
    )
    run()


def _by_bash(text: str, name: str, folder: Path) -> set[str]:
    """Return the values that programs get, from the environment or from options."""
    seen = folder / "seen"
    seen.unlink(missing_ok=True)
    head, _, rest = text.partition("\n")
    subprocess.run(
        ["bash", "-c", f"{head}\n{LAUNCHERS}{rest}\nshow\n"],
        capture_output=True, cwd=folder, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        check=False, timeout=60,
    )  # fmt: skip
    words = seen.read_text().split("\0")
    values = {word.removeprefix(f"{name}=") for word in words if word.startswith(f"{name}=")}
    return values | {after for word, after in pairwise(words) if word == name}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_the_value_is_what_bash_gives_to_a_program(tmp_path: Path) -> None:
    @settings(max_examples=100, derandomize=True, deadline=None)
    @given(scripts("sh"))
    def check(script: Script) -> None:
        given_ = _by_bash(script.text, script.name, tmp_path)
        (mine,) = [
            each for each in settings_in(script.text) if each.name == script.name and each.is_read
        ]
        assert given_ == {mine.value}, script.text

    check()


PARAMETERS = st.dictionaries(
    st.sampled_from(
        ("coll_tuned_use_dynamic_rules", "coll_tuned_bcast_algorithm", "coll_base_verbose",
         "coll_tuned_alltoall_algorithm_segmentsize", "btl_tcp_if_include", "coll_han_priority")
    ),
    st.sampled_from(("0", "1", "6", "65536", "eth0")), min_size=1, max_size=5,
)  # fmt: skip
FILLERS = ("", "# coll_tuned_bcast_algorithm = 9", "   ", "#", "  # of the site")


def _options(draw: st.DrawFn, parameters: dict[str, str]) -> str:
    """Write parameters as options of mpirun, over several lines."""
    text = "mpirun"
    for name, value in parameters.items():
        option = draw(st.sampled_from(("--mca", "-mca", "--gmca", "--omca")))
        mark = draw(st.sampled_from(("", "'", '"')))
        text += draw(st.sampled_from((" ", " -np 4 ", " \\\n    ", " --bind-to core \\\n ")))
        text += f"{option} {name} {mark}{value}{mark}"
    return f"#!/bin/bash\n{text} ./app --mca x\n"


def _lines(draw: st.DrawFn, parameters: dict[str, str]) -> str:
    """Write parameters as openmpi-mca-params.conf has them."""
    text = "".join(f"{draw(st.sampled_from(FILLERS))}\n" for _ in range(draw(st.integers(0, 3))))
    for name, value in parameters.items():
        between = draw(st.sampled_from((" = ", "=", "\t=  ")))
        comment = draw(st.sampled_from(("", "  # as measured", " ")))
        mark = draw(st.sampled_from(("", "'", '"')))
        text += (
            f"{name}{between}{mark}{value}{mark}{comment}\n"
            + draw(st.sampled_from(("", *FILLERS)))
            + "\n"
        )
    return text


def _exports(draw: st.DrawFn, parameters: dict[str, str]) -> str:
    """Write parameters as variables of a shell."""
    lines = (f"export OMPI_MCA_{name}={_shell_word(draw, value)}\n"
             for name, value in parameters.items())  # fmt: skip
    return "#!/bin/sh\n" + draw(st.sampled_from(("", "\n", "set -e\n"))) + "".join(lines)


def _line_of(name: str, text: str) -> int:
    """Return the line in which a name stands outside of comments."""
    lines = enumerate(text.splitlines(), 1)
    return next(n for n, line in lines if name in line.partition("#")[0])


@pytest.mark.parametrize("write", [_options, _lines, _exports])
def test_each_parameter_of_open_mpi_is_found_with_value_and_line(write: Writer) -> None:
    @settings(max_examples=80, derandomize=True, deadline=None)
    @given(st.data(), PARAMETERS)
    def check(data: st.DataObject, parameters: dict[str, str]) -> None:
        text = write(data.draw, parameters)
        expected = [
            (f"OMPI_MCA_{name}", value, _line_of(name, text)) for name, value in parameters.items()
        ]
        read = [(each.name, each.value, each.line) for each in settings_in(text) if each.is_read]
        assert read == expected, text

    check()
