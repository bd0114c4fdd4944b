/* Bins of durations whose relative width is one: DDSketch.
 *
 * Source: Masson, Rim, Lee 2019, "DDSketch: a fast and fully-mergeable quantile sketch with
 * relative-error guarantees", PVLDB 12(12). Bin i holds durations in (g^(i-1), g^i] nanoseconds
 * with g = (1 + alpha) / (1 - alpha) and alpha = 0.05, so that its middle is within 5 % of each.
 * Sketches add up bin by bin. The last bin begins at four hours and holds whatever is longer. */
#ifndef CONTEND_SKETCH_H
#define CONTEND_SKETCH_H

#include <stdint.h>
#include <string.h>

enum { CONTEND_BINS = 304 };
#define CONTEND_BIN_RATIO (1.05L / 0.95L)
#define CONTEND_BINS_AN_OCTAVE 6.9256860194 /* 1 / log2(g) */

/* The longest whole duration of each bin, in nanoseconds. */
extern int64_t contend_bin_limits[CONTEND_BINS];

/* Fills the table; before any bin is asked for. */
void contend_prepare_bins(void);

/* The bits of a double are its logarithm of base 2 with straight lines between powers of 2, which
 * is at most 0.087 too small: less than a bin, so that two comparisons find the bin. */
static inline int contend_bin(int64_t ns)
{
    if (ns <= 1)
        return 0;
    const double value = (double)ns;
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int bin = (int)((double)(bits - (1023LL << 52)) * (0x1p-52 * CONTEND_BINS_AN_OCTAVE));
    bin = bin < CONTEND_BINS ? bin : CONTEND_BINS - 1;
    bin += ns > contend_bin_limits[bin];
    return bin + (ns > contend_bin_limits[bin]);
}

#endif
