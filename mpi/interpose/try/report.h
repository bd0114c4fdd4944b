/* What was tried, what that cost, and what serves now, in words. */
#ifndef CONTEND_TRY_REPORT_H
#define CONTEND_TRY_REPORT_H

#include "../collective.h"
#include "challenge.h"

struct contend_offer;

struct contend_tried_counts {
    enum contend_operation operation;
    int ranks, class; /* 0: no bytes or any, else k: at most 2^(k - 1) bytes */
};

/* A line where $CONTEND_TRY_EXPLAIN wants one: 1 for standard error, else a file that it is added
 * to; nothing where nobody had a trial. `offers` are those of the challengers. */
void contend_report_tried(const struct contend_tried_counts *counts,
                          const struct contend_challenge *challenge,
                          const struct contend_offer *const *offers);

/* Why nothing is tried, on standard error, by the job's first rank. */
void contend_say_nothing_is_tried(const char *why);

#endif
