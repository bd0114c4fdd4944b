/* What the calls of one process, or of all of a job, add up to. Knows no MPI.
 *
 * All structures hold numbers and characters alone, so that processes send them as they are. */
#ifndef CONTEND_SUMS_H
#define CONTEND_SUMS_H

#include <stdio.h>

#include "ledger.h"

enum { CONTEND_ALGORITHM = 48, CONTEND_OTHERS = 128 };

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
        double seconds, clock_error; /* of the rank where it is most */
        uint64_t not_kept, others[CONTEND_OTHERS];
        int32_t row_count, match_count;
    } head;
    struct contend_sum *rows;
    struct contend_match *matches;
};

/* What all lines of a job say alike. */
struct contend_job {
    uint64_t id;
    double began; /* seconds since 1970 */
    const char *name, *library, *ended;
    const char *const *operations, *const *others; /* names; others: of calls that are counted */
    int ranks, nodes;
};

/* How the common clock runs: what it shows more than the own one, at two instants of that. */
struct contend_clock_line {
    int64_t at[2], offset[2];
};

/* What a ledger holds. False without memory. */
bool contend_sum_up_ledger(struct contend_sums *sums, const struct contend_ledger *ledger,
                           const struct contend_clock_line *clock);

/* Adds those of other ranks. False without memory, and then nothing is added. */
bool contend_add_sums(struct contend_sums *sums, const struct contend_sums *others);

void contend_free_sums(struct contend_sums *sums);

/* Writes the line of a job, or of a rank of it, -1 for the job's. */
void contend_write_line(FILE *file, const struct contend_sums *sums,
                        const struct contend_job *job, int rank);

#endif
