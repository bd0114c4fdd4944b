/* Ping-pong between pairs of processes, many pairs at a time. */
#ifndef CONTEND_PAIRS_H
#define CONTEND_PAIRS_H

#include <stdbool.h>

#include "experiment.h"
#include "graphs.h"

/* An experiment over graphs whose edges are pairs, no process in two of them. */
struct contend_experiment contend_pairs_experiment(const struct contend_graphs *graphs);

/* False: error names the first graph that has a process in two pairs. */
bool contend_are_disjoint(const struct contend_graphs *graphs, char *error, size_t size);

#endif
