/* Blocking messages between the two ranks of an experiment for exactly two processes. Inline, for
 * they stand in timed regions. */
#ifndef CONTEND_PAIR_H
#define CONTEND_PAIR_H

#include "experiment.h"
#include "require.h"

enum contend_tag { CONTEND_TAG_EMPTY = 1, CONTEND_TAG_DATA };

/* An empty message: a request, an answer, or that the sender is about to receive. */
static inline void contend_send_empty(const struct contend_point *point)
{
    REQUIRE_MPI(MPI_Send(NULL, 0, MPI_BYTE, 1 - point->rank, CONTEND_TAG_EMPTY, point->comm));
}

static inline void contend_receive_empty(const struct contend_point *point)
{
    REQUIRE_MPI(MPI_Recv(NULL, 0, MPI_BYTE, 1 - point->rank, CONTEND_TAG_EMPTY, point->comm,
                         MPI_STATUS_IGNORE));
}

/* m bytes at data. */
static inline void contend_send_data(const struct contend_point *point, const void *data)
{
    REQUIRE_MPI(
        MPI_Send(data, (int)point->m, MPI_BYTE, 1 - point->rank, CONTEND_TAG_DATA, point->comm));
}

static inline void contend_receive_data(const struct contend_point *point, void *data)
{
    REQUIRE_MPI(MPI_Recv(data, (int)point->m, MPI_BYTE, 1 - point->rank, CONTEND_TAG_DATA,
                         point->comm, MPI_STATUS_IGNORE));
}

#endif
