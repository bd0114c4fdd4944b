/* Messages that leave no faster than the slow link carries them. */
#include "spacing.h"

#include <math.h>
#include <time.h>

#include "algorithm.h"
#include "itinerary.h"
#include "plan.h"

#define HEADERS 150.0 /* bytes that come with a message: of its frames, of MPI, of the answer */
#define SLACK 1.05    /* as clocks of ranks differ, and what they know of the link */
#define SLEEP_S 2e-4  /* longer waits are slept through, in steps of half of it */
#define LONGEST_S 1.0 /* that a message waits, whatever the plan says of the link */
#define LEAST 1024
#define USUAL 8192.0
#define MOST 1048576.0

static double time_of(const struct contend_spacing *spacing, int64_t bytes)
{
    return fmin(((double)bytes + HEADERS) * spacing->byte_s, LONGEST_S);
}

struct contend_spacing contend_begin_spacing(const struct contend_task *task, int64_t bytes)
{
    const struct contend_itinerary *way = task->itinerary;
    const struct contend_partition *groups = task->groups;
    if (task->link_bandwidth <= 0)
        return (struct contend_spacing){.byte_s = 0};
    const struct contend_spacing spacing = {SLACK * way->senders / task->link_bandwidth,
                                            way->due_s};
    const double before = groups->place_of[task->rank] * time_of(&spacing, bytes) / way->senders;
    for (int group = 0; group < groups->groups; group++)
        spacing.due_s[group] = PMPI_Wtime() + before;
    return spacing;
}

/* MPI goes on meanwhile: messages of others may need this rank's help. */
static int wait_until(double due_s, MPI_Comm comm)
{
    for (double left = due_s - PMPI_Wtime(); left > 0; left = due_s - PMPI_Wtime()) {
        int is_there;
        const int code =
            PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
        if (left > SLEEP_S)
            nanosleep(&(struct timespec){.tv_nsec = (long)(0.5e9 * SLEEP_S)}, NULL);
    }
    return MPI_SUCCESS;
}

/* Who comes late does not catch up: the link carries what others sent meanwhile. */
int contend_await_turn(const struct contend_spacing *spacing, int group, int64_t bytes,
                       MPI_Comm comm)
{
    if (spacing->byte_s <= 0 || bytes <= 0)
        return MPI_SUCCESS;
    const int code = wait_until(spacing->due_s[group], comm);
    const double now = PMPI_Wtime(), due = spacing->due_s[group];
    spacing->due_s[group] = (now > due + SLEEP_S ? now : due) + time_of(spacing, bytes);
    return code;
}

int64_t contend_spaced_bytes(const struct contend_level *link,
                             const struct contend_partition *groups)
{
    const double pairs = (double)groups->largest * groups->smallest;
    const double wanted = fmin(fmax(USUAL, link->latency_s * link->bandwidth / pairs), MOST);
    int64_t bytes = LEAST;
    while ((double)bytes < wanted &&
           (link->buffer <= 0 || 3.0 * (double)bytes * groups->largest <= link->buffer))
        bytes *= 2;
    return bytes;
}
