/* Total exchange by way of others: blocks for other groups are packed, each crosses the slow link
 * once. */
#ifndef CONTEND_AGGREGATE_H
#define CONTEND_AGGREGATE_H

#include "algorithm.h"

/* Runs the itinerary of the task, whose blocks are placed and fit into the scratch. */
int contend_aggregate(struct contend_task *task);

/* More groups than one, one of them larger than one rank: else there is nothing to carry. */
bool contend_has_carriers(const struct contend_partition *groups);

#endif
