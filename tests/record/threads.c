/* Threads that send to the same thread of the next rank, all at once. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, MESSAGES = 200 };
static int rank, n;

static void *talk(void *given)
{
    const int tag = *(int *)given;
    for (int i = 0; i < MESSAGES; i++) {
        int theirs = -1;
        MPI_Request both[2];
        MPI_Irecv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(&i, 1, MPI_INT, (rank + 1) % n, tag, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        if (theirs != i)
            MPI_Abort(MPI_COMM_WORLD, 4);
    }
    return NULL;
}

int main(int count, char **words)
{
    int level, tags[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (level == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < THREADS; i++) {
            tags[i] = i;
            pthread_create(&threads[i], NULL, talk, &tags[i]);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    puts(level == MPI_THREAD_MULTIPLE ? "right" : "alone");
    MPI_Finalize();
    return 0;
}
