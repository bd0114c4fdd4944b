/* What the calls of one process, or of all of a job, add up to. Knows no MPI.
 *
 * All structures hold numbers and characters alone, so that processes send them as they are. */
#ifndef CONTEND_SUMS_H
#define CONTEND_SUMS_H

#include <stdio.h>

#include "ledger.h"

enum { CONTEND_ALGORITHM = 48, CONTEND_OTHERS = 128 };

/* How calls are made that are only counted: those of an operation have CONTEND_FORMS counts. */
enum contend_form {
    CONTEND_OF_NEIGHBOURS, /* or of whatever has no rows */
    CONTEND_BEGUN,
    CONTEND_STARTED_LATER,
    CONTEND_BETWEEN_GROUPS,
    CONTEND_OF_SEVERAL_WORLDS,
    CONTEND_FORMS
};

/* Calls that have all of this in common. */
struct contend_sum {
    char algorithm[CONTEND_ALGORITHM]; /* "": not known */
    int64_t size, ns;
    double bytes;
    uint64_t calls, bins[CONTEND_BINS];
    int32_t operation, n, nodes, ppn;
};

/* A call as several of its ranks have kept it; instants by the common clock. */
struct contend_match {
    uint64_t comm;
    int64_t first_begin, last_begin, last_end, lateness; /* lateness: of all after the first */
    int64_t m, m_most;                                   /* the sum over ranks, and the most */
    uint32_t ordinal;
    int32_t ranks, row; /* row: of the rank with most bytes */
};

struct contend_sums {
    struct contend_head {
        int64_t ns, clock_error_ns;                       /* of the rank where it is most */
        uint64_t calls, not_kept, others[CONTEND_OTHERS]; /* [operation * CONTEND_FORMS + form] */
        int32_t row_count, match_count;
    } head;
    struct contend_sum *rows;
    struct contend_match *matches;
};

/* What all lines of a job say alike. */
struct contend_job {
    uint64_t id;
    int64_t began_ns; /* since 1970 */
    const char *name, *library, *ended;
    const char *const *operations; /* names */
    int ranks, nodes;
};

/* How the common clock runs: what it shows more than the own one, at two instants of that. */
struct contend_clock_line {
    int64_t at[2], offset[2];
};

/* What a ledger holds. False without memory. */
bool contend_sum_up_ledger(struct contend_sums *sums, const struct contend_ledger *ledger,
                           const struct contend_clock_line *clock);

/* Room for those of other ranks. False without memory. */
bool contend_make_room(struct contend_sums *sums, const struct contend_sums *others);

/* Adds them, for which there is room; `others` are used up. */
void contend_add_sums(struct contend_sums *sums, struct contend_sums *others);

void contend_free_sums(struct contend_sums *sums);

/* Writes the line of a job, or of a rank of it, -1 for the job's. */
void contend_write_line(FILE *file, const struct contend_sums *sums, const struct contend_job *job,
                        int rank);

/* Quoted, or null for none. */
void contend_write_text(FILE *file, const char *text);

void contend_write_seconds(FILE *file, int64_t ns);

#endif
