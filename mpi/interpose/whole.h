/* The beginning and the end of MPI, for all modes that are on. */
#ifndef CONTEND_WHOLE_H
#define CONTEND_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this thread is in one of those calls: a tool behind this library comes through here once
 * more. */
extern __thread bool contend_is_in_whole;

/* Returns when it began, in ns. */
int64_t contend_before_init(void);
void contend_after_init(int64_t start, int code);

int64_t contend_before_finalize(void);
void contend_after_finalize(int64_t start);

void contend_before_abort(void);

#endif
