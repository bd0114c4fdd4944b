/* Time of a small exchange that stays native: chunks by MPI_ and by PMPI_ in turn.
 *
 *   exchange_overhead alltoall|alltoallv BYTES CHUNKS CALLS
 *
 * prints "SECONDS SECONDS" per call of each pair of chunks. Without a library before MPI both are
 * the same function. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64 };

static unsigned char *sent, *received;
static int bytes, counts[MOST_RANKS], places[MOST_RANKS];

static void by_mpi(int is_varying) {
  if (is_varying)
    MPI_Alltoallv(sent, counts, places, MPI_BYTE, received, counts, places, MPI_BYTE,
                  MPI_COMM_WORLD);
  else
    MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void by_pmpi(int is_varying) {
  if (is_varying)
    PMPI_Alltoallv(sent, counts, places, MPI_BYTE, received, counts, places, MPI_BYTE,
                   MPI_COMM_WORLD);
  else
    PMPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static double chunk(void (*exchange)(int), int is_varying, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; i++) exchange(is_varying);
  return (MPI_Wtime() - begin) / calls;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int is_varying = argc > 1 && strcmp(argv[1], "alltoallv") == 0;
  bytes = argc > 2 ? atoi(argv[2]) : 8;
  const int chunks = argc > 3 ? atoi(argv[3]) : 100, calls = argc > 4 ? atoi(argv[4]) : 1000;
  if (ranks > MOST_RANKS || bytes < 1) MPI_Abort(MPI_COMM_WORLD, 2);
  sent = calloc((size_t)ranks, (size_t)bytes);
  received = calloc((size_t)ranks, (size_t)bytes);
  if (sent == NULL || received == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int i = 0; i < ranks; i++) {
    counts[i] = bytes;
    places[i] = i * bytes;
  }
  chunk(by_mpi, is_varying, calls);
  chunk(by_pmpi, is_varying, calls);
  for (int i = 0; i < chunks; i++) { /* the first of a pair changes, as the second is warm */
    const double first = chunk(i % 2 ? by_pmpi : by_mpi, is_varying, calls);
    const double second = chunk(i % 2 ? by_mpi : by_pmpi, is_varying, calls);
    if (rank == 0) printf("%.12f %.12f\n", i % 2 ? second : first, i % 2 ? first : second);
  }
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
