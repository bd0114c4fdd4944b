/* Which algorithm serves which calls, and why, in a line for each kind of call. */
#ifndef CONTEND_EXPLAIN_H
#define CONTEND_EXPLAIN_H

#include "../choose/plan.h"
#include "../turn.h"
#include "summary.h"

/* Says it after a call whose size is decided, once in this process for each number of ranks,
 * operation and size. */
void contend_explain(const struct contend_turn *turn);

/* Says of a communicator that is freed which sizes are not decided yet, and who serves them. */
void contend_explain_undecided(const struct contend_state *state);

/* Says what this process has saved, and what finding out has cost. */
void contend_explain_totals(const struct contend_plan *plan, const struct contend_totals *totals);

enum { CONTEND_WORDS = 160 };

/* Of bytes of a class, e.g. "1 KiB to 2 KiB". */
const char *contend_size_text(int size, char text[CONTEND_WORDS]);

/* E.g. "1.94 ms". */
const char *contend_seconds_text(double seconds, char text[CONTEND_WORDS]);

/* Algorithm and settings; "native" for NULL. */
const char *contend_choice_text(const struct contend_choice *choice, char text[CONTEND_WORDS]);

const char *contend_kind_text(enum contend_exchange_kind kind);

/* E.g. "MPI_Ineighbor_alltoall". */
const char *contend_form_text(enum contend_operation operation, enum contend_form form,
                              char text[CONTEND_WORDS]);

#endif
