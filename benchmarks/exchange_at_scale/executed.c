/* All-to-alls in simulated time, executed: by the exchange library, or by SMPI itself.
 *
 *   executed contend|native M...
 *
 * prints "M SECONDS" for each size, from a common start to the end of the last rank. In a program
 * that SMPI loads, a symbol of SMPI comes before the program's own, so the library is called without
 * its entry points; its hosts are those of the platform. SMPI deletes the attributes of
 * MPI_COMM_SELF when nothing of MPI works any more, so all goes over a copy that is freed before.
 */
#include <mpi.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange/exchange.h"
#include "exchange/ledger.h"

unsigned contend_modes = CONTEND_EXCHANGES;

/* The simulated time. */
int64_t contend_nanoseconds(void) { return (int64_t)(1e9 * MPI_Wtime()); }

int contend_simulated_name(char* name, size_t size) {
  snprintf(name, size, "%s", sg_host_get_name(sg_host_self()));
  return 0;
}

/* SMPI has none. */
int contend_simulated_parent(MPI_Comm* parent) {
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

static MPI_Comm all;

static unsigned char content(int src, int dst, size_t at) {
  return (unsigned char)(7 * src + 13 * dst + (int)(at % 251));
}

static void fill(unsigned char* blocks, int rank, int ranks, size_t m) {
  for (int dst = 0; dst < ranks; dst++)
    for (size_t at = 0; at < m; at++) blocks[(size_t)dst * m + at] = content(rank, dst, at);
}

static void check(const unsigned char* blocks, int rank, int ranks, size_t m) {
  for (int src = 0; src < ranks; src++)
    for (size_t at = 0; at < m; at++)
      if (blocks[(size_t)src * m + at] != content(src, rank, at)) {
        fprintf(stderr, "rank %d: block of %d is wrong at byte %zu\n", rank, src, at);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
}

/* A time that all ranks reach together. */
static double start_together(void) {
  double now = MPI_Wtime(), latest;
  MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, all);
  const double start = latest + 1.0;
  usleep((useconds_t)((start - MPI_Wtime()) * 1e6));
  return MPI_Wtime();
}

static void exchange(int is_ours, const unsigned char* sent, unsigned char* received, size_t m) {
  const int count = (int)m;
  struct contend_turn turn = {.state = NULL};
  const struct contend_collective call = {
      .operation = CONTEND_ALLTOALL,
      .shape = CONTEND_TO_ALL,
      .comm = all,
      .op = MPI_OP_NULL,
      .sent = {.buffer = (void*)sent, .count = count, .type = MPI_BYTE},
      .received = {.buffer = received, .count = count, .type = MPI_BYTE}};
  int code = MPI_SUCCESS;
  if (!is_ours || !contend_exchange(&call, &turn, &code))
    code = MPI_Alltoall(sent, count, MPI_BYTE, received, count, MPI_BYTE, all);
  if (turn.state != NULL) contend_turn_end(&turn, code);
}

static double seconds(int is_ours, size_t m) {
  int rank, ranks;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  unsigned char *sent = malloc((size_t)ranks * m), *received = calloc((size_t)ranks, m);
  if (sent == NULL || received == NULL) MPI_Abort(MPI_COMM_WORLD, 4);
  fill(sent, rank, ranks, m);
  exchange(is_ours, sent, received, m); /* makes what is kept for this size */
  memset(received, 0, (size_t)ranks * m);
  const double start = start_together();
  exchange(is_ours, sent, received, m);
  double own[2] = {-start, MPI_Wtime()}, found[2];
  MPI_Allreduce(own, found, 2, MPI_DOUBLE, MPI_MAX, all);
  check(received, rank, ranks, m);
  free(sent);
  free(received);
  return found[0] + found[1];
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  const int is_ours = strcmp(argv[1], "contend") == 0;
  for (int i = 2; i < argc; i++) {
    const size_t m = strtoul(argv[i], NULL, 10);
    const double taken = seconds(is_ours, m);
    if (rank == 0) printf("%zu %.9f\n", m, taken);
  }
  if (rank == 0) fprintf(stderr, "native calls %ld\n", contend_exchange_calls("native"));
  MPI_Comm_free(&all);
  MPI_Finalize();
  return 0;
}
