/* Time of small calls: chunks by MPI_, which a library before MPI takes, and by the MPI library's
 * own functions in turn.
 *
 *   record_overhead self|pingpong|allreduce|test CHUNKS ROUNDS
 *   record_overhead steps STEPS MICROSECONDS
 *
 * prints "SECONDS SECONDS" per call of each pair of chunks; of steps (some computation, then a
 * message to and from both neighbours and a sum) "SECONDS CALLS" of all. */
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  __typeof__(&MPI_Send) send;
  __typeof__(&MPI_Recv) recv;
  __typeof__(&MPI_Isend) isend;
  __typeof__(&MPI_Irecv) irecv;
  __typeof__(&MPI_Wait) wait;
  __typeof__(&MPI_Test) test;
  __typeof__(&MPI_Allreduce) allreduce;
} by_mpi = {MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv, MPI_Wait, MPI_Test, MPI_Allreduce}, own;

static int rank, ranks;
static char sent[8], received[8];

static int open_library(struct dl_phdr_info* info, size_t size, void* found) {
  (void)size;
  const char* name = strrchr(info->dlpi_name, '/');
  if (name != NULL && (strncmp(name, "/libmpi.so", 10) == 0 || strncmp(name, "/libmpich.so", 12) == 0 ||
                       strncmp(name, "/libmpi_abi.so", 14) == 0))
    *(void**)found = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  return 0;
}

static void find_own(void) {
  void* library = NULL;
  dl_iterate_phdr(open_library, &library);
  if (library == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
#define FIND(member, name) *(void**)&own.member = dlsym(library, "PMPI_" #name)
  FIND(send, Send);
  FIND(recv, Recv);
  FIND(isend, Isend);
  FIND(irecv, Irecv);
  FIND(wait, Wait);
  FIND(test, Test);
  FIND(allreduce, Allreduce);
}

/* Each returns how many calls it makes. */
typedef int round_of(__typeof__(by_mpi)*);

static int self(__typeof__(by_mpi)* mpi) {
  MPI_Request requests[2];
  mpi->irecv(received, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &requests[0]);
  mpi->isend(sent, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &requests[1]);
  mpi->wait(&requests[0], MPI_STATUS_IGNORE);
  mpi->wait(&requests[1], MPI_STATUS_IGNORE);
  return 4;
}

static int pingpong(__typeof__(by_mpi)* mpi) {
  const int other = rank ^ 1;
  if (other >= ranks) return 2;
  if (rank < other) mpi->send(sent, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD);
  mpi->recv(received, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > other) mpi->send(sent, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD);
  return 2;
}

static int allreduce(__typeof__(by_mpi)* mpi) {
  mpi->allreduce(sent, received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return 1;
}

static int test(__typeof__(by_mpi)* mpi) {
  static MPI_Request none = MPI_REQUEST_NULL;
  int is_over;
  mpi->test(&none, &is_over, MPI_STATUS_IGNORE);
  return 1;
}

static double chunk(round_of* round, __typeof__(by_mpi)* mpi, int rounds) {
  int calls = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; i++) calls += round(mpi);
  return (MPI_Wtime() - begin) / calls;
}

static void steps(int count, double seconds) {
  double sum = 1.0, all;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int step = 0; step < count; step++) {
    const double until = MPI_Wtime() + seconds;
    while (MPI_Wtime() < until) sum = sum * 0.5 + 1.0;
    MPI_Request requests[4];
    for (int side = 0; side < 2; side++) {
      const int other = (rank + (side ? 1 : ranks - 1)) % ranks;
      MPI_Irecv(received, 8, MPI_CHAR, other, side, MPI_COMM_WORLD, &requests[2 * side]);
      MPI_Isend(sent, 8, MPI_CHAR, other, 1 - side, MPI_COMM_WORLD, &requests[2 * side + 1]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%.12f %d\n", MPI_Wtime() - begin, count * 6);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    round_of* round;
  } all[] = {{"self", self}, {"pingpong", pingpong}, {"allreduce", allreduce}, {"test", test}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 1);
  find_own();
  if (strcmp(argv[1], "steps") == 0) steps(atoi(argv[2]), atof(argv[3]) * 1e-6);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    if (strcmp(argv[1], all[k].name) != 0) continue;
    const int chunks = atoi(argv[2]), rounds = atoi(argv[3]);
    chunk(all[k].round, &by_mpi, rounds);
    chunk(all[k].round, &own, rounds);
    for (int i = 0; i < chunks; i++) { /* the first of a pair changes, as the second is warm */
      const double first = chunk(all[k].round, i % 2 ? &own : &by_mpi, rounds);
      const double second = chunk(all[k].round, i % 2 ? &by_mpi : &own, rounds);
      if (rank == 0) printf("%.12f %.12f\n", i % 2 ? second : first, i % 2 ? first : second);
    }
  }
  MPI_Finalize();
  return 0;
}
