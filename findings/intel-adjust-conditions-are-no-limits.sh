#!/usr/bin/env bash
# Intel MPI 2021.18: what the sizes and processes of I_MPI_ADJUST_ALLTOALL hold for.
#
# Expected, as the manual says: a preset with conditions serves the calls that meet them, and no
# others. There is no preset 99; where I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK is 1, a call that
# takes it is an error, which shows who takes it.
# Seen: the last condition takes whatever is left, though neither its sizes nor its processes are met;
# and of two with the same processes the later holds for all sizes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check impi-rt==2021.18.1 impi-devel==2021.18.1
bin=$folder/env/bin
export I_MPI_ROOT=$folder/env I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork
export I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1

cat >"$folder/exchange.c" <<'C'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int bytes = argc > 1 ? atoi(argv[1]) : 8;
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
    const int code = MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Finalize();
    return code != MPI_SUCCESS;
}
C
"$bin/mpicc" -o "$folder/exchange" "$folder/exchange.c"
export LD_LIBRARY_PATH=$folder/env/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$bin/mpiexec" --version | head -1
while read -r value bytes; do
  if I_MPI_ADJUST_ALLTOALL=$value "$bin/mpiexec" -n 4 "$folder/exchange" "$bytes" \
    </dev/null >/dev/null 2>&1; then
    echo "$value, $bytes B on 4 ranks: another"
  else
    echo "$value, $bytes B on 4 ranks: preset 99"
  fi
done <<'T' | tee "$folder/seen"
1:0-63;99:64-100 8
1:0-63;99:64-100 64
1:0-63;99:64-100 5000
99:5000-6000@2-3 8
1:0-63@4-4;99:64-100@4-4 8
T
diff - "$folder/seen" <<'T'
1:0-63;99:64-100, 8 B on 4 ranks: another
1:0-63;99:64-100, 64 B on 4 ranks: preset 99
1:0-63;99:64-100, 5000 B on 4 ranks: preset 99
99:5000-6000@2-3, 8 B on 4 ranks: preset 99
1:0-63@4-4;99:64-100@4-4, 8 B on 4 ranks: preset 99
T
