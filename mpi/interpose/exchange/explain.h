/* Which algorithm serves which calls, and why, in a line for each kind of call. */
#ifndef CONTEND_EXPLAIN_H
#define CONTEND_EXPLAIN_H

#include "turn.h"

/* Says it after a call whose size is decided, once in this process for each number of ranks,
 * operation and size. */
void contend_explain(const struct contend_turn *turn);

/* Says what this process has saved, and what finding out has cost. */
void contend_explain_totals(const struct contend_plan *plan, const struct contend_totals *totals);

#endif
