/* The limits of the bins; contend_bin of sketch.h finds the bin of a duration. */
#include "sketch.h"

int64_t contend_bin_limits[CONTEND_BINS];

void contend_prepare_bins(void)
{
    long double limit = 1;
    for (int bin = 0; bin < CONTEND_BINS - 1; bin++, limit *= CONTEND_BIN_RATIO)
        contend_bin_limits[bin] = (int64_t)limit;
    contend_bin_limits[CONTEND_BINS - 1] = INT64_MAX;
}
