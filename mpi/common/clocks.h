/* One clock for all ranks: those that read the same one are found, the others are synchronised. */
#ifndef CONTEND_CLOCKS_H
#define CONTEND_CLOCKS_H

#include <mpi.h>
#include <stdbool.h>

#include "drift.h"
#include "places.h"

/* Which ranks are taken to read one clock until messages contradict, the widest claim first. */
enum contend_claim { CONTEND_CLOCK_OF_KERNEL, CONTEND_CLOCK_OF_HOST, CONTEND_CLOCK_OF_RANK };

/* How far apart the ranks' common clocks are. */
struct contend_skew {
    double largest; /* s, between any two ranks, as measured */
    double bound;   /* s, as much as that may be wrong for any rank: half of the round trips */
    double misfit;  /* s, by which messages contradict that the clocks run straight */
};

struct contend_clocks {
    MPI_Comm comm;
    MPI_Comm alike;   /* the ranks that read the same clock as this one */
    MPI_Comm leaders; /* the first rank of each clock; MPI_COMM_NULL on others */
    const struct contend_places *places;
    enum contend_claim claim;
    bool is_believed;                /* every clock is taken as it is: none is corrected */
    int count;                       /* different clocks */
    struct contend_offsets offsets;  /* of the leader that this one asks */
    struct contend_clock_model edge; /* that leader's clock by this one's */
};

/* Collective, as all that follows. Sets the common clock. */
struct contend_clocks contend_join_clocks(MPI_Comm comm, const struct contend_places *places,
                                          bool is_believed);

/* How far apart the clocks have got since they were last looked at; corrects them. */
struct contend_skew contend_check_clocks(struct contend_clocks *clocks);

void contend_free_clocks(struct contend_clocks *clocks);

#endif
