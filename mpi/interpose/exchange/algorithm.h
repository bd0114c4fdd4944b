/* What an algorithm of the portfolio is: one file in algorithms/ and one line in algorithms.def. */
#ifndef CONTEND_ALGORITHM_H
#define CONTEND_ALGORITHM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "schedule/groups.h"
#include "schedule/itinerary.h"
#include "transport/call.h"

enum { CONTEND_ALL = -1 }; /* window=all */

/* What a plan says beside the name; 0 where it says nothing. */
struct contend_settings {
    int window;  /* messages of a rank in flight over the slow link, or CONTEND_ALL */
    int chunk;   /* bytes */
    int leaders; /* per group */
};

/* All that an algorithm needs to serve a call. */
struct contend_task {
    const struct contend_call *call;
    const struct contend_partition *groups;
    struct contend_settings settings;
    struct contend_itinerary *itinerary; /* NULL for algorithms without a route */
    char *scratch;
    double in_flight; /* bytes that fill the slow link and its buffer; 0: unknown */
    const struct contend_level *spaced_by; /* whose link spaces messages; NULL: none does */
    const struct contend_volume *volume;   /* of all ranks; NULL where blocks are equal */
    MPI_Comm comm;                         /* private */
    int rank, processes;
    MPI_Request *requests; /* room for 4 per process */
    int *far_peers;        /* room for one per process */
    bool is_over;          /* set where it ran to its end, whatever it returns */
};

enum { CONTEND_MAX_ALGORITHMS = 16 };

struct contend_algorithm {
    const char *name;
    bool is_on_nodes; /* its groups are those of the node, whatever the level */
    bool is_cut;      /* its messages go in chunks */
    bool is_straight; /* its route only orders messages: no block goes by way of another rank */
    bool is_spaced;   /* its messages leave as the slow link carries them, where that is known */
    contend_route *route; /* NULL where blocks go straight to whom they are for */
    bool (*suits)(const struct contend_partition *groups);
    int (*run)(struct contend_task *task);
    atomic_long *calls;
};

/* NULL where there is none. */
const struct contend_algorithm *contend_algorithm_named(const char *name);

/* Names of all, with commas between them. */
const char *contend_algorithm_names(void);

/* In the order of the documents; NULL past the end. */
const struct contend_algorithm *contend_algorithm_at(int index);

int contend_algorithm_index(const struct contend_algorithm *algorithm);

extern const struct contend_algorithm contend_native;

/* Whether what goes to other groups goes by way of few; else every pair of ranks talks. */
static inline bool contend_is_packed(const struct contend_algorithm *algorithm)
{
    return algorithm->route != NULL && !algorithm->is_spaced;
}

#endif
