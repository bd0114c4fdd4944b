/* The call of a collective operation that this thread is in, and what is seen of it. */
#ifndef CONTEND_VERIFY_CALL_H
#define CONTEND_VERIFY_CALL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "../collective.h"

/* What calls have in common whose times and counts are added up. */
struct contend_key {
    int64_t m; /* bytes of a block of one rank, of the whole vector where that is not divided */
    int32_t operation;
    int32_t n;             /* processes */
    const char *asked;     /* algorithm whose function was called first; NULL: none was */
    const char *ran;       /* the one that it handed the call on to, if it did, else the same */
    int64_t segment;       /* bytes that `ran` was given, -1: it takes none */
    int64_t fanout;        /* the same of its tree */
    bool is_in_parts;      /* only functions on other communicators were called */
    bool is_ordered;       /* a reduction by an operation that does not commute */
    int32_t inner;         /* of such a call: the reduction inside that `inner_ran` is of */
    const char *inner_ran; /* algorithm of a reduction inside the call; NULL: none was seen */
};

struct contend_verified {
    struct contend_key key;
    MPI_Comm comm;
    int64_t began;
    bool is_present, is_recorded;
};

/* Begin of a call; nested calls are not recorded. */
void contend_verify_begin(struct contend_verified *seen, const struct contend_collective *call);

/* Its end: adds it to the ledger. */
void contend_verify_end(struct contend_verified *seen);

/* A function of an algorithm is called on a communicator in the present call. */
void contend_see_algorithm(enum contend_operation operation, const char *name, MPI_Comm comm,
                           int64_t segment, int64_t fanout);

#endif
