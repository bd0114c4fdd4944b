/* Messages around a ring, of 8 B each, then an end of some kind:
 *   ring ROUNDS finalize|kill|exit|abort|limit|fork|US
 * kill: by SIGKILL, of all; limit: with a file that cannot grow, as on a full disk; US: by SIGKILL
 * that many microseconds after MPI_Init, wherever that is. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void end_at_once(int signal)
{
    (void)signal;
    raise(SIGKILL);
}

int main(int count, char **words)
{
    int rank, n, sum = 0;
    double mine = 1, theirs = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const int rounds = atoi(words[1]);
    if (strcmp(words[2], "limit") == 0)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 3000, .rlim_max = 3000});
    if (strcmp(words[2], "fork") == 0) {
        const pid_t child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    if (atoi(words[2]) > 0) {
        signal(SIGALRM, end_at_once);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = atoi(words[2])}}, NULL);
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
