/* Starts a repetition on all ranks together, or not at all once rank 0 says stop.
 *
 * window:   rank 0 broadcasts an instant of the common clock, all wait for it. Nothing of a
 *           preceding operation is left in the network or on the cores.
 * believed: likewise, each rank by its own clock.
 * barrier:  MPI_Barrier, whose own last messages and skew are part of what is seen.
 * local:    the experiment aligns its two ranks itself.
 */
#include "start.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "clock.h"
#include "require.h"

/* The slack is this many times what the slowest rank was seen to need. */
#define SLACK_PER_NEED 2.0
/* After one slow rank the slack returns to normal within some twenty repetitions. */
#define SLACK_DECAY 0.9
#define SLACK_FIRST 1e-3
/* A rank that is stopped for longer than this is late: waiting for such stops costs too much. */
#define SLACK_MAX 50e-3
/* Clocks are looked at so often, in seconds: a drift known to 10 millionths adds 5 us meanwhile. */
#define CHECK_EVERY 0.5
/* Clocks that messages show to stray further than this, in seconds, serve no window. */
#define MISFIT_MAX 20e-6
/* Ranks born on one core stay there if they mostly sleep. Computing for a few periods of the
 * kernel's load balancer, without a pause, spreads them over the cores. */
#define SETTLE 30e-3

static void spin(double seconds)
{
    const double end = contend_now() + seconds;
    while (contend_now() < end)
        ;
}

static void make_window(struct contend_starter *starter, const struct contend_places *places)
{
    const bool may_be_barrier = starter->start == CONTEND_START_AUTO;
    if (may_be_barrier)
        starter->start = CONTEND_START_WINDOW;
    starter->clocks =
        contend_join_clocks(starter->comm, places, starter->start == CONTEND_START_BELIEVED);
    const struct contend_skew skew = contend_check_clocks(&starter->clocks);
    if (!may_be_barrier || skew.misfit <= MISFIT_MAX)
        return;
    snprintf(starter->note, sizeof starter->note,
             "the clocks of the hosts could not be synchronised, they stray by %.3g s",
             skew.misfit);
    starter->start = CONTEND_START_BARRIER;
    contend_free_clocks(&starter->clocks);
}

struct contend_starter contend_make_starter(MPI_Comm comm, enum contend_start start,
                                            const struct contend_places *places)
{
    struct contend_starter starter = {.comm = comm,
                                      .start = start,
                                      .may_spin = !places->is_oversubscribed,
                                      .slack = SLACK_FIRST,
                                      .clocks = {.alike = MPI_COMM_NULL, .leaders = MPI_COMM_NULL}};
    REQUIRE_MPI(MPI_Comm_rank(comm, &starter.rank));
    contend_clock_prepare();
    contend_clock_set_epoch(contend_clock_seconds());
    if (starter.may_spin)
        spin(SETTLE);
    if (start != CONTEND_START_BARRIER && start != CONTEND_START_LOCAL)
        make_window(&starter, places);
    starter.checked = contend_now();
    return starter;
}

void contend_free_starter(struct contend_starter *starter)
{
    contend_free_clocks(&starter->clocks);
}

static bool is_window(const struct contend_starter *starter)
{
    return starter->start == CONTEND_START_WINDOW || starter->start == CONTEND_START_BELIEVED;
}

static void check_clocks(struct contend_starter *starter)
{
    const struct contend_skew skew = contend_check_clocks(&starter->clocks);
    if (starter->has_begun) {
        starter->skew.largest = fmax(starter->skew.largest, skew.largest);
        starter->skew.bound = fmax(starter->skew.bound, skew.bound);
    }
    starter->has_begun = false;
    starter->checked = contend_now();
}

struct contend_skew contend_take_skew(struct contend_starter *starter)
{
    if (!is_window(starter))
        return (struct contend_skew){.largest = NAN, .bound = NAN};
    check_clocks(starter);
    const struct contend_skew skew = starter->skew;
    starter->skew = (struct contend_skew){0};
    return skew;
}

/* What rank 0 tells all before a repetition. */
struct order {
    double instant, stops, checks;
};

static struct order give_order(const struct contend_starter *starter, bool stops)
{
    const double now = contend_now();
    struct order order = {now + starter->slack, stops,
                          is_window(starter) && starter->clocks.count > 1 &&
                              now - starter->checked > CHECK_EVERY};
    REQUIRE_MPI(MPI_Bcast(&order, 3, MPI_DOUBLE, 0, starter->comm));
    return order;
}

bool contend_begin(struct contend_starter *starter, bool stops, double *begin)
{
    struct order order = give_order(starter, stops);
    for (; order.stops == 0.0 && order.checks != 0.0; order = give_order(starter, stops))
        check_clocks(starter);
    if (order.stops != 0.0)
        return false;
    starter->has_begun = true;
    if (is_window(starter)) {
        *begin = order.instant;
        starter->margin = order.instant - contend_now();
        contend_wait_until(order.instant, starter->may_spin);
        return true;
    }
    if (starter->start == CONTEND_START_BARRIER)
        REQUIRE_MPI(MPI_Barrier(starter->comm));
    *begin = contend_now();
    return true;
}

bool contend_end(struct contend_starter *starter)
{
    if (!is_window(starter))
        return false;
    double least = 0.0;
    REQUIRE_MPI(MPI_Reduce(&starter->margin, &least, 1, MPI_DOUBLE, MPI_MIN, 0, starter->comm));
    const double needed = starter->slack - least;
    starter->slack = fmax(SLACK_DECAY * starter->slack, SLACK_PER_NEED * needed);
    starter->slack = fmin(starter->slack, SLACK_MAX);
    return starter->rank == 0 && least < 0.0;
}
