/* Messages that leave no faster than the slow link carries them. */
#ifndef CONTEND_SPACING_H
#define CONTEND_SPACING_H

#include <mpi.h>
#include <stdint.h>

struct contend_level;
struct contend_partition;
struct contend_task;

/* What a link carries for a message of so many bytes, with its headers. */
double contend_on_link(int64_t bytes);

/* What a rank lets pass between messages to the same group. A bucket of credit, as in the generic
 * cell rate algorithm (ITU-T I.371): the link's buffer lets a rank send ahead of its rate, and what
 * it was late, it may catch up with as far as that goes. */
struct contend_spacing {
    double *byte_s;  /* [groups], seconds for each byte to one; NULL: nothing waits */
    double header_s; /* the same of headers, of which all ranks have as many */
    double ahead_s;  /* of sending at that rate, that may be sent at once */
    double *due_s;   /* [groups], until when what was sent keeps the link busy */
};

/* The spacing of a task from now on: that of the link, which the ranks that send out of the group
 * share by what each has to send, where that is known, else in equal parts. */
struct contend_spacing contend_begin_spacing(const struct contend_task *task);

/* Waits until the next message to a group may leave, which is the one of so many bytes. */
int contend_await_turn(const struct contend_spacing *spacing, int group, int64_t bytes,
                       MPI_Comm comm);

/* Bytes of a chunk over a link, a power of two from 1 KiB to 1 MiB: those of all ranks of a group
 * fill a third of its buffer at most. 8 KiB, or as much as keeps the link busy while the first
 * is on its way. */
int64_t contend_spaced_bytes(const struct contend_level *link,
                             const struct contend_partition *groups);

#endif
