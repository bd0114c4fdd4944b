"""No name of a file of others moves the cursor of a terminal, whichever command shows it."""

import json
import os
import re

import pytest

from contend.cli import output, result
from contend.cli.visible import visible
from support import synthesis

NAME = "a\x1b]0;x\x07\x9b31mb\x08\x7f\u202ec\u2066"
SHOWN = r"a\x1b]0;x\x07\x9b31mb\x08\x7f\u202ec\u2066"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
TRACE = "0 init\n0 send 1 0 8\n0 {}\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n"


@pytest.fixture
def files(contend, tmp_path, monkeypatch):
    """A folder of files that hold the name wherever one can stand."""
    monkeypatch.chdir(tmp_path)
    synthesis.save([*synthesis.pingpong(1e-5, 1e-9)], tmp_path / "good.jsonl")
    text = (tmp_path / "good.jsonl").read_text()
    named = text.replace('"planted"', json.dumps(NAME)).replace('"hosts":[]', '"hosts":["{}"]')
    (tmp_path / "samples.jsonl").write_text(named.replace("{}", json.dumps(NAME)[1:-1]))
    contend("fit", "good.jsonl", "-o", "network.json")
    network = (tmp_path / "network.json").read_text()
    (tmp_path / "named.json").write_text(
        network.replace('"name": "good"', f'"name": {json.dumps(NAME)}')
        .replace('"planted"', json.dumps(NAME))
        .replace("there is no sample", json.dumps(NAME)[1:-1])
    )
    (tmp_path / "flows.csv").write_text(f"src,dst,bytes\n{NAME},b{NAME},1000\n")
    (tmp_path / f"{NAME}.csv").write_text("src,dst\n0,1\n")
    (tmp_path / "trace.txt").write_text(TRACE.format(NAME))
    (tmp_path / f"{NAME}.txt").write_text(TRACE.format("compute"))
    (tmp_path / "script.sh").write_text(f"#!/bin/sh\nexport I_MPI_ADJUST_BCAST='{NAME}'\n")
    return tmp_path


COMMANDS = [
    "solve flows.csv --bandwidth 1GBps", "solve {}.csv --bandwidth 1GBps",
    "solve {} --bandwidth 1GBps", "solve flows.csv --bandwidth {}",
    "trace show trace.txt", "trace show {}.txt", "trace show {}",
    "trace show trace.txt --format {}",
    "replay trace.txt --network network.json", "replay {}.txt --network named.json",
    "replay trace.txt --network {}", "fit samples.jsonl", "fit {}", "fit samples.jsonl -o {}",
    "validate named.json samples.jsonl", "validate {} samples.jsonl", "validate network.json {}",
    "predict named.json -n 8 -m 1KiB", "predict network.json -n {}", "choose named.json -n 8",
    "diff named.json network.json", "algorithms {}",
    "tune lint script.sh", "tune lint flows.csv", "tune lint {}",
    "tune lint flows.csv --library {}",
    "list groups {} --hosts {}", "import {} -o x.jsonl",
    "import flows.csv -o x.jsonl --format {}",
    "explain named.json samples.jsonl", "bound {}", "plan {}", "job --scheduler {}", "{}",
    "tune {}", "solve --{}", "solve flows.csv --model {}", "lab {} -- true",
    "schema {}", "--markdown solve flows.csv --bandwidth 1GBps", "draw {}",
]  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_what_a_command_shows_holds_no_control_character(contend, files, line) -> None:
    words = [word.replace("{}", NAME) for word in line.split()]
    outcome = contend(*words)
    assert HIDDEN.findall(outcome.out) == []
    assert HIDDEN.findall(outcome.err) == []


@pytest.mark.parametrize(
    "line",
    ["solve flows.csv --bandwidth 1GBps", "trace show trace.txt", "fit {}", "tune {}",
     "validate {} samples.jsonl", "solve --{}", "trace show {}"],
)  # fmt: skip
def test_a_name_is_shown_as_it_is_written_in_python(contend, files, line) -> None:
    outcome = contend(*(word.replace("{}", NAME) for word in line.split()))
    shown = re.sub(r"[\s│]", "", outcome.out + outcome.err).replace("\\\\", "\\")
    assert SHOWN in shown


def test_a_column_is_as_wide_as_what_is_shown(contend, files) -> None:
    lines = contend("solve", "flows.csv", "--bandwidth", "1GBps").out.splitlines()
    widths = {len(line) for line in lines if "src" in line or "x1b" in line}
    assert len(widths) == 1


def test_notes_warnings_and_errors_are_shown_so(capsys) -> None:
    from contend.base.errors import InvalidInputError

    output.note(NAME)
    output.show_error(InvalidInputError(NAME, NAME))
    output.show_warning(NAME, UserWarning, "", 0)
    with output.progress_bar() as bar:
        bar.add_task(NAME, total=1)
    output.show_table({NAME: [NAME]}, NAME)
    streams = capsys.readouterr()
    assert HIDDEN.findall(streams.out + streams.err) == []
    assert streams.err.replace("\n", "").count(SHOWN) >= 4
    assert streams.out.replace("\n", "").count(SHOWN) == 3


def test_a_name_of_a_file_that_is_no_text_is_shown() -> None:
    assert visible(os.fsdecode(b"a\xffb")) == r"a\udcffb"
    assert visible("a\tb\nc é ☃") == "a\tb\nc é ☃"


def test_json_escapes_by_itself(capsys) -> None:
    result.show_json({NAME: NAME})
    shown = capsys.readouterr().out
    assert HIDDEN.findall(shown) == []
    assert json.loads(shown) == {NAME: NAME}
