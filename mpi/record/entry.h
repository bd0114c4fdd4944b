/* How an entry point is made, and how it finds the library's own. */
#ifndef CONTEND_ENTRY_H
#define CONTEND_ENTRY_H

#include "own_mpi.h"

#define JOINED(name, suffix) JOINED_AS_WRITTEN(name, suffix)
#define JOINED_AS_WRITTEN(name, suffix) name##suffix

/* The library's own, looked for when the recorder is loaded, and where MPI comes later, then. */
#define NEXT(symbol) (*(next_##symbol != NULL ? next_##symbol : reached_##symbol()))
#define NEXT_OF(symbol)                                                                            \
    static __typeof__(&MPI_##symbol) next_##symbol;                                                \
    __attribute__((constructor)) static void find_##symbol(void)                                   \
    {                                                                                              \
        *(void **)&next_##symbol = dlsym(RTLD_NEXT, "PMPI_" #symbol);                              \
    }                                                                                              \
    __attribute__((cold)) static __typeof__(&MPI_##symbol) reached_##symbol(void)                  \
    {                                                                                              \
        contend_reach_mpi();                                                                       \
        find_##symbol();                                                                           \
        return next_##symbol;                                                                      \
    }

#define EXPORTED(symbol)                                                                           \
    extern __typeof__(MPI_##symbol) MPI_##symbol                                                   \
        __attribute__((alias("contend_" #symbol), visibility("default")));                         \
    extern __typeof__(PMPI_##symbol) PMPI_##symbol                                                 \
        __attribute__((alias("contend_" #symbol), visibility("default")));

#endif
