// A program of collective calls between uneven work, which notes its calls itself.
//
//     watched TRACE STEPS SEED PHASE...
//
// PHASE is OPERATION:BYTES:MICROSECONDS:UNEVEN:HALVES: each step a rank works for so long, give or
// take the share UNEVEN of it (to work is to sleep), and calls the operation with BYTES a block or
// message, among all, or where HALVES is 1 among each half of the ranks by itself. TRACE gets, at
// its end, a line for each call among all: operation, ranks, bytes, begin and end of each rank in
// nanoseconds; "-" is none.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PHASES = 8 };

typedef struct {
  char operation[16];
  int bytes, halves;
  double microseconds, uneven;
} Phase;

static int rank, ranks;
static uint64_t state;

static double drawn(void) {  // from -1 to 1; xorshift, Marsaglia 2003
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / (double)(1ULL << 52) - 1.0;
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void work(const Phase *phase) {
  const double seconds = 1e-6 * phase->microseconds * (1.0 + phase->uneven * drawn());
  struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&left, NULL);
}

static void call(const Phase *phase, MPI_Comm comm, char *in, char *out) {
  const int bytes = phase->bytes;
  if (!strcmp(phase->operation, "alltoall"))
    MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
  else if (!strcmp(phase->operation, "allreduce"))
    MPI_Allreduce(in, out, bytes / 4, MPI_FLOAT, MPI_SUM, comm);
  else if (!strcmp(phase->operation, "bcast"))
    MPI_Bcast(in, bytes, MPI_BYTE, 0, comm);
  else
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void write_calls(const char *path, const Phase *phases, int count, int steps,
                        const int64_t *times) {
  FILE *file = rank || !strcmp(path, "-") ? NULL : fopen(path, "a");
  int64_t *all = calloc((size_t)ranks, 2 * sizeof *all);
  for (int k = 0; k < steps * count; k++) {
    const Phase *phase = &phases[k % count];
    MPI_Gather(times + 2 * k, 2, MPI_INT64_T, all, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (!file || phase->halves) continue;
    fprintf(file, "%s %d %d", phase->operation, ranks, phase->bytes);
    for (int r = 0; r < 2 * ranks; r++) fprintf(file, " %lld", (long long)all[r]);
    fputc('\n', file);
  }
  if (file) fclose(file);
  free(all);
}

int main(int argc, char **argv) {
  Phase phases[MOST_PHASES] = {{{0}, 0, 0, 0.0, 0.0}};
  const int count = argc - 4, steps = argc > 4 ? atoi(argv[2]) : 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int most = 0, is_read = count > 0 && count <= MOST_PHASES && steps > 0;
  for (int k = 0; is_read && k < count; k++) {
    Phase *own = &phases[k];
    is_read = sscanf(argv[4 + k], "%15[a-z]:%d:%lf:%lf:%d", own->operation, &own->bytes,
                     &own->microseconds, &own->uneven, &own->halves) == 5;
    if (own->bytes > most) most = own->bytes;
  }
  if (!is_read) {
    if (!rank) fprintf(stderr, "watched TRACE STEPS SEED OPERATION:BYTES:US:UNEVEN:HALVES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  state = 88172645463325252ULL + 1000003ULL * (uint64_t)atoi(argv[3]) + 7919ULL * (uint64_t)rank;
  for (int k = 0; k < 8; k++) drawn();
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, 2 * rank >= ranks, rank, &half);
  char *in = calloc((size_t)ranks, (size_t)most + 4), *out = calloc((size_t)ranks, (size_t)most + 4);
  int64_t *times = calloc((size_t)(2 * steps * count), sizeof *times);
  if (!in || !out || !times) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int step = 0; step < steps; step++)
    for (int k = 0; k < count; k++) {
      work(&phases[k]);
      int64_t *own = times + 2 * (step * count + k);
      own[0] = now();
      call(&phases[k], phases[k].halves ? half : MPI_COMM_WORLD, in, out);
      own[1] = now();
    }
  write_calls(argv[1], phases, count, steps, times);
  free(in);
  free(out);
  free(times);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
