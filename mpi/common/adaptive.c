/* When to stop repeating, and which repetitions were warm-up. Knows no MPI.
 *
 * Interval of the median: the bootstrap percentile interval (Efron 1979), not by drawing resamples
 * but exactly. A resample of n has its h-th smallest value at or below the k-th smallest of the
 * sample if at least h of its n draws are among the k smallest: P(Bin(n, k/n) >= h). For even n
 * the low end takes the lower median (h = n/2) and the high end the upper one (h = n/2 + 1), so
 * that the interval encloses that of the averaged median.
 *
 * Warm-up: the marginal standard error rule (White 1997, "An effective truncation heuristic for
 * bias reduction in simulation output", Simulation 69): drop the d first values that minimise
 * variance(rest) / (n - d), d <= n/2.
 */
#include "adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values further from the median than this many standard deviations (estimated by the median
 * absolute deviation) are pulled in, lest one late outlier makes all before it warm-up. */
#define CLIP_DEVIATIONS 3.0
#define DEVIATION_PER_MAD 1.4826 /* of the normal distribution */

/* Fewer values show no trend. */
#define WARMUP_VALUES_MIN 10

/* The rule alone drops some values of most stationary series. Noise hardly ever halves the
 * criterion; a warm-up that moves the median does. */
#define WARMUP_GAIN 0.5

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

void contend_sort(const double *values, size_t n, double *sorted)
{
    memmove(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
}

static double median_of_sorted(const double *sorted, size_t n)
{
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

static double binomial_term(size_t n, double p, size_t j)
{
    const double N = (double)n, J = (double)j;
    return exp(lgamma(N + 1) - lgamma(J + 1) - lgamma(N - J + 1) + J * log(p) +
               (N - J) * log1p(-p));
}

/* Both sums begin at their largest term, so that nothing that matters underflows. */
double contend_binomial_tail(size_t n, double p, size_t r)
{
    if (r == 0 || (r <= n && p >= 1.0))
        return 1.0;
    if (r > n || p <= 0.0)
        return 0.0;
    const double odds = p / (1.0 - p);
    double sum = 0.0;
    if ((double)r > (double)n * p) {
        double term = binomial_term(n, p, r);
        for (size_t j = r; j <= n && term > 1e-17 * sum; j++) {
            sum += term;
            term *= odds * (double)(n - j) / (double)(j + 1);
        }
        return sum;
    }
    double term = binomial_term(n, p, r - 1);
    for (size_t j = r - 1; term > 1e-17 * sum; j--) {
        sum += term;
        if (j == 0)
            break;
        term *= (double)j / (odds * (double)(n - j + 1));
    }
    return 1.0 - sum;
}

/* The smallest value of the sample that the h-th smallest of a resample is at or below with
 * probability q. */
static double resampled_quantile(const double *sorted, size_t n, size_t h, double q)
{
    size_t low = 0, high = n; /* the k sought is in (low, high]: probability 0 at 0, 1 at n */
    while (high - low > 1) {
        const size_t k = low + (high - low) / 2;
        if (contend_binomial_tail(n, (double)k / (double)n, h) >= q)
            high = k;
        else
            low = k;
    }
    return sorted[high - 1];
}

struct contend_interval contend_median_interval(const double *sorted, size_t n, double confidence)
{
    const double outside = 0.5 * (1.0 - confidence);
    if (n == 1) /* one value says nothing about spread */
        return (struct contend_interval){-INFINITY, sorted[0], INFINITY};
    return (struct contend_interval){
        .low = resampled_quantile(sorted, n, (n + 1) / 2, outside),
        .median = median_of_sorted(sorted, n),
        .high = resampled_quantile(sorted, n, n / 2 + 1, 1.0 - outside),
    };
}

double contend_interval_relative(struct contend_interval interval)
{
    const double half_width = 0.5 * (interval.high - interval.low);
    return half_width == 0.0 ? 0.0 : half_width / fabs(interval.median);
}

/* clipped[0..n) = values, outliers pulled in. False if more than half of them are equal. */
static bool clip(const double *values, size_t n, double *clipped)
{
    contend_sort(values, n, clipped);
    const double median = median_of_sorted(clipped, n);
    for (size_t i = 0; i < n; i++)
        clipped[i] = fabs(values[i] - median);
    qsort(clipped, n, sizeof *clipped, compare);
    const double reach = CLIP_DEVIATIONS * DEVIATION_PER_MAD * median_of_sorted(clipped, n);
    for (size_t i = 0; i < n; i++)
        clipped[i] = fmin(fmax(values[i], median - reach), median + reach);
    return reach > 0.0;
}

size_t contend_warmup_length(const double *values, size_t n, double *scratch)
{
    if (n < WARMUP_VALUES_MIN || !clip(values, n, scratch))
        return 0;
    /* From the back, so that each d adds one value to the running mean and sum of squares. */
    double mean = 0.0, squares = 0.0, smallest = INFINITY, criterion = INFINITY;
    size_t best = 0;
    for (size_t d = n; d-- > 0;) {
        const double count = (double)(n - d);
        const double step = scratch[d] - mean;
        mean += step / count;
        squares += step * (scratch[d] - mean);
        criterion = squares / (count * count);
        if (d <= n / 2 && criterion <= smallest) {
            smallest = criterion;
            best = d;
        }
    }
    return smallest <= WARMUP_GAIN * criterion ? best : 0; /* criterion: now that of d = 0 */
}

enum contend_verdict contend_decide(const struct contend_limits *limits, size_t kept,
                                    double interval_relative, bool is_time_up)
{
    if (kept >= limits->min_repetitions && interval_relative <= limits->precision)
        return CONTEND_PRECISION;
    if (kept >= limits->max_repetitions)
        return CONTEND_MAX_REPETITIONS;
    return is_time_up ? CONTEND_MAX_SECONDS : CONTEND_GO_ON;
}

size_t contend_next_batch(const struct contend_limits *limits, size_t kept)
{
    size_t batch = kept / 2 + 1; /* 1.5 times as many in all: few looks, little overshoot */
    if (kept + batch < limits->min_repetitions)
        batch = limits->min_repetitions - kept;
    if (kept + batch > limits->max_repetitions)
        batch = limits->max_repetitions - kept;
    return batch;
}
