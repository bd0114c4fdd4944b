"""What the recorder knows of handles."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def test_handles_are_found_as_in_a_plain_list(compiled):
    flags = ("-std=c11", "-O1", "-Wall", "-Werror", "-fsanitize=address,undefined")
    program = compiled("cc", *flags, HERE / "handles.c")
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
