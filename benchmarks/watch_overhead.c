/* Time of short collective calls.
 *
 *   watch_overhead empty ROUNDS           prints the processor's seconds of a call without data, which
 *                                         ends at once: what stands before it is most of it
 *   watch_overhead clock ROUNDS           the same of two readings of the clock
 *   watch_overhead allreduce|barrier ROUNDS [CHUNKS]   prints the seconds of a call, for each chunk */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double processor_s(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double empty(int rounds)
{
  char none = 0;
  const double begin = processor_s();
  for (int i = 0; i < rounds; i++) MPI_Bcast(&none, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
  return (processor_s() - begin) / rounds;
}

static double clock_readings(int rounds)
{
  struct timespec now;
  const double begin = processor_s();
  for (int i = 0; i < 2 * rounds; i++) clock_gettime(CLOCK_MONOTONIC, &now);
  return (processor_s() - begin) / rounds;
}

static double timed(int rounds, int is_barrier)
{
  double mine = 1, all;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; i++)
    if (is_barrier)
      MPI_Barrier(MPI_COMM_WORLD);
    else
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return (MPI_Wtime() - begin) / rounds;
}

int main(int argc, char** argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 1);
  const int rounds = atoi(argv[2]), chunks = argc > 3 ? atoi(argv[3]) : 9;
  for (int i = 0; i < chunks; i++) {
    const double seconds = strcmp(argv[1], "empty") == 0
                               ? empty(rounds)
                           : strcmp(argv[1], "clock") == 0
                               ? clock_readings(rounds)
                               : timed(rounds, strcmp(argv[1], "barrier") == 0);
    if (rank == 0) printf("%.12f\n", seconds);
  }
  MPI_Finalize();
  return 0;
}
