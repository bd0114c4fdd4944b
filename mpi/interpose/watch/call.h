/* The collective call of the program that this thread is in, and what is seen of it. */
#ifndef CONTEND_WATCH_CALL_H
#define CONTEND_WATCH_CALL_H

#include "../collective.h"
#include "ledger.h"

struct contend_members;

struct contend_watched {
    struct contend_key key;
    struct contend_members *members;
    MPI_Comm comm;
    const char *served; /* by which algorithm of this library; NULL: by MPI */
    int64_t begin;      /* ticks */
    uint32_t ordinal;
    bool is_present;
};

/* Begin of a call of the program itself. */
void contend_watch_begin(struct contend_watched *call, const struct contend_collective *of);

/* Its end: adds it to the ledgers of the modes that are on. */
void contend_watch_end(struct contend_watched *call);

/* The present call is served by an algorithm of this library, not by MPI. */
void contend_watch_served(const char *algorithm);

/* A function of an algorithm is called on a communicator in the present call. */
void contend_see_algorithm(enum contend_operation operation, const char *name, MPI_Comm comm,
                           int64_t segment, int64_t fanout);

#endif
