"""What the recorder knows of handles."""

from pathlib import Path

from support.processes import completed

HERE = Path(__file__).parent


def test_handles_are_found_as_in_a_plain_list(compiled):
    flags = ("-std=c11", "-O1", "-Wall", "-Werror", "-fsanitize=address,undefined")
    program = compiled("cc", *flags, HERE / "handles.c")
    done = completed([program], timeout=60)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
