/* Starts a repetition on all ranks together, or not at all once rank 0 says stop.
 *
 * window:  rank 0 broadcasts an instant of the common clock, all wait for it. Nothing of a
 *          preceding operation is left in the network or on the cores.
 * barrier: MPI_Barrier, whose own last messages and skew are part of what is seen.
 * local:   the experiment aligns its two ranks itself.
 */
#include "start.h"

#include <math.h>
#include <stddef.h>

#include "clock.h"
#include "require.h"

/* The slack is this many times what the slowest rank was seen to need. */
#define SLACK_PER_NEED 2.0
/* After one slow rank the slack returns to normal within some twenty repetitions. */
#define SLACK_DECAY 0.9
#define SLACK_FIRST 1e-3
/* A rank that is stopped for longer than this is late: waiting for such stops costs too much. */
#define SLACK_MAX 50e-3
/* More than any broadcast takes, less than two machines' uptimes are ever likely to differ by. */
#define CLOCK_DIFFERENCE_MAX 1.0
/* Ranks born on one core stay there if they mostly sleep. Computing for a few periods of the
 * kernel's load balancer, without a pause, spreads them over the cores. */
#define SETTLE 30e-3

static void share_clock(MPI_Comm comm)
{
    long long epoch = contend_clock_seconds();
    REQUIRE_MPI(MPI_Bcast(&epoch, 1, MPI_LONG_LONG, 0, comm));
    contend_clock_set_epoch(epoch);
    REQUIRE_MPI(MPI_Barrier(comm));
    double first = contend_now();
    REQUIRE_MPI(MPI_Bcast(&first, 1, MPI_DOUBLE, 0, comm));
    const double difference = fabs(contend_now() - first);
    if (difference > CLOCK_DIFFERENCE_MAX)
        contend_abort(2,
                      "--start window needs a clock that all ranks share, but this rank's "
                      "differs by %.3g s from that of rank 0; try --start barrier",
                      difference);
}

static void spin(double seconds)
{
    const double end = contend_now() + seconds;
    while (contend_now() < end)
        ;
}

struct contend_starter contend_make_starter(MPI_Comm comm, enum contend_start start, bool may_spin)
{
    struct contend_starter starter = {
        .comm = comm, .start = start, .may_spin = may_spin, .slack = SLACK_FIRST};
    REQUIRE_MPI(MPI_Comm_rank(comm, &starter.rank));
    contend_clock_prepare();
    if (start == CONTEND_START_WINDOW)
        share_clock(comm);
    else
        contend_clock_set_epoch(contend_clock_seconds());
    if (may_spin)
        spin(SETTLE);
    return starter;
}

bool contend_begin(struct contend_starter *starter, bool stops, double *begin)
{
    struct {
        double instant, stops;
    } order = {contend_now() + starter->slack, stops};
    REQUIRE_MPI(MPI_Bcast(&order, 2, MPI_DOUBLE, 0, starter->comm));
    if (order.stops != 0.0)
        return false;
    if (starter->start == CONTEND_START_WINDOW) {
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
    if (starter->start != CONTEND_START_WINDOW)
        return false;
    double least = 0.0;
    REQUIRE_MPI(MPI_Reduce(&starter->margin, &least, 1, MPI_DOUBLE, MPI_MIN, 0, starter->comm));
    const double needed = starter->slack - least;
    starter->slack = fmax(SLACK_DECAY * starter->slack, SLACK_PER_NEED * needed);
    starter->slack = fmin(starter->slack, SLACK_MAX);
    return starter->rank == 0 && least < 0.0;
}
