/* What a program says: lines of "contend " and a JSON object, on standard output, from rank 0. */
#ifndef CONTEND_OUTPUT_H
#define CONTEND_OUTPUT_H

#include "arguments.h"
#include "counters.h"
#include "experiment.h"
#include "places.h"
#include "series.h"
#include "start.h"

/* Without the prefix and without MPI. */
void contend_print_describe(const struct contend_experiment *experiment);

void contend_print_launch(const struct contend_experiment *experiment, int n,
                          const struct contend_places *places,
                          const struct contend_starter *starter);

void contend_print_point(const struct contend_experiment *experiment,
                         const struct contend_point *point, const struct contend_series *series,
                         const struct contend_places *places, enum contend_start start,
                         const struct contend_counters *counters);

void contend_print_wrong_data(const struct contend_experiment *experiment,
                              const struct contend_point *point, int rank, const char *detail);

void contend_print_end(size_t points);

#endif
