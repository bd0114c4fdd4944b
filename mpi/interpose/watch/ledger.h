/* What the collective calls of this process add up to, by what they have in common, in bounded
 * memory: the one ledger of what is watched and of what is verified. Knows no MPI. */
#ifndef CONTEND_WATCH_LEDGER_H
#define CONTEND_WATCH_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sketch.h"

enum {
    CONTEND_GROUP = 8, /* bins that are kept together */
    CONTEND_GROUPS = CONTEND_BINS / CONTEND_GROUP,
    CONTEND_SAMPLES = 16 /* of a row, at most */
};

/* What calls have in common. Without padding, as keys are compared by their bytes. */
struct contend_key {
    int64_t m; /* bytes of a block of one rank, of the whole vector where that is not divided */
    const char *asked;     /* algorithm whose function was called first; NULL: none was */
    const char *ran;       /* the one that it handed the call on to, if it did, else the same */
    const char *inner_ran; /* algorithm of a reduction inside the call; NULL: none was seen */
    int64_t segment;       /* bytes that `ran` was given, -1: it takes none */
    int64_t fanout;        /* the same of its tree */
    int32_t n, nodes;      /* processes; nodes that they are on */
    int32_t ppn;           /* processes of each node, -1 where they differ */
    uint8_t operation;
    uint8_t inner;       /* of an ordered call: the reduction inside that `inner_ran` is of */
    uint8_t is_in_parts; /* only functions on other communicators were called */
    uint8_t is_ordered;  /* a reduction by an operation that does not commute */
};

struct contend_row {
    struct contend_key key;
    uint64_t calls;
    int64_t ns; /* of all calls */
    double bytes;
    uint16_t groups[CONTEND_GROUPS]; /* where the counts of bins are, from 1; 0: all are 0 */
    uint8_t lowest;                  /* shorter durations are in the first bin of this group */
    uint8_t samples;
    uint8_t thinned; /* of 2^thinned calls one is a sample */
};

/* A call that is kept for itself: which of its communicator, and when, by the own clock. */
struct contend_sample {
    uint64_t comm; /* alike on all ranks, 0: nothing identifies it, and the call is not kept */
    int64_t begin, end, m;
    uint32_t ordinal;
    uint16_t origin; /* the group of ranks that `comm` is of, in whatever numbers */
    uint16_t row;    /* set by the ledger */
};

/* Counts of a group of bins, of 40 bits each: at 100 ns a call enough for 30 hours in one bin. */
struct contend_counts {
    uint32_t low[CONTEND_GROUP];
    uint8_t high[CONTEND_GROUP];
};

struct contend_ledger {
    struct contend_row *rows;
    uint16_t *slots; /* [2 row_limit], row + 1, 0: free */
    struct contend_counts *counts;
    struct contend_sample *samples;
    int row_limit, rows_used, counts_limit, counts_used, sample_limit, samples_used;
    uint16_t spare;    /* counts that are free, 0: none */
    uint64_t not_kept; /* calls beyond `row_limit` different keys */
};

/* Bytes of a ledger with so many rows, groups of bins and samples. */
#define CONTEND_LEDGER_BYTES(rows, counts, samples)                                                \
    (sizeof(struct contend_ledger) +                                                               \
     (rows) * (sizeof(struct contend_row) + 2 * sizeof(uint16_t)) +                                \
     (counts) * sizeof(struct contend_counts) + (samples) * sizeof(struct contend_sample))

/* NULL without memory. `rows`: a power of two; with `counts`, more than these, or without. */
struct contend_ledger *contend_make_ledger(int rows, int counts, int samples);

/* None of these is for several threads at once. */

/* The row of a key, NULL where there is no room. */
struct contend_row *contend_row_of(struct contend_ledger *ledger, const struct contend_key *key);

/* Counts a duration where its bin has no counts yet. */
void contend_count_first(struct contend_ledger *ledger, struct contend_row *row, int bin);

/* Keeps a call that is drawn, see below. */
void contend_keep_sample(struct contend_ledger *ledger, struct contend_row *row,
                         const struct contend_sample *sample);

/* How often a bin of a row was met. */
uint64_t contend_ledger_count(const struct contend_ledger *ledger, const struct contend_row *row,
                              int bin);

/* Adds a call to a row. */
static inline void contend_add(struct contend_ledger *ledger, struct contend_row *row, int64_t ns,
                               int64_t bytes)
{
    row->calls++;
    row->ns += ns;
    row->bytes += (double)bytes;
    if (ledger->counts_limit == 0)
        return;
    const unsigned bin = (unsigned)contend_bin(ns), group = bin / CONTEND_GROUP,
                   at = bin % CONTEND_GROUP;
    if (group < row->lowest || row->groups[group] == 0) {
        contend_count_first(ledger, row, (int)bin);
        return;
    }
    struct contend_counts *counts = ledger->counts + row->groups[group] - 1;
    if (++counts->low[at] == 0)
        counts->high[at]++;
}

/* A number of a call that all its ranks have alike: which calls are samples goes by it, not by each
 * so many calls, as those of a loop would always be the same of its calls. */
static inline uint64_t contend_lot(uint64_t comm, uint32_t ordinal)
{
    const uint64_t mixed = (comm ^ ordinal * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return mixed ^ mixed >> 32;
}

static inline bool contend_is_drawn(uint64_t comm, uint32_t ordinal, int thinned)
{
    return (contend_lot(comm, ordinal) & ((1ULL << thinned) - 1)) == 0;
}

#endif
