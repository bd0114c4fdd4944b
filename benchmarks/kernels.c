// Programs of the kinds of well-known benchmarks, for patterns.c; with which nothing was built.
//
// Messages are those of the parallel benchmarks of NASA (Bailey et al. 1994, Saphir et al. 1996): as
// many, of the same sizes relative to each other, in the same order. What is received is looked at.
//   sort       IS: counts of buckets summed over ranks, an all-to-all of counts, and one of keys
//   fourier    FT: a transform of columns, an all-to-all that transposes, and a sum to be checked
//   gradients  CG: on a grid of ranks, sums along rows by turns, an exchange with the transposed
//              rank, and sums of one number
//   multigrid  MG: faces in three directions on ever coarser grids and back, and a norm
//   pipeline   LU: planes swept from one corner to the other and back, with small messages for
//              each plane, and faces after each sweep
// bytes are the keys of a rank; of a block; of a rank's part of a row; of the largest face; of an
// edge of a plane.
// Restrictions: the number of ranks is a power of two.
#include "patterns.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 16, LEVELS = 5, INNER = 25 };

static void *allocated(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "no memory\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  return memory;
}

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

void sort(void) {
  enum { BUCKETS = 512, HIGHEST = 1 << 16 };
  const int count = bytes / 4;
  const size_t most = 4 * (size_t)count;  // of keys that come
  uint32_t state = 314159265u + 271828u * (uint32_t)rank;
  int *keys = allocated((size_t)count, 4), *out = allocated((size_t)count, 4);
  int *in = allocated(most, 4), *counts = allocated(4 * (size_t)ranks, sizeof(int));
  int *to = counts, *from = to + ranks, *begin = from + ranks, *place = begin + ranks;
  int sizes[BUCKETS + 5], all[BUCKETS + 5], owner[BUCKETS], next[BUCKETS];
  for (int k = 0; k < count; k++) {  // the sum of four: keys are not alike often
    uint32_t key = 0;
    for (int j = 0; j < 4; j++) key += (state = state * 1664525u + 1013904223u) >> 18;
    keys[k] = (int)(key % HIGHEST);
  }
  for (int step = 0; step < steps; step++) {
    compute(0.7);
    memset(sizes, 0, sizeof sizes);
    for (int k = 0; k < count; k++) sizes[keys[k] * BUCKETS / HIGHEST]++;
    MPI_Allreduce(sizes, all, BUCKETS + 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    memset(to, 0, (size_t)ranks * sizeof *to);
    int64_t sum = 0;
    for (int b = 0, at = 0; b < BUCKETS; b++) {  // as many keys to each rank, nearly
      owner[b] = (int)(sum * ranks / ((int64_t)count * ranks + 1));
      sum += all[b];
      next[b] = at;
      at += sizes[b];
      to[owner[b]] += sizes[b];
    }
    for (int k = 0; k < count; k++) out[next[keys[k] * BUCKETS / HIGHEST]++] = keys[k];
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    int coming = 0, going = 0;
    for (int r = 0; r < ranks; r++) {
      begin[r] = going, place[r] = coming;
      going += to[r], coming += from[r];
    }
    expect((size_t)coming <= most, "more keys than there is room for");
    MPI_Alltoallv(out, to, begin, MPI_INT, in, from, place, MPI_INT, MPI_COMM_WORLD);
    compute(0.3);
    for (int k = 0; k < coming; k++)
      expect(owner[in[k] * BUCKETS / HIGHEST] == rank, "a key of another rank's");
  }
  free(keys), free(out), free(in), free(counts);
}

void fourier(void) {
  const size_t block = (size_t)bytes, whole = block * (size_t)ranks;
  double *out = allocated(whole / 8 + 1, 8), *in = allocated(whole / 8 + 1, 8), sum[2], all[2];
  MPI_Bcast(out, 6, MPI_INT, 0, MPI_COMM_WORLD);
  for (int step = 0; step <= steps; step++) {
    compute(0.6);
    for (size_t k = 0; k < whole / 8; k++) out[k] = rank + step;
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    compute(0.4);
    sum[0] = sum[1] = 0.0;
    for (int r = 0; r < ranks; r++) sum[0] += in[(size_t)r * (block / 8)] - step;
    MPI_Reduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    expect(sum[0] == ranks * (ranks - 1) / 2.0, "a block of another rank");
  }
  free(out), free(in);
}

// As in CG: a receive that is posted, a send that blocks, a wait.
static void trade(const void *out, void *in, int size, int with) {
  MPI_Request coming;
  MPI_Irecv(in, size, MPI_BYTE, with, 1, MPI_COMM_WORLD, &coming);
  MPI_Send(out, size, MPI_BYTE, with, 1, MPI_COMM_WORLD);
  MPI_Wait(&coming, MPI_STATUS_IGNORE);
}

static double along_row(double own, int column, int columns) {
  for (int other = 1; other < columns; other *= 2) {
    double theirs;
    trade(&own, &theirs, sizeof own, rank - column + (column ^ other));
    own += theirs;
  }
  return own;
}

void gradients(void) {
  int rows = 1, columns;
  while (rows * rows * 4 <= ranks) rows *= 2;
  columns = ranks / rows;
  const int row = rank / columns, column = rank % columns, is_square = columns == rows;
  const int half = column / 2;  // with twice as many columns as rows a pair of ranks is one place
  const int with = is_square ? column * columns + row : 2 * (half * rows + row) + column % 2;
  char *out = allocated(1, (size_t)bytes), *in = allocated(1, (size_t)bytes);
  for (int step = 0; step < steps; step++) {
    for (int inner = 0; inner <= INNER; inner++) {
      compute(1.0 / (INNER + 1));
      for (int other = 1; other < columns; other *= 2)
        trade(out, in, bytes, row * columns + (column ^ other));
      if (with != rank)
        trade(out, in, is_square ? bytes : bytes / 2, with);
      for (int k = 0; k < 2; k++)
        expect(along_row(1.0, column, columns) == columns, "a sum along a row is wrong");
    }
    double norm = along_row(1.0, column, columns);
    expect(norm == columns, "a norm is wrong");
  }
  free(out), free(in);
}

// Faces to both neighbours of each direction, one direction after the other.
static void faces(char *out, char *in, int size, int next[3][2], int level) {
  for (int axis = 0; axis < 3; axis++) {
    MPI_Request coming[2];
    for (int way = 0; way < 2; way++)
      MPI_Irecv(in + (size_t)way * bytes, size, MPI_BYTE, next[axis][way], 8 * level + (way ^ 1),
                MPI_COMM_WORLD, &coming[way]);
    for (int way = 0; way < 2; way++)
      MPI_Send(out, size, MPI_BYTE, next[axis][way], 8 * level + way, MPI_COMM_WORLD);
    MPI_Waitall(2, coming, MPI_STATUSES_IGNORE);
  }
}

void multigrid(void) {
  int sides[3] = {0, 0, 0}, round[3] = {1, 1, 1}, next[3][2];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 3, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 3, sides, round, 0, &grid);
  for (int axis = 0; axis < 3; axis++)
    MPI_Cart_shift(grid, axis, 1, &next[axis][0], &next[axis][1]);
  char *out = allocated(2, (size_t)bytes), *in = allocated(2, (size_t)bytes);
  double norms[2] = {1.0, 1.0}, all[2];
  for (int step = 0; step < steps; step++) {
    for (int level = 0; level < 2 * LEVELS - 1; level++) {
      const int coarse = level < LEVELS ? level : 2 * LEVELS - 2 - level;
      const int size = bytes >> 2 * coarse;
      for (int k = 0; k < (level < LEVELS ? 1 : 2); k++) {  // residual and smoothing on the way up
        faces(out, in, size > 8 ? size : 8, next, level);
        compute(0.4 / (double)(1 << 3 * coarse));
      }
    }
    MPI_Allreduce(&norms[0], &all[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&norms[1], &all[1], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect(all[0] == ranks && all[1] == 1.0, "a norm is wrong");
  }
  free(out), free(in);
  MPI_Comm_free(&grid);
}

void pipeline(void) {
  int sides[2] = {0, 0}, round[2] = {0, 0}, next[2][2];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, round, 0, &grid);
  for (int d = 0; d < 2; d++) MPI_Cart_shift(grid, d, 1, &next[d][0], &next[d][1]);
  const size_t face = (size_t)bytes * PLANES * 2;
  char *edge = allocated(1, (size_t)bytes), *out = allocated(1, face), *in = allocated(1, face);
  for (int step = 0; step < steps; step++) {
    for (int back = 0; back < 2; back++)
      for (int plane = 0; plane < PLANES; plane++) {
        for (int d = 0; d < 2; d++)
          MPI_Recv(edge, bytes, MPI_BYTE, next[d][back], plane, grid, MPI_STATUS_IGNORE);
        compute(0.4 / PLANES);
        for (int d = 0; d < 2; d++)
          MPI_Send(edge, bytes, MPI_BYTE, next[d][!back], plane, grid);
      }
    for (int d = 0; d < 2; d++)
      for (int way = 0; way < 2; way++) {  // faces of right-hand sides, two layers
        MPI_Request coming;
        MPI_Irecv(in, (int)face, MPI_BYTE, next[d][!way], 100 + way, grid, &coming);
        MPI_Send(out, (int)face, MPI_BYTE, next[d][way], 100 + way, grid);
        MPI_Wait(&coming, MPI_STATUS_IGNORE);
      }
    compute(0.2);
    if (step % 5 == 4) {
      double own[5] = {1, 1, 1, 1, 1}, all[5];
      MPI_Allreduce(own, all, 5, MPI_DOUBLE, MPI_SUM, grid);
      expect(all[4] == ranks, "a norm is wrong");
    }
  }
  free(edge), free(out), free(in);
  MPI_Comm_free(&grid);
}
