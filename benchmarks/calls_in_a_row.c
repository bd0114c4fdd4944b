// A program that exchanges a number of times and says what all of it took.
//
//     calls_in_a_row CALLS BYTES MATRIX
//
// MATRIX is alltoall for MPI_Alltoall, or that of MPI_Alltoallv: uniform, biased (the first rank of
// each four has thirteen times the bytes of the others), random (from 0 to twice), sparse (a fifth
// of the pairs have all) or blocks (only within each half of the ranks), each with BYTES in the mean
// over all pairs. Prints the longest rank's seconds from the end of MPI_Init to the end of its last
// call, and those of MPI_Init. What is received is checked after each call, outside these times.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int count_of(const char *matrix, int bytes, int src, int dst, int ranks) {
  uint32_t mixed = (uint32_t)(src * 65537 + dst + 1) * 2654435761U;
  mixed ^= mixed >> 15;
  mixed *= 2246822519U;
  mixed ^= mixed >> 13;
  if (!strcmp(matrix, "biased"))
    return src % 4 ? bytes / 4 : bytes * 13 / 4;
  if (!strcmp(matrix, "random"))
    return (int)(mixed % (uint32_t)(2 * bytes + 1));
  if (!strcmp(matrix, "sparse"))
    return mixed % 5 ? 0 : 5 * bytes;
  if (!strcmp(matrix, "blocks"))
    return src / ((ranks + 1) / 2) == dst / ((ranks + 1) / 2) ? 2 * bytes : 0;
  return bytes;
}

static unsigned char byte_of(int src, int dst, int call) {
  return (unsigned char)(7 * src + 13 * dst + 29 * call + 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  const double before = now();
  MPI_Init(&argc, &argv);
  const double init = now() - before, begin = MPI_Wtime();
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const int calls = atoi(argv[1]), bytes = atoi(argv[2]);
  const char *matrix = argv[3];
  int *counts[2], *places[2];
  char *buffers[2];
  for (int way = 0; way < 2; way++) {
    counts[way] = malloc(sizeof(int) * (size_t)ranks);
    places[way] = malloc(sizeof(int) * (size_t)ranks);
    int total = 0;
    for (int peer = 0; peer < ranks; peer++) {
      counts[way][peer] = count_of(matrix, bytes, way ? peer : rank, way ? rank : peer, ranks);
      places[way][peer] = total;
      total += counts[way][peer];
    }
    buffers[way] = malloc((size_t)total + 1);
  }
  double outside = 0, taken = MPI_Wtime() - begin;
  for (int call = 0; call < calls; call++) {
    double start = MPI_Wtime();
    for (int peer = 0; peer < ranks; peer++)
      memset(buffers[0] + places[0][peer], byte_of(rank, peer, call), (size_t)counts[0][peer]);
    outside += MPI_Wtime() - start;
    if (!strcmp(matrix, "alltoall"))
      MPI_Alltoall(buffers[0], bytes, MPI_BYTE, buffers[1], bytes, MPI_BYTE, MPI_COMM_WORLD);
    else
      MPI_Alltoallv(buffers[0], counts[0], places[0], MPI_BYTE, buffers[1], counts[1], places[1],
                    MPI_BYTE, MPI_COMM_WORLD);
    taken = MPI_Wtime() - begin - outside;
    start = MPI_Wtime();
    for (int peer = 0; peer < ranks; peer++)
      for (int at = 0; at < counts[1][peer]; at++)
        if ((unsigned char)buffers[1][places[1][peer] + at] != byte_of(peer, rank, call))
          MPI_Abort(MPI_COMM_WORLD, 3);
    outside += MPI_Wtime() - start;
  }
  double longest[2], own[2] = {taken, init};
  MPI_Reduce(own, longest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.6f %.6f\n", longest[0], longest[1]);
  MPI_Finalize();
  return 0;
}
