/* Messages that leave no faster than the slow link carries them. */
#ifndef CONTEND_SPACING_H
#define CONTEND_SPACING_H

#include <mpi.h>
#include <stdint.h>

struct contend_level;
struct contend_partition;
struct contend_task;

/* What a rank lets pass between two messages to the same group. */
struct contend_spacing {
    double byte_s; /* seconds for each byte; 0: none */
    double *due_s; /* [groups], when the next message may leave; has no meaning without byte_s */
};

/* The spacing of a task whose first messages have so many bytes, from now on: that of the link,
 * which the ranks that send out of the group share. They begin one after the other. */
struct contend_spacing contend_begin_spacing(const struct contend_task *task, int64_t bytes);

/* Waits until the next message to a group may leave, which is the one of so many bytes. */
int contend_await_turn(const struct contend_spacing *spacing, int group, int64_t bytes,
                       MPI_Comm comm);

/* Bytes of a chunk over a link, a power of two from 1 KiB to 1 MiB: those of all ranks of a group
 * fill two thirds of its buffer at most. 8 KiB, or as much as keeps the link busy while the first
 * is on its way. */
int64_t contend_spaced_bytes(const struct contend_level *link,
                             const struct contend_partition *groups);

#endif
