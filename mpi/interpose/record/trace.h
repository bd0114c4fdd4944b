/* The trace file of this rank. Restriction: all but is_open within the lock, or before others run.
 */
#ifndef CONTEND_TRACE_H
#define CONTEND_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "record.h"

/* What the file is of. */
struct contend_origin {
    const char *folder;
    int rank, ranks;
    uint64_t run; /* the same on all ranks of a launch, and on those of no other */
};

bool contend_trace_is_open(void);

/* Creates the file; false, and one line to the standard error, where that fails. */
bool contend_trace_open(const struct contend_origin *origin);

/* Where the words of the record begin. */
void contend_trace_begin(struct contend_record *record);

/* Whether there is room for that many words of one record; writes what is held where that helps.
 * Before the first word of a record. */
bool contend_trace_has_room(struct contend_record *record, size_t words);

/* How many words there is room for now. */
size_t contend_trace_room(void);

void contend_trace_word(struct contend_record *record, int64_t word);

/* Writes what is held where that is full, or a second has passed. */
void contend_trace_append(const struct contend_record *record);

/* Writes what is held; without a lock, for the end of the process. */
void contend_trace_flush(void);

/* Writes what is held and closes the file. */
void contend_trace_close(void);

/* No record any more, with one line to the standard error that says why. */
void contend_trace_stop(const char *why);

#endif
