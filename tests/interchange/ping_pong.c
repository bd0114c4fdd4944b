// One way of messages of the sizes of the command line between ranks 0 and 1, by SMPI's clock; and
// an all-to-all whose data are checked.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double one_way(int rank, char* buffer, int bytes) {
  double start = MPI_Wtime();
  for (int turn = 0; turn < 2; ++turn) {
    if (rank == turn) MPI_Send(buffer, bytes, MPI_CHAR, 1 - turn, 0, MPI_COMM_WORLD);
    if (rank == 1 - turn)
      MPI_Recv(buffer, bytes, MPI_CHAR, turn, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (MPI_Wtime() - start) / 2;
}

static int exchanges(int rank, int ranks) {
  int* out = malloc(2 * (size_t)ranks * sizeof *out);
  int* in = out + ranks;
  for (int other = 0; other < ranks; ++other) out[other] = 100 * rank + other;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  int is_right = 1;
  for (int other = 0; other < ranks; ++other) is_right &= in[other] == 100 * other + rank;
  free(out);
  return is_right;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* buffer = malloc(1 << 24);
  for (int i = 1; i < argc; ++i) {
    if (rank > 1) continue;
    one_way(rank, buffer, atoi(argv[i]));  // after it both are where they begin a round
    double seconds = one_way(rank, buffer, atoi(argv[i]));
    if (rank == 0) printf("%s %.17g\n", argv[i], seconds);
  }
  int right = exchanges(rank, ranks), all = 0;
  MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("right %d\n", all);
  free(buffer);
  MPI_Finalize();
  return 0;
}
