"""Programs of tests: what is left of them."""

import subprocess

import pytest

from started import started


def test_a_test_that_fails_leaves_neither_a_program_nor_pipes() -> None:
    with (
        pytest.raises(AssertionError, match="of the test"),
        started(["sleep", "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process,
    ):
        raise AssertionError("of the test")
    assert process.returncode == -9
    assert process.stdin is not None and process.stdin.closed
    assert process.stdout is not None and process.stdout.closed


def test_a_program_that_ended_keeps_its_exit_code() -> None:
    with started(["sh", "-c", "exit 3"]) as process:
        process.wait(timeout=60)
    assert process.returncode == 3
