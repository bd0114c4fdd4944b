/* Bytes of an exchange whose blocks differ, as far as decisions need them. */
#ifndef CONTEND_VOLUME_H
#define CONTEND_VOLUME_H

#include <stdint.h>

enum { CONTEND_PAIRED = 4 }; /* groups, at most, for which bytes are counted by pairs */

/* Sums alone, so that those of all ranks add up. */
struct contend_volume {
    int64_t sent;
    int64_t crossing[CONTEND_PAIRED * CONTEND_PAIRED]; /* from one group to another; no others */
};

enum { CONTEND_VOLUMES = sizeof(struct contend_volume) / sizeof(int64_t) };

struct contend_call;
struct contend_partition;

/* What a rank sends. */
struct contend_volume contend_volume_of(const struct contend_call *call,
                                        const struct contend_partition *groups, int rank);

/* What the ranks of a group would send another one at the most if each sent as much as this one. */
double contend_crossing_if_even(const struct contend_volume *own,
                                const struct contend_partition *groups, int rank);

/* What all ranks send in blocks of equal bytes. */
struct contend_volume contend_equal_volume(const struct contend_partition *groups, int64_t bytes);

/* The most that a group sends another one; -1 where pairs are not counted. */
int64_t contend_most_crossing(const struct contend_volume *volume,
                              const struct contend_partition *groups);

#endif
