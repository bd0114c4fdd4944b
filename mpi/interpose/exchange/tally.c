/* What the calls of this process add up to, by operation, size of blocks and algorithm. */
#include "tally.h"

#include <pthread.h>

static struct contend_totals totals;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

int contend_size_class(int64_t bytes)
{
    int size = 0;
    while (size + 1 < CONTEND_SIZES && bytes >> (size + 1) > 0)
        size++;
    return size;
}

void contend_count_call(enum contend_exchange_kind kind, int size,
                        const struct contend_algorithm *algorithm, const struct contend_tally *call)
{
    struct contend_tally *tally = &totals.of[kind][size][contend_algorithm_index(algorithm)];
    pthread_mutex_lock(&counting);
    tally->calls += call->calls;
    tally->bytes += call->bytes;
    tally->seconds += call->seconds;
    tally->saved_calls += call->saved_calls;
    tally->saved_s += call->saved_s;
    pthread_mutex_unlock(&counting);
}

void contend_count_check(double calls, double seconds)
{
    pthread_mutex_lock(&counting);
    totals.checked_sizes++;
    totals.checked_calls += calls;
    totals.check_s += seconds;
    pthread_mutex_unlock(&counting);
}

void contend_read_totals(struct contend_totals *copy)
{
    pthread_mutex_lock(&counting);
    *copy = totals;
    pthread_mutex_unlock(&counting);
}
