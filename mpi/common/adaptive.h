/* When to stop repeating, and which repetitions were warm-up. Knows no MPI. */
#ifndef CONTEND_ADAPTIVE_H
#define CONTEND_ADAPTIVE_H

#include <stdbool.h>
#include <stddef.h>

struct contend_interval {
    double low;
    double median; /* of an even number of values: the mean of the middle two */
    double high;
};

struct contend_limits {
    size_t min_repetitions;
    size_t max_repetitions;
    double max_seconds;
    double precision;  /* wanted half-width of the interval of the median / median */
    double confidence; /* of that interval, e.g. 0.95 */
};

enum contend_verdict {
    CONTEND_GO_ON,
    CONTEND_PRECISION,
    CONTEND_MAX_REPETITIONS,
    CONTEND_MAX_SECONDS
};

/* sorted[0..n) = values in ascending order. */
void contend_sort(const double *values, size_t n, double *sorted);

/* P(Bin(n, p) >= r). */
double contend_binomial_tail(size_t n, double p, size_t r);

/* Bootstrap percentile interval of the median in the limit of infinitely many resamples; n >= 1,
 * unbounded for n = 1. */
struct contend_interval contend_median_interval(const double *sorted, size_t n, double confidence);

/* Half-width / median; 0 for a width of 0, INFINITY for a median of 0 otherwise. */
double contend_interval_relative(struct contend_interval interval);

/* Number of values at the front, at most half, that are warm-up. scratch has room for n. */
size_t contend_warmup_length(const double *values, size_t n, double *scratch);

/* Whether `kept` repetitions suffice, given the interval so far and whether time is up. */
enum contend_verdict contend_decide(const struct contend_limits *limits, size_t kept,
                                    double interval_relative, bool is_time_up);

/* Repetitions to run next, at least 1, after contend_decide said to go on. */
size_t contend_next_batch(const struct contend_limits *limits, size_t kept);

#endif
