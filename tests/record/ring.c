/* Messages around a ring, of 8 B each, then an end of some kind:
 *   ring ROUNDS finalize|kill|exit|abort|limit|fork
 * kill: by SIGKILL, of all; limit: with a file that cannot grow, as on a full disk. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
    int rank, n, sum = 0;
    double mine = 1, theirs = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const int rounds = atoi(words[1]);
    if (strcmp(words[2], "limit") == 0)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 20000, .rlim_max = 20000});
    if (strcmp(words[2], "fork") == 0) {
        const pid_t child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < rounds; i++) {
        MPI_Request request;
        MPI_Irecv(&theirs, 1, MPI_DOUBLE, (rank + n - 1) % n, i, MPI_COMM_WORLD, &request);
        MPI_Send(&mine, 1, MPI_DOUBLE, (rank + 1) % n, i, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += (int)theirs;
    }
    printf("%s\n", sum == rounds ? "right" : "wrong");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(words[2], "kill") == 0)
        raise(SIGKILL);
    if (strcmp(words[2], "exit") == 0)
        exit(3);
    if (strcmp(words[2], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
