// Round trips of 1 B from rank 0 to rank 1: the first one of the run, and the median of later ones.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LATER = 21 };

static double round_trip(int rank) {
  char byte = 0;
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Send(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(&byte, 1, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

static int compare(const void *one, const void *other) {
  const double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  int rank;
  double later[LATER];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // Rank 1 is within a receive when the message comes, whenever it has left MPI_Init.
  if (rank == 0) usleep(100000);
  const double first = round_trip(rank);
  for (int i = 0; i < LATER; i++) later[i] = round_trip(rank);
  qsort(later, LATER, sizeof *later, compare);
  if (rank == 0) printf("%.9f %.9f\n", first, later[LATER / 2]);
  MPI_Finalize();
  return 0;
}
