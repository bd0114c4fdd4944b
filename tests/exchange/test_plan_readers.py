"""The two readers of a plan, Python's and that of the exchange library, take the same texts."""

import subprocess
from pathlib import Path

import pytest
from plan_lines import plans

from contend.alltoall.clusters.plan import parse_plan, plan_text
from contend.base.errors import FileFormatError
from contend.measure.build import source_folder
from contend.measure.mpi import installed

SOURCES = (
    "choose/plan", "choose/plan_lines", "choose/candidates", "algorithm", "ledger",
    "schedule/groups", "schedule/volume",
)  # fmt: skip


@pytest.fixture(scope="session")
def reader(tmp_path_factory):
    """The program that reads plans, of the library's own sources."""
    folder, wrappers = source_folder() / "interpose" / "exchange", installed()
    if not wrappers:
        pytest.skip("no MPI library is installed")
    program = tmp_path_factory.mktemp("reader") / "plan_reader"
    sources = [folder / f"{name}.c" for name in SOURCES]
    sources.append(Path(__file__).parent / "plan_reader.c")
    flags = ["-std=c11", "-D_GNU_SOURCE", f"-I{folder}", "-pthread", "-o", str(program)]
    subprocess.run([wrappers[0].mpicc, *flags, *map(str, sources), "-lm"], check=True, timeout=90)
    return program


def test_python_takes_what_is_to_be_taken_and_no_more():
    taken, refused = plans()
    for text in taken:
        plan = parse_plan(text)
        assert parse_plan(plan_text(plan)) == plan
    for text in refused:
        with pytest.raises(FileFormatError):
            parse_plan(text)


@pytest.mark.mpi
@pytest.mark.timeout(120)
def test_the_library_takes_what_is_to_be_taken_and_no_more(reader, tmp_path):
    taken, refused = plans()
    texts = [*taken, *refused]
    files = [tmp_path / str(number) for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text.encode())
    done = subprocess.run(
        [reader, *files], capture_output=True, text=True, errors="replace", timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    for text, said in zip(texts, done.stdout[:-1].split("\n"), strict=True):
        assert (said == "taken") == (text in taken), (text, said)
