#!/usr/bin/env bash
# Intel MPI 2021.18: I_MPI_ADJUST_REDUCE_SCATTER_BLOCK=2 and operations that do not commute.
#
# Expected: a preset that cannot serve an operation is left for another one, as Intel MPI does for
# all presets of MPI_Reduce and MPI_Allreduce; so 0 ranks wrong, with it and without.
# Seen: without it right; with it wrong on numbers of ranks that are powers of two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check impi-rt==2021.18.1 impi-devel==2021.18.1
bin=$folder/env/bin
export I_MPI_ROOT=$folder/env I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork

cat >"$folder/block.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* x -> a x + b, applied from the left to the right: associative, does not commute. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    unsigned *l = left, *r = right;
    (void)type;
    for (int i = 0; i < *count; i++, l += 2, r += 2) {
        const unsigned a = l[0] * r[0], b = l[1] * r[0] + r[1];
        r[0] = a, r[1] = b;
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
    MPI_Type_commit(&pair);
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    unsigned *mine = malloc(sizeof(unsigned[2]) * (size_t)ranks), got[2];
    for (int block = 0; block < ranks; block++)
        mine[2 * block] = 2u * (unsigned)rank + 3u, mine[2 * block + 1] = 7u * (unsigned)rank + (unsigned)block;
    MPI_Reduce_scatter_block(mine, got, 1, pair, op, MPI_COMM_WORLD);
    unsigned due[2] = {3u, (unsigned)rank};
    for (int from = 1; from < ranks; from++) {
        unsigned next[2] = {2u * (unsigned)from + 3u, 7u * (unsigned)from + (unsigned)rank};
        compose(due, next, &(int){1}, &pair);
        due[0] = next[0], due[1] = next[1];
    }
    wrong = got[0] != due[0] || got[1] != due[1];
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of %d ranks wrong\n", all, ranks);
    free(mine);
    MPI_Finalize();
    return 0;
}
C
"$bin/mpicc" -o "$folder/block" "$folder/block.c"
export LD_LIBRARY_PATH=$folder/env/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$bin/mpiexec" --version | head -1
for ranks in 2 3 4 6 8; do
  without=$("$bin/mpiexec" -n "$ranks" "$folder/block")
  with=$("$bin/mpiexec" -genv I_MPI_ADJUST_REDUCE_SCATTER_BLOCK 2 -n "$ranks" "$folder/block")
  echo "without: $without; with preset 2: $with"
done | tee "$folder/seen"
diff - "$folder/seen" <<'T'
without: 0 of 2 ranks wrong; with preset 2: 1 of 2 ranks wrong
without: 0 of 3 ranks wrong; with preset 2: 0 of 3 ranks wrong
without: 0 of 4 ranks wrong; with preset 2: 3 of 4 ranks wrong
without: 0 of 6 ranks wrong; with preset 2: 0 of 6 ranks wrong
without: 0 of 8 ranks wrong; with preset 2: 7 of 8 ranks wrong
T
