/* What the collective calls of this process add up to.
 *
 * A row for each key, found by hashing with open addressing (Knuth, The Art of Computer Programming
 * 3, 6.4); callers remember the rows of their last calls. Bins are kept by groups, and those of all
 * rows share one store: where it is full, the lowest group of the row with most groups collapses
 * into the next, as in DDSketch. Samples share one store, too: a row has at most CONTEND_SAMPLES;
 * where there is no room, every second of a row goes, and from then on it takes half as many. What
 * a rank keeps thus holds all that a rank with fewer keeps of the same calls. */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THINNED = 40 };

_Static_assert(sizeof(struct contend_key) == 64, "keys are compared by their bytes");

struct contend_ledger *contend_make_ledger(int rows, int counts, int samples)
{
    struct contend_ledger *ledger =
        calloc(1, CONTEND_LEDGER_BYTES((size_t)rows, (size_t)counts, (size_t)samples));
    if (ledger == NULL)
        return NULL;
    ledger->row_limit = rows;
    ledger->counts_limit = counts;
    ledger->sample_limit = samples;
    ledger->rows = (struct contend_row *)(ledger + 1); /* in the order of their alignment */
    ledger->samples = (struct contend_sample *)(ledger->rows + rows);
    ledger->counts = (struct contend_counts *)(ledger->samples + samples);
    ledger->slots = (uint16_t *)(ledger->counts + counts);
    return ledger;
}

static size_t slot_of(const struct contend_ledger *ledger, const struct contend_key *key)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    uint64_t words[sizeof *key / sizeof(uint64_t)], mixed = 0;
    memcpy(words, key, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        mixed = (mixed ^ (mixed >> 29) ^ words[i]) * golden;
    return (size_t)(mixed >> 40) & (2 * (size_t)ledger->row_limit - 1);
}

struct contend_row *contend_row_of(struct contend_ledger *ledger, const struct contend_key *key)
{
    const size_t slots = 2 * (size_t)ledger->row_limit;
    size_t at = slot_of(ledger, key);
    for (; ledger->slots[at] != 0; at = (at + 1) % slots) {
        struct contend_row *row = ledger->rows + ledger->slots[at] - 1;
        if (memcmp(&row->key, key, sizeof *key) == 0)
            return row;
    }
    if (ledger->rows_used == ledger->row_limit)
        return NULL;
    struct contend_row *row = ledger->rows + ledger->rows_used++;
    ledger->slots[at] = (uint16_t)ledger->rows_used;
    row->key = *key;
    return row;
}

static void increase(struct contend_counts *counts, int at, uint64_t by)
{
    const uint64_t sum = counts->low[at] + ((uint64_t)counts->high[at] << 32) + by;
    counts->low[at] = (uint32_t)sum;
    counts->high[at] = (uint8_t)(sum >> 32);
}

static uint64_t count_at(const struct contend_counts *counts, int at)
{
    return counts->low[at] + ((uint64_t)counts->high[at] << 32);
}

uint64_t contend_ledger_count(const struct contend_ledger *ledger, const struct contend_row *row,
                              int bin)
{
    const int group = row->groups[bin / CONTEND_GROUP];
    return group == 0 ? 0 : count_at(ledger->counts + group - 1, bin % CONTEND_GROUP);
}

static int groups_of(const struct contend_row *row)
{
    int groups = 0;
    for (int i = 0; i < CONTEND_GROUPS; i++)
        groups += row->groups[i] != 0;
    return groups;
}

/* Makes room: the row with most groups, which are several as there are more counts than rows,
 * takes its lowest into the next. */
static void collapse(struct contend_ledger *ledger)
{
    struct contend_row *row = ledger->rows;
    for (int i = 1; i < ledger->rows_used; i++)
        if (groups_of(ledger->rows + i) > groups_of(row))
            row = ledger->rows + i;
    int low = 0;
    while (row->groups[low] == 0)
        low++;
    int next = low + 1;
    while (row->groups[next] == 0)
        next++;
    ledger->spare = row->groups[low];
    row->groups[low] = 0;
    row->lowest = (uint8_t)next;
    struct contend_counts *freed = ledger->counts + ledger->spare - 1;
    for (int i = 0; i < CONTEND_GROUP; i++)
        increase(ledger->counts + row->groups[next] - 1, 0, count_at(freed, i));
    memset(freed, 0, sizeof *freed);
}

static uint16_t take_counts(struct contend_ledger *ledger)
{
    uint16_t taken = ledger->spare;
    ledger->spare = 0;
    if (taken == 0 && ledger->counts_used < ledger->counts_limit)
        taken = (uint16_t)++ledger->counts_used;
    return taken;
}

void contend_count_first(struct contend_ledger *ledger, struct contend_row *row, int bin)
{
    for (;; collapse(ledger)) { /* which may be of this very row */
        if (bin / CONTEND_GROUP < row->lowest)
            bin = row->lowest * CONTEND_GROUP;
        uint16_t *group = row->groups + bin / CONTEND_GROUP;
        if (*group == 0)
            *group = take_counts(ledger);
        if (*group != 0) {
            increase(ledger->counts + *group - 1, bin % CONTEND_GROUP, 1);
            return;
        }
    }
}

/* Lets those samples of a row go that were not drawn of half as many. */
static void thin(struct contend_ledger *ledger, struct contend_row *row)
{
    const int number = (int)(row - ledger->rows);
    row->thinned++;
    for (int i = ledger->samples_used - 1; i >= 0; i--) {
        struct contend_sample *sample = ledger->samples + i;
        if (sample->row != number || contend_is_drawn(sample->comm, sample->ordinal, row->thinned))
            continue;
        *sample = ledger->samples[--ledger->samples_used];
        row->samples--;
    }
}

static struct contend_row *most_sampled(struct contend_ledger *ledger)
{
    struct contend_row *most = ledger->rows;
    for (int i = 1; i < ledger->rows_used; i++)
        if (ledger->rows[i].samples > most->samples)
            most = ledger->rows + i;
    return most;
}

void contend_keep_sample(struct contend_ledger *ledger, struct contend_row *row,
                         const struct contend_sample *sample)
{
    while (contend_is_drawn(sample->comm, sample->ordinal, row->thinned)) {
        const bool is_full = ledger->samples_used == ledger->sample_limit;
        if (row->samples < CONTEND_SAMPLES && !is_full) {
            struct contend_sample *kept = ledger->samples + ledger->samples_used++;
            *kept = *sample;
            kept->row = (uint16_t)(row - ledger->rows);
            row->samples++;
            return;
        }
        struct contend_row *thinned = row->samples < CONTEND_SAMPLES ? most_sampled(ledger) : row;
        if (thinned->thinned == MOST_THINNED)
            return;
        thin(ledger, thinned);
    }
}
