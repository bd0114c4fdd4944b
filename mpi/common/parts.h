/* Ends of the parts of a repetition, e.g. of its messages, each of which one rank sees. */
#ifndef CONTEND_PARTS_H
#define CONTEND_PARTS_H

#include "experiment.h"

/* All zero for an experiment that does not tell parts apart. */
struct contend_parts {
    size_t count;
    double *own;  /* [batch][count], seconds from the start of the repetition; 0 elsewhere */
    double *ends; /* [repetitions][count]; on rank 0 alone */
};

/* Before a batch of `batch` repetitions, after which there will be at most `repetitions`. */
void contend_reserve_parts(struct contend_parts *parts, const struct contend_experiment *experiment,
                           const struct contend_point *point, size_t batch, size_t repetitions);

/* After repetition `at` of the batch, which began at `begin`. */
void contend_note_parts(struct contend_parts *parts, const struct contend_experiment *experiment,
                        const struct contend_point *point, size_t at, double begin);

/* After a batch, of which `done` repetitions were made and `before` had been made before it. */
void contend_gather_parts(struct contend_parts *parts, const struct contend_point *point,
                          size_t done, size_t before);

void contend_free_parts(struct contend_parts *parts);

#endif
