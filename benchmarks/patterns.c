// Programs of different patterns, to be recorded and replayed: patterns NAME STEPS BYTES MICROSECONDS
//
// Each step of a rank computes for about so long and exchanges messages of about so many bytes:
//   stencil    four neighbours on a grid without ends, and a small all-reduce every tenth step
//   alltoall   an all-to-all
//   reduction  two all-reduces of one number, one of the bytes, as of conjugate gradients
//   farm       rank 0 hands out tasks and takes results from any source; tasks differ in length
//   irregular  to a few random ranks, random sizes, in the order in which they come
// and, apart from these, with which nothing was built:
//   transpose  all-to-alls within the rows and then within the columns of a grid of ranks
//   wavefront  over a grid of ranks from one corner to the other, and back
// and those of kernels.c.
// To compute is to sleep, so that ranks that share a core do not disturb each other.
#include "patterns.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int rank, ranks, steps, bytes;
static double microseconds;
static uint64_t state = 88172645463325252ULL;

static uint64_t drawn(void) {  // xorshift, Marsaglia 2003
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void compute(double share) {
  double seconds = 1e-6 * microseconds * share;
  struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&left, NULL);
}

static void stencil(void) {
  int sides[2] = {0, 0}, round[2] = {1, 1}, next[4];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, round, 0, &grid);
  for (int d = 0; d < 2; d++) MPI_Cart_shift(grid, d, 1, &next[2 * d], &next[2 * d + 1]);
  char *halo = calloc(8, (size_t)bytes);
  for (int step = 0; step < steps; step++) {
    MPI_Request open[8];
    for (int k = 0; k < 4; k++)
      MPI_Irecv(halo + (size_t)k * bytes, bytes, MPI_BYTE, next[k], k ^ 1, grid, &open[k]);
    for (int k = 0; k < 4; k++)
      MPI_Isend(halo + (size_t)(4 + k) * bytes, bytes, MPI_BYTE, next[k], k, grid, &open[4 + k]);
    compute(0.5);  // of what no neighbour is needed for
    MPI_Waitall(8, open, MPI_STATUSES_IGNORE);
    compute(0.5);
    double own = step, all;
    if (step % 10 == 9) MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
  }
  free(halo);
  MPI_Comm_free(&grid);
}

static void alltoall(void) {
  char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
  for (int step = 0; step < steps; step++) {
    compute(1.0);
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  }
  free(out);
  free(in);
}

static void reduction(void) {
  int count = bytes / 8;
  double *own = calloc((size_t)count, 8), *all = calloc((size_t)count, 8);
  for (int step = 0; step < steps; step++) {
    for (int k = 0; k < 2; k++) {
      compute(0.25);
      MPI_Allreduce(own, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    compute(0.5);
    MPI_Allreduce(own, all, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  free(own);
  free(all);
}

static void farm(void) {  // steps tasks for each worker; an empty one ends it
  char *task = calloc(1, (size_t)bytes + 1);
  if (rank) {
    for (;;) {
      MPI_Status got;
      int size;
      MPI_Recv(task, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &got);
      MPI_Get_count(&got, MPI_BYTE, &size);
      if (!size) break;
      compute(0.5 + (double)(unsigned char)task[0] / 255.0);
      MPI_Send(task, bytes / 4, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
  } else {
    int left = steps * (ranks - 1);
    for (int k = 1; k < ranks; k++, left--) {
      task[0] = (char)(drawn() & 255);
      MPI_Send(task, bytes, MPI_BYTE, k, 0, MPI_COMM_WORLD);
    }
    for (int working = ranks - 1; working;) {
      MPI_Status got;
      MPI_Recv(task, bytes, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &got);
      task[0] = (char)(drawn() & 255);
      MPI_Send(task, left > 0 ? bytes : 0, MPI_BYTE, got.MPI_SOURCE, 0, MPI_COMM_WORLD);
      if (left-- <= 0) working--;
    }
  }
  free(task);
}

static void irregular(void) {  // all ranks draw the same numbers, so that each knows what comes
  enum { FANOUT = 3 };
  char *out = calloc(1, (size_t)bytes), *in = calloc(1, (size_t)bytes);
  for (int step = 0; step < steps; step++) {
    MPI_Request open[FANOUT];
    int count = 0, coming = 0;
    for (int from = 0; from < ranks; from++)
      for (int k = 0; k < FANOUT; k++) {
        int to = (from + 1 + (int)(drawn() % (uint64_t)(ranks - 1))) % ranks;
        int size = 1 + (int)(drawn() % (uint64_t)bytes);
        coming += to == rank;
        if (from == rank)
          MPI_Isend(out, size, MPI_BYTE, to, step, MPI_COMM_WORLD, &open[count++]);
      }
    for (; coming > 0; coming--) {  // not received from any: there MPICH 5.0.2 with UCX hangs
      MPI_Status found;
      MPI_Probe(MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &found);
      MPI_Recv(in, bytes, MPI_BYTE, found.MPI_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(count, open, MPI_STATUSES_IGNORE);
    compute(0.5 + (double)((step * 7 + rank * 13) % 17) / 17.0);
  }
  free(in);
  free(out);
}

static void transpose(void) {
  int sides[2] = {0, 0};
  MPI_Comm lines[2];
  MPI_Dims_create(ranks, 2, sides);
  MPI_Comm_split(MPI_COMM_WORLD, rank / sides[1], rank, &lines[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % sides[1], rank, &lines[1]);
  char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
  for (int step = 0; step < steps; step++)
    for (int d = 0; d < 2; d++) {
      compute(0.5);
      MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, lines[d]);
    }
  free(out);
  free(in);
  for (int d = 0; d < 2; d++) MPI_Comm_free(&lines[d]);
}

static void wavefront(void) {
  int sides[2] = {0, 0}, round[2] = {0, 0}, next[2][2];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, round, 0, &grid);
  for (int d = 0; d < 2; d++) MPI_Cart_shift(grid, d, 1, &next[d][0], &next[d][1]);
  char *edge = calloc(1, (size_t)bytes);
  for (int step = 0; step < steps; step++) {
    int back = step / 5 % 2;  // five fronts one after the other, then five the other way
    for (int d = 0; d < 2; d++)
      MPI_Recv(edge, bytes, MPI_BYTE, next[d][back], 0, grid, MPI_STATUS_IGNORE);
    compute(1.0);
    for (int d = 0; d < 2; d++) MPI_Send(edge, bytes, MPI_BYTE, next[d][!back], 0, grid);
  }
  free(edge);
  MPI_Comm_free(&grid);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } patterns[] = {{"stencil", stencil},
                  {"alltoall", alltoall},
                  {"reduction", reduction},
                  {"farm", farm},
                  {"irregular", irregular},
                  {"transpose", transpose},
                  {"wavefront", wavefront},
                  {"sort", sort},
                  {"fourier", fourier},
                  {"gradients", gradients},
                  {"multigrid", multigrid},
                  {"pipeline", pipeline}};
  const int count = (int)(sizeof patterns / sizeof *patterns);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int found = -1;
  for (int k = 0; argc == 5 && k < count; k++)
    if (!strcmp(argv[1], patterns[k].name)) found = k;
  if (found < 0) {
    if (!rank) fprintf(stderr, "patterns NAME STEPS BYTES MICROSECONDS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  steps = atoi(argv[2]);
  bytes = atoi(argv[3]);
  microseconds = atof(argv[4]);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  patterns[found].run();
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) printf("%.9f\n", MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
