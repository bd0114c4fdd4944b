#!/usr/bin/env bash
# Intel MPI 2021.18, nothing tuned: MPI_Allgather that sends by one type and receives by another.
#
# Expected: types of one signature may differ between sender and receiver (MPI 4.1, 6.7), so that a
# pair sent as one element of a contiguous type may be received as two plain ones; so 0 wrong.
# Seen: right on 2 to 4 ranks; on 6 and 8 ranks nearly all elements are wrong, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check impi-rt==2021.18.1 impi-devel==2021.18.1
bin=$folder/env/bin
export I_MPI_ROOT=$folder/env I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork

cat >"$folder/gather.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_UINT32_T, &pair);
    MPI_Type_commit(&pair);
    const unsigned mine[2] = {100u + (unsigned)rank, 200u + (unsigned)rank};
    unsigned *got = calloc(2 * (size_t)ranks, sizeof *got);
    MPI_Allgather(mine, 1, pair, got, 2, MPI_UINT32_T, MPI_COMM_WORLD);
    int wrong = 0, all;
    for (int from = 0; from < ranks; from++)
        wrong += (got[2 * from] != 100u + (unsigned)from) + (got[2 * from + 1] != 200u + (unsigned)from);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %d of %d elements wrong\n", ranks, all, 2 * ranks * ranks);
    free(got);
    MPI_Finalize();
    return 0;
}
C
"$bin/mpicc" -o "$folder/gather" "$folder/gather.c"
export LD_LIBRARY_PATH=$folder/env/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$bin/mpiexec" --version | head -1
for ranks in 2 3 4 6 8; do
  "$bin/mpiexec" -n "$ranks" "$folder/gather"
done | tee "$folder/seen"
diff - "$folder/seen" <<'T'
2 ranks: 0 of 8 elements wrong
3 ranks: 0 of 18 elements wrong
4 ranks: 0 of 32 elements wrong
6 ranks: 66 of 72 elements wrong
8 ranks: 120 of 128 elements wrong
T
