/* Which blocks a rank sends, receives and passes on, where blocks for other groups go by way of
 * others, as in the schedules of the catalogue.
 *
 * Three phases: the block from i to j is collected by the rank of i's group that sends it out,
 * crosses to the rank of j's group that takes it in, and is handed out to j; a step in which it
 * stays where it is falls away. Blocks inside a group go with what is collected. What goes between
 * the same two ranks in the same phase is one message, its blocks in order of source, then of
 * destination. Messages may be cut in chunks, each of so many bytes of every block. */
#ifndef CONTEND_ITINERARY_H
#define CONTEND_ITINERARY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "groups.h"

/* The way of a block to another group: who sends it out of the own one, who takes it into the
 * other, and where this message stands among all that its sender sends to other groups. */
struct contend_passage {
    int leaves, enters;
    int64_t order;
};

/* The way from src to dst of another group. `leaders` is what a plan says, or 0. */
typedef struct contend_passage contend_route(const struct contend_partition *groups, int leaders,
                                             int src, int dst);

/* The order in which all turns to the next group come first, then those to the one after. No group
 * has more turns than there are ranks. */
int64_t contend_group_by_group(const struct contend_partition *groups, int src, int dst, int turn);

/* How many groups dst's is after src's, in a circle. */
int contend_group_distance(const struct contend_partition *groups, int src, int dst);

#define CONTEND_OWN SIZE_MAX

struct contend_block {
    int src, dst;
    size_t from; /* of what is sent: index in the leg that it came in by, or CONTEND_OWN */
    int64_t at;  /* computed: where its piece of the chunk is in scratch, in bytes */
};

/* Consecutive blocks of a leg that are one message per chunk. */
struct contend_parcel {
    int peer;
    int64_t order;     /* among those of the leg */
    size_t first, end; /* into the leg's blocks */
    int64_t begin;     /* computed: of all its chunks in scratch */
    int64_t at, bytes; /* computed: the message of the chunk */
};

/* All messages of a phase in one direction, in the order in which they are begun. */
struct contend_leg {
    int parcels;
    struct contend_parcel *parcel;
    size_t blocks;
    struct contend_block *block;
    int64_t *bytes; /* [blocks], of whole blocks */
    int64_t chunk;  /* whose places are computed; -1: none */
};

enum {
    CONTEND_COLLECT_OUT,
    CONTEND_COLLECT_IN,
    CONTEND_CROSS_OUT,
    CONTEND_CROSS_IN,
    CONTEND_HAND_OUT,
    CONTEND_HAND_IN,
    CONTEND_LEGS
};

/* Chunks whose messages may be under way at a time. */
enum { CONTEND_CHUNKS_UNDER_WAY = 3 };

struct contend_itinerary {
    struct contend_leg leg[CONTEND_LEGS];
    int rank, processes;
    int senders;             /* ranks of the group that send out of it */
    int64_t segment;         /* bytes of a chunk, INT64_MAX where nothing is cut */
    int64_t size;            /* of all blocks where they are equal, else -1 */
    int64_t chunks;          /* computed: of the largest block, at least 1 */
    int64_t bytes;           /* computed: of scratch for messages */
    int64_t most_blocks;     /* of scratch; the caller sets it to that of the rank with most */
    int64_t *sent, *arrived; /* [processes + 1], computed: own blocks one after the other */
    MPI_Request *requests;
    double *due_s, *byte_s; /* [groups], set while it runs: when the next message to a group may
                             * leave, and how long after it for each byte */
};

/* NULL without memory. */
struct contend_itinerary *contend_plan_itinerary(const struct contend_partition *groups,
                                                 contend_route *route, int leaders, int64_t segment,
                                                 int rank);

void contend_free_itinerary(struct contend_itinerary *itinerary);

/* Balanced carriers of LG, whatever the sizes of the groups. From the carrier in the own group
 * straight to the destination. Between groups of a <= b ranks: to the position j of the larger
 * group, position j mod a carries. Of the larger group every a positions are a full group; in full
 * group f its position f a + j carries its a blocks for j. The r = b mod a ranks that are left
 * carry a blocks each as well: the r a blocks of theirs, by destination, are cut in r equal pieces.
 */
contend_route contend_balanced_route;

/* A step of a block, from this rank to a peer or the other way. */
struct contend_hop {
    int peer;
    int64_t order; /* of the message to or from that peer; the same for all of its hops */
    struct contend_block block;
};

/* A list that grows. */
struct contend_hops {
    struct contend_hop *hop;
    size_t count, room;
};

/* False, and all as it was, without memory. */
bool contend_add_hop(struct contend_hops *hops, struct contend_hop hop);

/* Hops by peer, else in their order; each hop's `from` gives way to its index in the leg. False
 * without memory; contend_free_leg takes what there is. */
bool contend_make_leg(struct contend_leg *leg, struct contend_hops *hops, int processes);

void contend_free_leg(struct contend_leg *leg);

#endif
