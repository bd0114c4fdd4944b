#!/usr/bin/env bash
# Intel MPI Benchmarks 2021.11 (of impi-rt 2021.18): what the first column of Reduce_scatter means.
#
# Expected: the bytes of the vector that is reduced, as OSU's osu_reduce_scatter prints and as IMB
# itself prints for Reduce and Allreduce; 64 then means 16 B for each of 4 ranks.
# Seen: in the row of 64 B, on 4 ranks, the vector has 256 B: the column is the block of a rank.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check impi-rt==2021.18.1 impi-devel==2021.18.1
bin=$folder/env/bin
export I_MPI_ROOT=$folder/env I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork

cat >"$folder/count.c" <<'C'
#include <mpi.h>
#include <stdio.h>

/* Print once what rank 0 hands to MPI_Reduce_scatter. */
int MPI_Reduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm)
{
    static long last = -1;
    int rank, ranks, size;
    long all = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    PMPI_Type_size(type, &size);
    for (int i = 0; i < ranks; i++)
        all += (long)counts[i] * size;
    if (rank == 0 && all != last)
        fprintf(stderr, "MPI_Reduce_scatter of a vector of %ld B on %d ranks\n", all, ranks);
    last = all;
    return PMPI_Reduce_scatter(in, out, counts, type, op, comm);
}
C
"$bin/mpicc" -shared -fPIC -o "$folder/count.so" "$folder/count.c"
export LD_LIBRARY_PATH=$folder/env/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
echo 64 >"$folder/sizes"
"$bin/mpiexec" -n 4 -genv LD_PRELOAD "$folder/count.so" "$bin/IMB-MPI1" Reduce_scatter -npmin 4 \
  -msglen "$folder/sizes" -iter 10 >"$folder/out" 2>"$folder/err"
grep -E "Version|MPI Benchmarks" "$folder/out" | head -1
grep -A1 "#bytes" "$folder/out"
grep "^MPI_Reduce_scatter" "$folder/err"
grep -qE "^ +64 +10 " "$folder/out"
[ "$(grep -c "^MPI_Reduce_scatter" "$folder/err")" = 1 ]
grep -qx "MPI_Reduce_scatter of a vector of 256 B on 4 ranks" "$folder/err"
