"""`contend --markdown COMMAND` prints the tables of the command to paste, with the same cells."""

import pandas as pd

from contend.cli.output import markdown


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_rows_are_those_of_the_console(contend):
    lines = contend("--markdown", "algorithms", "barrier").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("|---"))
    head, rows = cells(lines[at - 1]), [cells(line) for line in lines[at + 1 :] if line[:1] == "|"]
    assert all(len(row) == len(head) for row in rows)
    known = {row["name"] for row in contend("algorithms", "barrier", "--json").json}
    assert {row[head.index("algorithm")] for row in rows} == known


def test_the_next_command_is_of_the_console_again(contend):
    assert "|---" in contend("--markdown", "algorithms", "barrier").out
    assert "|---" not in contend("algorithms", "barrier").out


def test_a_cell_keeps_to_its_line_and_column():
    assert markdown(pd.DataFrame({"a|b": ["x\ny | z"], "c": [1]})).split("\n") == [
        "| a\\|b | c |",
        "|---|---|",
        "| x y \\| z | 1 |",
    ]
