#!/usr/bin/env bash
# MPICH 5.0.2, nothing tuned: MPI_Reduce_scatter_block of a type with padding behind its data.
#
# Expected: right results for any valid type. The type below is a pair of unsigned whose extent is
# 12 bytes instead of 8, as of a struct with a member that is not sent; the operation is
# associative and was declared not to commute.
# Seen: wrong on 2 ranks, right on 3; no error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mpich==5.0.2
bin=$folder/env/bin

cat >"$folder/padded.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    unsigned a, b, unsent;
};

/* x -> a x + b, applied from the left to the right: associative, does not commute. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    const struct pair *l = left;
    struct pair *r = right;
    (void)type;
    for (int i = 0; i < *count; i++) {
        const unsigned a = l[i].a * r[i].a, b = l[i].b * r[i].a + r[i].b;
        r[i].a = a, r[i].b = b;
    }
}

static struct pair given(int rank, int block)
{
    return (struct pair){2u * (unsigned)rank + 3u, 7u * (unsigned)rank + (unsigned)block, 0u};
}

static int wrong(int rank, int ranks)
{
    MPI_Datatype data, type;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &data);
    MPI_Type_create_resized(data, 0, sizeof(struct pair), &type);
    MPI_Type_commit(&type);
    MPI_Op op;
    MPI_Op_create(compose, 0, &op);
    struct pair *mine = malloc(sizeof(struct pair) * (size_t)ranks), got = {0}, due = given(0, rank);
    for (int block = 0; block < ranks; block++)
        mine[block] = given(rank, block);
    MPI_Reduce_scatter_block(mine, &got, 1, type, op, MPI_COMM_WORLD);
    for (int from = 1; from < ranks; from++) {
        struct pair next = given(from, rank);
        compose(&due, &next, &(int){1}, &type);
        due = next;
    }
    int one = got.a != due.a || got.b != due.b, all;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(mine);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Type_free(&data);
    return all;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int count = wrong(rank, ranks);
    if (rank == 0)
        printf("%d of %d ranks wrong\n", count, ranks);
    MPI_Finalize();
    return 0;
}
C
"$bin/mpicc" -o "$folder/padded" "$folder/padded.c"
"$bin/mpichversion" | head -1
seen=
for ranks in 2 3; do
  result=$("$bin/mpiexec" -n "$ranks" "$folder/padded")
  echo "$result"
  seen+="$result;"
done
[ "$seen" = "1 of 2 ranks wrong;0 of 3 ranks wrong;" ]
