// All-to-alls whose ranks begin apart: ranks_apart BYTES CALLS SECONDS
//
// After a barrier each rank computes up to so many seconds, drawn by call and rank. Prints for each
// rank when each call began and ended, seconds since all came together.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void compute(double seconds) {
  const double begin = MPI_Wtime();
  while (MPI_Wtime() - begin < seconds) continue;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[1]), calls = atoi(argv[2]);
  const double most = atof(argv[3]);
  char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
  double* times = calloc(2 * (size_t)calls, sizeof(double));
  double* all = calloc(2 * (size_t)calls * (size_t)ranks, sizeof(double));
  MPI_Barrier(MPI_COMM_WORLD);
  double zero = MPI_Wtime();  // hosts of a lab have one clock
  MPI_Bcast(&zero, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  srand(7);
  for (int call = 0; call < calls; call++) {
    double own = 0.0;
    for (int other = 0; other < ranks; other++) {
      const double drawn = most * rand() / RAND_MAX;
      if (other == rank) own = drawn;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    compute(own);
    times[2 * call] = MPI_Wtime() - zero;
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    times[2 * call + 1] = MPI_Wtime() - zero;
  }
  MPI_Gather(times, 2 * calls, MPI_DOUBLE, all, 2 * calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; i++) {
    for (int k = 0; k < 2 * calls; k++) printf("%.6f ", all[2 * calls * i + k]);
    printf("\n");
  }
  MPI_Finalize();
  free(out), free(in), free(times), free(all);
  return 0;
}
