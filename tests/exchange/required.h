/* What the programs of this folder share: requirements, and what the library says of itself. */
#ifndef CONTEND_TESTS_REQUIRED_H
#define CONTEND_TESTS_REQUIRED_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends all ranks where it is not true, and says what is wrong at which rank. */
static inline void require(int is_true, const char *what)
{
    int rank = -1;
    if (is_true)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s\n", rank, what);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Names the host of this process by its rank, as launchers number them, before MPI_Init, when the
 * library's ranks tell each other where they are: one of the words that are repeated. */
static inline void name_host(const char *const *hosts, int count)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    for (int i = 0; i < 3; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL)
            setenv("CONTEND_EXCHANGE_HOST", hosts[atoi(rank) % count], 1);
    }
}

static const char *const by_turns[] = {"a", "b"};

/* -1 without the library. */
static inline long ask(const char *function, const char *what)
{
    long (*asked)(const char *);
    *(void **)&asked = dlsym(RTLD_DEFAULT, function);
    return asked == NULL ? -1 : asked(what);
}

static inline long calls_of(const char *algorithm)
{
    return ask("contend_exchange_calls", algorithm);
}

/* Pieces of memory, communicators and requests that the library still has. */
static inline long held(void)
{
    static const char *const kinds[] = {"memory", "communicators", "requests"};
    long all = 0;
    for (int i = 0; i < 3; i++)
        all += ask("contend_exchange_held", kinds[i]);
    return all;
}

/* Calls that were not the MPI library's. */
static inline long served(void)
{
    static const char *const names[] = {
#define ALGORITHM(name) #name,
#include "../../mpi/interpose/exchange/algorithms.def"
#undef ALGORITHM
    };
    long all = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        all += names[i][0] == 'n' && names[i][1] == 'a' ? 0 : calls_of(names[i]);
    return all;
}

#endif
