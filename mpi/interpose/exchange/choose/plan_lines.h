/* One line of a plan. */
#ifndef CONTEND_PLAN_LINES_H
#define CONTEND_PLAN_LINES_H

#include "plan.h"

/* Adds what the line says to the plan; false with the reason in `why` where it is not understood.
 */
bool contend_read_line(struct contend_plan *plan, char *line, bool is_first, char *why,
                       size_t size);

/* The reason is all that is kept of a plan that is refused. */
void contend_refuse(struct contend_plan *refused, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
