/* Total exchange by way of others: blocks for other groups are packed, each crosses the slow link
 * once. */
#ifndef CONTEND_AGGREGATE_H
#define CONTEND_AGGREGATE_H

#include "../algorithm.h"

/* Runs the itinerary of the task, whose blocks are placed and fit into the scratch. */
int contend_aggregate(struct contend_task *task);

#endif
