/* What an emulated network counted while a point was measured. For rank 0 alone. */
#ifndef CONTEND_COUNTERS_H
#define CONTEND_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* All zero where there is no such file. */
struct contend_counters {
    struct contend_counters_file *file; /* mapped and shared with who counts */
    size_t size;                        /* bytes mapped */
    size_t count;                       /* entries */
    bool is_writable;
    uint64_t *before; /* [count], set by contend_begin_counters */
    uint64_t *after;  /* [count], set by contend_end_counters */
};

/* Opens the file that CONTEND_COUNTERS names. Where it names none, or one that is not as it should
 * be, there are no counters, and all that follows does nothing. */
struct contend_counters contend_open_counters(void);

void contend_close_counters(struct contend_counters *counters);

/* Before the repetitions; peaks start anew. */
void contend_begin_counters(struct contend_counters *counters);

/* After the repetitions; may be called again after more of them. */
void contend_end_counters(struct contend_counters *counters);

/* What the counter of that name grew by between these two; 0 where there is none. */
uint64_t contend_counted(const struct contend_counters *counters, const char *name);

/* ,"counters":{"name":difference,...}, or nothing where there are none. */
void contend_print_counters(FILE *out, const struct contend_counters *counters);

#endif
