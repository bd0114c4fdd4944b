/* All repetitions of one point: warm-up, batches, the decision to stop. */
#ifndef CONTEND_SERIES_H
#define CONTEND_SERIES_H

#include "adaptive.h"
#include "arguments.h"
#include "counters.h"
#include "experiment.h"
#include "parts.h"
#include "start.h"

/* Filled on rank 0 alone, except count. */
struct contend_series {
    double *values;      /* [capacity], of which count are set, in order */
    bool *is_late;       /* [capacity], likewise */
    double *rank_values; /* [capacity][n], likewise; NULL unless wanted per rank */
    struct contend_parts parts;
    size_t capacity;
    size_t count;
    size_t n_warmup; /* so many at the front are warm-up */
    double interval_relative;
    enum contend_verdict stopped;
    struct contend_skew skew; /* of the clocks, meanwhile; set on all ranks */
    double busy_share;        /* of the cores of rank 0's machine, NAN where it is not known */
    double wait_share;        /* of their time that ranks waited for a core, likewise */
};

/* Calibrates and measures one point that has been set up and checked. Collective. `counters` (and
 * both shares) are then those of all repetitions but the warm-up asked for, and of what starts them
 * together: how many more at the front are warm-up is known only when they are over. */
struct contend_series contend_measure(const struct contend_experiment *experiment,
                                      struct contend_point *point,
                                      const struct contend_arguments *arguments,
                                      struct contend_starter *starter,
                                      struct contend_counters *counters);

void contend_free_series(struct contend_series *series);

#endif
