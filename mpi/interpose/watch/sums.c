/* What the calls of one process, or of all of a job, add up to. */
#include "sums.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct contend_sum *a, const struct contend_sum *b)
{
    return a->operation == b->operation && a->size == b->size && a->n == b->n &&
           a->nodes == b->nodes && a->ppn == b->ppn &&
           strncmp(a->algorithm, b->algorithm, CONTEND_ALGORITHM) == 0;
}

static int64_t by_common_clock(const struct contend_clock_line *clock, int64_t at)
{
    const double span = (double)(clock->at[1] - clock->at[0]);
    const double share = span > 0 ? (double)(at - clock->at[0]) / span : 0;
    return at + clock->offset[0] + (int64_t)(share * (double)(clock->offset[1] - clock->offset[0]));
}

static struct contend_sum sum_of(const struct contend_ledger *ledger, const struct contend_row *row)
{
    struct contend_sum sum = {.size = row->key.m,
                              .ns = row->ns,
                              .bytes = row->bytes,
                              .calls = row->calls,
                              .operation = row->key.operation,
                              .n = row->key.n,
                              .nodes = row->key.nodes,
                              .ppn = row->key.ppn};
    if (row->key.ran != NULL)
        strncpy(sum.algorithm, row->key.ran, CONTEND_ALGORITHM - 1);
    for (int bin = 0; bin < CONTEND_BINS; bin++)
        sum.bins[bin] = contend_ledger_count(ledger, row, bin);
    return sum;
}

bool contend_sum_up_ledger(struct contend_sums *sums, const struct contend_ledger *ledger,
                           const struct contend_clock_line *clock)
{
    sums->rows = malloc(((size_t)ledger->rows_used + 1) * sizeof *sums->rows);
    sums->matches = malloc(((size_t)ledger->samples_used + 1) * sizeof *sums->matches);
    if (sums->rows == NULL || sums->matches == NULL) {
        contend_free_sums(sums);
        return false;
    }
    sums->head.not_kept = ledger->not_kept;
    sums->head.row_count = ledger->rows_used;
    for (int i = 0; i < ledger->rows_used; i++) {
        sums->rows[i] = sum_of(ledger, ledger->rows + i);
        sums->head.calls += ledger->rows[i].calls;
    }
    for (int i = 0; i < ledger->samples_used; i++) {
        const struct contend_sample *sample = ledger->samples + i;
        const int64_t begin = by_common_clock(clock, sample->begin);
        if (sample->comm == 0)
            continue;
        sums->matches[sums->head.match_count++] =
            (struct contend_match){.comm = sample->comm,
                                   .ordinal = sample->ordinal,
                                   .row = sample->row,
                                   .ranks = 1,
                                   .m = sample->m,
                                   .m_most = sample->m,
                                   .first_begin = begin,
                                   .last_begin = begin,
                                   .last_end = begin + sample->end - sample->begin};
    }
    return true;
}

static void add_sum(struct contend_sum *sum, const struct contend_sum *other)
{
    sum->calls += other->calls;
    sum->bytes += other->bytes;
    sum->ns += other->ns;
    for (int bin = 0; bin < CONTEND_BINS; bin++)
        sum->bins[bin] += other->bins[bin];
}

static void add_match(struct contend_match *match, const struct contend_match *other)
{
    const int64_t first =
        other->first_begin < match->first_begin ? other->first_begin : match->first_begin;
    match->lateness += match->ranks * (match->first_begin - first) + other->lateness +
                       other->ranks * (other->first_begin - first);
    match->first_begin = first;
    if (other->last_begin > match->last_begin)
        match->last_begin = other->last_begin;
    if (other->last_end > match->last_end)
        match->last_end = other->last_end;
    if (other->m_most > match->m_most) {
        match->m_most = other->m_most;
        match->row = other->row;
    }
    match->ranks += other->ranks;
    match->m += other->m;
}

static int by_call(const void *a, const void *b)
{
    const struct contend_match *one = a, *other = b;
    if (one->comm != other->comm)
        return one->comm < other->comm ? -1 : 1;
    return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* Puts those of the same call together. */
static void unite(struct contend_sums *sums)
{
    struct contend_match *all = sums->matches;
    int kept = 0;
    qsort(all, (size_t)sums->head.match_count, sizeof *all, by_call);
    for (int i = 0; i < sums->head.match_count; i++)
        if (kept > 0 && by_call(&all[kept - 1], &all[i]) == 0)
            add_match(&all[kept - 1], &all[i]);
        else
            all[kept++] = all[i];
    sums->head.match_count = kept;
}

static int row_like(struct contend_sums *sums, const struct contend_sum *wanted)
{
    int row = 0;
    while (row < sums->head.row_count && !is_same(sums->rows + row, wanted))
        row++;
    return row;
}

bool contend_make_room(struct contend_sums *sums, const struct contend_sums *others)
{
    const size_t rows = (size_t)sums->head.row_count + (size_t)others->head.row_count + 1;
    const size_t matches = (size_t)sums->head.match_count + (size_t)others->head.match_count + 1;
    struct contend_sum *more = realloc(sums->rows, rows * sizeof *more);
    if (more == NULL)
        return false;
    sums->rows = more;
    struct contend_match *more_matches = realloc(sums->matches, matches * sizeof *more_matches);
    if (more_matches == NULL)
        return false;
    sums->matches = more_matches;
    return true;
}

static void add_head(struct contend_head *head, const struct contend_head *other)
{
    head->calls += other->calls;
    head->not_kept += other->not_kept;
    for (int i = 0; i < CONTEND_OTHERS; i++)
        head->others[i] += other->others[i];
    if (other->ns > head->ns)
        head->ns = other->ns;
    if (other->clock_error_ns > head->clock_error_ns)
        head->clock_error_ns = other->clock_error_ns;
}

void contend_add_sums(struct contend_sums *sums, struct contend_sums *others)
{
    for (int i = 0; i < others->head.row_count; i++) {
        struct contend_sum *other = others->rows + i;
        const int row = row_like(sums, other);
        if (row < sums->head.row_count)
            add_sum(sums->rows + row, other);
        else
            sums->rows[sums->head.row_count++] = *other;
        other->n = row; /* where it went */
    }
    for (int i = 0; i < others->head.match_count; i++) {
        struct contend_match *match = sums->matches + sums->head.match_count++;
        *match = others->matches[i];
        match->row = others->rows[match->row].n;
    }
    unite(sums);
    add_head(&sums->head, &others->head);
}

void contend_free_sums(struct contend_sums *sums)
{
    free(sums->rows);
    free(sums->matches);
    sums->rows = NULL;
    sums->matches = NULL;
}
