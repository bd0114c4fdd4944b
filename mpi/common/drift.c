/* The model of one clock by another from bounds of their offset, seen over and over. Knows no MPI.
 *
 * Source: offset and drift by linear regression, as Jones and Koenig 2013, "Clock synchronization
 * in high-end computing environments", Concurrency and Computation 25(6).
 * Idea: the middle of the bounds is off by at most as much as they are wider than the narrowest
 * ever seen between the two, whose messages met no delay; that is the standard error by which it
 * is weighted.
 * Restriction: over the time that is kept the clocks run straight; quartz does for some ten
 * seconds (Hunold, Carpen-Amarie 2015, "MPI benchmarking revisited").
 */
#include "drift.h"

#include <math.h>

/* Older ones are forgotten, but for so many. */
#define AGE_MAX 20.0
#define FEWEST 8
/* Quartz clocks run this far apart: an expectation that the first few offsets do not overturn. */
#define DRIFT_EXPECTED 100e-6
/* Of the narrowest bounds: how well the two directions of the best messages agree. */
#define ERROR_SHARE 0.02
#define ERROR_MIN 20e-9

void contend_note_offset(struct contend_offsets *offsets, struct contend_offset offset)
{
    const struct contend_offset *kept = offsets->kept;
    size_t forgotten = offsets->count == CONTEND_OFFSETS_KEPT ? 1 : 0;
    while (offsets->count - forgotten >= FEWEST && offset.at - kept[forgotten].at > AGE_MAX)
        forgotten++;
    offsets->count -= forgotten;
    for (size_t i = 0; i < offsets->count; i++)
        offsets->kept[i] = kept[i + forgotten];
    offsets->kept[offsets->count++] = offset;
}

static double half_width(const struct contend_offset *offset)
{
    return fmax(0.0, 0.5 * (offset->high - offset->low));
}

struct contend_clock_model contend_fit_clock(const struct contend_offsets *offsets)
{
    if (offsets->count == 0)
        return (struct contend_clock_model){0};
    const struct contend_offset *last = offsets->kept + offsets->count - 1;
    const double reference = 0.5 * (last->low + last->high); /* keeps the sums small */
    double narrowest = INFINITY;
    for (size_t i = 0; i < offsets->count; i++)
        narrowest = fmin(narrowest, half_width(offsets->kept + i));
    double weights = 0.0, times = 0.0, values = 0.0, squares = 0.0, products = 0.0;
    for (size_t i = 0; i < offsets->count; i++) {
        const struct contend_offset *one = offsets->kept + i;
        const double error = half_width(one) - narrowest + fmax(ERROR_MIN, ERROR_SHARE * narrowest);
        const double weight = 1.0 / (error * error), time = one->at - last->at;
        const double value = 0.5 * (one->low + one->high) - reference;
        weights += weight;
        times += weight * time;
        values += weight * value;
        squares += weight * time * time;
        products += weight * time * value;
    }
    const double spread = squares - times * times / weights;
    const double drift =
        (products - times * values / weights) / (spread + 1.0 / (DRIFT_EXPECTED * DRIFT_EXPECTED));
    return (struct contend_clock_model){
        .at = last->at, .offset = reference + (values - drift * times) / weights, .drift = drift};
}

double contend_misfit(const struct contend_offsets *offsets,
                      const struct contend_clock_model *model)
{
    double most = 0.0;
    for (size_t i = 0; i < offsets->count; i++) {
        const struct contend_offset *one = offsets->kept + i;
        const double offset = contend_clock_apply(model, one->at) - one->at;
        most = fmax(most, fmax(one->low - offset, offset - one->high));
    }
    return most;
}

struct contend_clock_model contend_chain_clocks(const struct contend_clock_model *outer,
                                                const struct contend_clock_model *inner)
{
    const double between = contend_clock_apply(inner, inner->at);
    const double shown = contend_clock_apply(outer, between);
    return (struct contend_clock_model){.at = inner->at,
                                        .offset = shown - inner->at,
                                        .drift = outer->drift + inner->drift +
                                                 outer->drift * inner->drift};
}
