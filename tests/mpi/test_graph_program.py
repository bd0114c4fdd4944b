"""Contention graphs over real MPI: every message is seen to end, and wrong data are told."""

from __future__ import annotations

import pytest

from contend.base.errors import LaunchError
from contend.measure.build import built_folder
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run
from contend.measure.messages import HOST, PROCESS, program_sending
from contend.samples.messages import Sent
from contend.simulate.graphs.reader import PUBLISHED
from support.processes import completed

pytestmark = pytest.mark.mpi

QUICK = LaunchOptions(
    max_seconds=0.02, min_repetitions=3, max_repetitions=3, precision=0.5, warmup=1, timeout=20
)
SIZE = 100_003
Named = tuple[str, tuple[tuple[int, int], ...]]
ODD: list[Named] = [
    ("parallel messages", ((0, 1), (0, 1), (1, 0))),
    ("a node without messages", ((1, 3),)),
]


def points(mpi, graphs, n, is_node_host=False, more=None):
    sent = [Sent("graph", edges, name) for name, edges in graphs]
    with program_sending(mpi, sent, 1, HOST if is_node_host else PROCESS) as program:
        command = command_line(mpi, program, n, [SIZE], QUICK)
        variables = settings(mpi, n, QUICK) | dict(more or {})
        lines = list(run(command, variables, QUICK.timeout, QUICK.timeout))
    return [line for line in lines if line["kind"] == "point"]


def test_every_message_of_every_graph_has_an_end(mpi):
    graphs = [*PUBLISHED.items(), *ODD]
    found = points(mpi, graphs, 7)
    assert [point["algorithm"].partition(":")[0] for point in found] == [
        str(number) for number in range(len(graphs))
    ]
    for point, (_, edges) in zip(found, graphs, strict=True):
        assert len(point["part_ends_s"]) == len(point["times_s"]) > 0
        for ends, last in zip(point["part_ends_s"], point["times_s"], strict=True):
            assert len(ends) == len(edges)
            assert min(ends) > 0
            assert max(ends) <= last  # the last process is done when all messages are


def test_a_launch_on_too_few_hosts_is_told(mpi):
    with pytest.raises(LaunchError) as caught:
        points(mpi, [("pair", ((0, 1),))], 2, is_node_host=True)
    assert "a graph has a node 1, and the launch has 1 hosts" in caught.value.message


# Spoils the last byte of the message whose tag is 1, the second of its graph.
SPOILER = """
#include <mpi.h>
int MPI_Isend(const void *data, int count, MPI_Datatype type, int dst, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (tag == 1 && count > 100000)
        ((unsigned char *)data)[count - 1] ^= 1;
    return PMPI_Isend(data, count, type, dst, tag, comm, request);
}
"""


def test_a_wrong_byte_is_told(mpi, compiled, tmp_path):
    source = tmp_path / "spoiler.c"
    source.write_text(SPOILER)
    spoiler = compiled(mpi.mpicc, "-shared", "-fPIC", "-O1", source)
    with pytest.raises(LaunchError, match="wrong data on rank 2") as caught:
        points(mpi, [("fan", ((0, 1), (0, 2)))], 3, more={"LD_PRELOAD": str(spoiler)})
    assert "message 2, from node 0 to node 2" in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1 is not the first of a file of graphs"),
        ("contend-graphs 2\na 0>1\n", "line 1 is not the first"),
        ("contend-graphs 1\n", "line 1 is the last"),
        ("contend-graphs 1\na 0>1\n\n", "line 3 is empty"),
        ("contend-graphs 1\na\n", "line 2 has no edge"),
        ("contend-graphs 1\na 0>1 0>0\n", "line 2 has an edge that is none"),
        ("contend-graphs 1\na 0>-1\n", "line 2 has an edge that is none"),
        ("contend-graphs 1\na 0>1x\n", "line 2 has an edge that is none"),
        ("contend-graphs 1\na 0>99999999\n", "line 2 has an edge that is none"),
        ("contend-graphs 1\na 0>4294967297\n", "line 2 has an edge that is none"),
        ("contend-graphs 1\na" + " 0>1" * 4097, "line 2 has too many edges"),
    ],
)
def test_a_file_that_is_none_is_refused(mpi, tmp_path, content, message):
    path = tmp_path / "graphs"
    path.write_text(content)
    command = [built_folder(mpi) / "graph", path, "process", "--sizes", "8"]
    done = completed(command, timeout=20)
    assert done.returncode == 2
    assert message in done.stderr


# No memory for a name of 54320 bytes and its end.
MISER = """
#include <stddef.h>
void *__libc_malloc(size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t bytes) { return bytes == 54321 ? NULL : __libc_malloc(bytes); }
void *realloc(void *memory, size_t bytes)
{
    return bytes == 54321 ? NULL : __libc_realloc(memory, bytes);
}
"""


def test_without_memory_it_ends_before_mpi_has_begun(mpi, compiled, tmp_path):
    source, graphs = tmp_path / "miser.c", tmp_path / "graphs"
    source.write_text(MISER)
    graphs.write_text(f"contend-graphs 1\n{'a' * 54320} 0>1\n")
    miser = compiled(mpi.mpicc, "-shared", "-fPIC", source)
    command = [built_folder(mpi) / "graph", graphs, "process", "--sizes", "8"]
    done = completed(command, env={"LD_PRELOAD": miser}, timeout=20)
    assert done.returncode == 1
    assert done.stderr.startswith("contend: no memory: 54321 bytes wanted for the name of a graph")
    assert done.stderr.count("\n") == 1  # and no word from MPI, which must not be called yet
    done = completed([built_folder(mpi) / "graph", "graphs", "cluster"], timeout=20)
    assert (done.returncode, "process or host" in done.stderr) == (2, True)
