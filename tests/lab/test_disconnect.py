"""The preloaded library that lets ranks that end answer their peers: with a UCX that counts."""

import errno
import os
import shutil
import subprocess
import sys

import pytest

from support.processes import completed

FLAGS = ["-std=c11", "-O2", "-Wall", "-Werror", "-shared", "-fPIC"]

# Writes to the launcher's descriptor when it was asked to progress three times in a row.
UCX = """
#include <stdlib.h>
#include <unistd.h>

static int asked, to_launcher;
int ucp_worker_create(void *context, const void *parameters, void **worker)
{
    (void)context, (void)parameters;
    to_launcher = atoi(getenv("TO_LAUNCHER"));
    *worker = &asked;
    return 0;
}
void ucp_worker_destroy(void *worker) { (void)worker; }
unsigned ucp_worker_progress(void *worker)
{
    if (worker == &asked && ++asked == 3 && write(to_launcher, "done", 4) != 4)
        abort();
    return 0;
}
void *ucp_disconnect_nb(void *endpoint) { return endpoint; }
int times_asked(void) { return asked; }
"""
# What of MPICH calls UCX; beneath it alone where a program opens it in a scope of its own.
MPICH = """
#include <unistd.h>

int ucp_worker_create(void *context, const void *parameters, void **worker);
void ucp_worker_destroy(void *worker);
void *ucp_disconnect_nb(void *endpoint);
int times_asked(void);

static void *worker;
int begin(void) { return ucp_worker_create(NULL, NULL, &worker); }
long disconnect(long endpoint) { return (long)ucp_disconnect_nb((void *)endpoint); }
void end(void) { ucp_worker_destroy(worker); }
int asked(void) { return times_asked(); }
"""
DRIVER = """
import ctypes, os, sys

reader, writer = os.pipe()
os.environ.update(PMI_FD=str(reader), TO_LAUNCHER=str(writer))
mpich = ctypes.CDLL(sys.argv[1], mode=getattr(ctypes, sys.argv[2]))
libc = ctypes.CDLL(None, use_errno=True)

def read(descriptor=reader):
    into = ctypes.create_string_buffer(16)
    ctypes.set_errno(0)
    length = libc.read(descriptor, into, 16)
    return length, ctypes.get_errno(), into.value

"""


@pytest.fixture(scope="session")
def mpich(tmp_path_factory, shim):
    """What stands for MPICH over a UCX that counts."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    place = tmp_path_factory.mktemp("disconnect")
    beneath: list[str] = []
    for name, text in (("ucp", UCX), ("mpich", MPICH)):
        source = place / f"{name}.c"
        source.write_text(text)
        built = place / f"lib{name}.so"
        subprocess.run([compiler, *FLAGS, source, "-o", built, *beneath], check=True)
        beneath = [str(built), f"-Wl,-rpath,{place}"]
    return built


@pytest.fixture(params=["RTLD_GLOBAL", "RTLD_LOCAL"])
def told(request, shim, mpich):
    """What a script prints that has opened MPI, under the library."""

    def run(script):
        words = [sys.executable, "-c", DRIVER + script, mpich, request.param]
        return completed(words, env={"LD_PRELOAD": shim}, timeout=30, check=True).stdout.strip()

    return run


def test_a_rank_that_ends_answers_until_its_launcher_speaks(told):
    script = """
mpich.begin()
mpich.disconnect.argtypes, mpich.disconnect.restype = [ctypes.c_long], ctypes.c_long
print(mpich.disconnect(17), read(), mpich.asked())
"""
    assert told(script) == "17 (4, 0, b'done') 3"


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ("mpich.begin()", "no connection is being closed"),
        ("mpich.begin(); mpich.disconnect(1); mpich.end()", "its worker is gone"),
        ("del os.environ['PMI_FD']; mpich.begin(); mpich.disconnect(1)", "no launcher is known"),
    ],
)
def test_others_read_as_ever(told, first, why):
    script = f"""
{first}
os.set_blocking(reader, False)
print(read(), mpich.asked())
"""
    assert told(script) == f"(-1, {errno.EAGAIN}, b'') 0", why


def test_other_descriptors_are_read_as_ever(told):
    script = """
mpich.begin()
mpich.disconnect(1)
other, into = os.pipe()
os.write(into, b"file")
print(read(other), read(-1)[:2], mpich.asked())
"""
    assert told(script) == f"(4, 0, b'file') (-1, {errno.EBADF}) 0"
