/* Exchanges on communicators that are split, reversed, copied and freed; prints a sum of all that
 * every rank has received. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RANKS = 16, WIDTH = 5 };

static uint64_t sum;

static void add(const int* values, int count) {
  for (int i = 0; i < count; i++) sum = (sum ^ (uint64_t)(uint32_t)values[i]) * 1099511628211U;
}

static void exchange_equal(MPI_Comm comm, int salt) {
  int rank, ranks, sent[MOST_RANKS * WIDTH], received[MOST_RANKS * WIDTH];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < ranks * WIDTH; i++) sent[i] = received[i] = salt + 1000 * rank + i;
  MPI_Alltoall(sent, WIDTH, MPI_INT, received, WIDTH, MPI_INT, comm);
  add(received, ranks * WIDTH);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, WIDTH, MPI_INT, comm);
  add(received, ranks * WIDTH);
}

/* Every second integer is sent, and arrives without holes. */
static void exchange_strided(MPI_Comm comm, int salt) {
  int rank, ranks, sent[2 * MOST_RANKS * WIDTH], received[MOST_RANKS * WIDTH];
  MPI_Datatype strided, resized;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Type_vector(WIDTH, 1, 2, MPI_INT, &strided);
  MPI_Type_create_resized(strided, 0, 2 * WIDTH * (MPI_Aint)sizeof(int), &resized);
  MPI_Type_commit(&resized);
  for (int i = 0; i < 2 * ranks * WIDTH; i++) sent[i] = salt - 1000 * rank + i;
  MPI_Alltoall(sent, 1, resized, received, WIDTH, MPI_INT, comm);
  add(received, ranks * WIDTH);
  MPI_Type_free(&resized);
  MPI_Type_free(&strided);
}

/* Rank i has (i + 2 j) mod WIDTH integers for rank j. */
static void exchange_varying(MPI_Comm comm, int salt) {
  int rank, ranks, sent[MOST_RANKS * WIDTH], received[MOST_RANKS * WIDTH];
  int counts[2][MOST_RANKS], places[2][MOST_RANKS];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < ranks; i++) {
    counts[0][i] = (rank + 2 * i) % WIDTH;
    counts[1][i] = (i + 2 * rank) % WIDTH;
    places[0][i] = places[1][ranks - 1 - i] = WIDTH * i; /* received in reverse order */
  }
  for (int i = 0; i < ranks * WIDTH; i++) {
    sent[i] = salt + 1000 * rank + i;
    received[i] = -1;
  }
  MPI_Alltoallv(sent, counts[0], places[0], MPI_INT, received, counts[1], places[1], MPI_INT, comm);
  add(received, ranks * WIDTH);
}

static void exchange_all(MPI_Comm comm, int salt) {
  exchange_equal(comm, salt);
  exchange_strided(comm, salt);
  exchange_varying(comm, salt);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange_all(MPI_COMM_WORLD, 1);
  for (int round = 0; round < 4; round++) {
    MPI_Comm reversed, part, same, none;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(reversed, rank % (round + 1), rank, &part);
    MPI_Comm_dup(part, &same);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &none);
    exchange_all(reversed, 10 * round);
    MPI_Comm_free(&reversed); /* before those that came from it */
    exchange_all(part, 20 * round);
    exchange_all(same, 30 * round);
    if (none != MPI_COMM_NULL) {
      exchange_all(none, 40 * round);
      MPI_Comm_free(&none);
    }
    exchange_all(MPI_COMM_SELF, 50 * round);
    MPI_Comm_free(&same);
    MPI_Comm_free(&part);
  }
  uint64_t of_all = 0;
  MPI_Reduce(&sum, &of_all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum %llu\n", (unsigned long long)of_all);
  MPI_Finalize();
  return 0;
}
