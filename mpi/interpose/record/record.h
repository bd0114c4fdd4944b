/* What a trace holds of one call, and the pseudo-calls that a trace is read by. */
#ifndef CONTEND_RECORD_H
#define CONTEND_RECORD_H

#include <mpi.h>
#include <stdint.h>

/* Pseudo-calls come first; then all calls of the tables, in their order. */
enum contend_kind {
    CONTEND_KIND_flush,        /* the time that writing took */
    CONTEND_KIND_clock,        /* bytes: ns that the common clock shows more at `start`; received:
                                  how wrong that may be */
    CONTEND_KIND_communicator, /* its members in words */
#define NAME(name) CONTEND_KIND_##name,
#include "../names.def"
#undef NAME
    CONTEND_KINDS
};

enum contend_flag {
    CONTEND_FAILED = 1,     /* the call returned an error */
    CONTEND_ANY_SOURCE = 2, /* the program left it open */
    CONTEND_ANY_TAG = 4,
    CONTEND_SENDS = 8, /* what a request does */
    CONTEND_RECEIVES = 16,
    CONTEND_COLLECTS = 32,
    CONTEND_PERSISTS = 64,
    CONTEND_IN_PLACE = 128,
    CONTEND_UNSUCCESSFUL =
        256,                 /* polls that found nothing; received: how many, bytes: ns in them */
    CONTEND_CONTINUED = 512, /* the call of the record before, which had too many requests */
    CONTEND_INTER = 1024,    /* a communicator of two groups */
    CONTEND_CUT = 2048,      /* words did not fit and are missing */
    CONTEND_CANCELLED = 4096,
    CONTEND_ACTIVE = 8192, /* in memory only: a persistent request that was started */
    CONTEND_ENDS = 16384   /* its words are requests that ended */
};

/* Peers that are no ranks, in place of what the MPI library calls them. */
enum { CONTEND_NO_PEER = -1, CONTEND_ROOT = -2, CONTEND_UNKNOWN = -3, CONTEND_NOT_RECEIVED = -4 };

struct contend_record {
    int64_t start, end; /* ns of CLOCK_MONOTONIC of this rank */
    int64_t bytes;      /* sent, or in point-to-point what was received */
    int64_t received;   /* of collectives: a block of what is received; of a start: the kind of what
                           made the request */
    uint16_t kind, flags;
    int32_t comm; /* this rank's number of it; -1: none */
    int32_t peer; /* rank in the communicator, or the root */
    int32_t tag;
    uint32_t request;      /* this rank's number of it; 0: none */
    uint32_t first, words; /* where its words begin in the block, and how many it has */
    uint32_t thread;
};

/* Words of a record, by kind:
 * - waits and tests: for each request that ended its number, source, tag, bytes (of sends: -3, 0,
 *   0; cancelled: source -4);
 * - sendrecv: source, tag and bytes of what was received;
 * - collectives with counts of ranks: bytes to each rank, then from each, where the call has them;
 * - communicator: runs of ranks of the world: first, how many, step; of two groups, the other after
 *   a run of none. */
extern const char *const contend_kind_names[CONTEND_KINDS];

#endif
