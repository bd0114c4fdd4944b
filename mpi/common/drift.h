/* The model of one clock by another from bounds of their offset, seen over and over. Knows no MPI.
 */
#ifndef CONTEND_DRIFT_H
#define CONTEND_DRIFT_H

#include <stddef.h>

#include "clock.h"

#define CONTEND_OFFSETS_KEPT 32

/* What the other clock showed more than the own one, when that showed `at`. */
struct contend_offset {
    double at, low, high;
};

/* The last of them, oldest first. */
struct contend_offsets {
    struct contend_offset kept[CONTEND_OFFSETS_KEPT];
    size_t count;
};

void contend_note_offset(struct contend_offsets *offsets, struct contend_offset offset);

/* The other clock's model by what is kept; all 0 where that is nothing. */
struct contend_clock_model contend_fit_clock(const struct contend_offsets *offsets);

/* How far the model is outside of the bounds that are kept, at worst: 0 for clocks that run
 * straight. */
double contend_misfit(const struct contend_offsets *offsets,
                      const struct contend_clock_model *model);

/* `outer` after `inner`: the model of the clock that outer models, by readings of inner's. */
struct contend_clock_model contend_chain_clocks(const struct contend_clock_model *outer,
                                                const struct contend_clock_model *inner);

#endif
