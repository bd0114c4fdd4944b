/* Messages that leave no faster than the slow link carries them. */
#include "spacing.h"

#include "../../modes.h"

#include <math.h>
#include <time.h>

#include "../algorithm.h"
#include "../choose/plan.h"
#include "itinerary.h"
#include "volume.h"

#define ENVELOPE 50.0 /* bytes that come with a message: what MPI says of it */
#define PACKET 1448.0 /* bytes of a message in a frame of Ethernet */
#define HEADERS 100.0 /* bytes that come with a packet: of its frame, and of half an answer */
#define SLACK 1.03    /* as clocks of ranks differ, and what they know of the link */
#define FILL 0.7      /* of the buffer, that the ranks of a group may send at once */
#define LONGEST_S 1.0 /* that a message waits, whatever the plan says of the link */
#define SLEEP_S 1e-3  /* at most at a time, as others may need help */
#define ABOUT_S 1e-4  /* that a sleep may last too long */
#define LEAST 1024
#define USUAL 8192.0
#define MOST 1048576.0

double contend_on_link(int64_t bytes)
{
    return (double)bytes + ENVELOPE + ceil((double)bytes / PACKET) * HEADERS;
}

static double time_of(const struct contend_spacing *spacing, int group, int64_t bytes)
{
    const double headers = contend_on_link(bytes) - (double)bytes;
    return fmin((double)bytes * spacing->byte_s[group] + headers * spacing->header_s, LONGEST_S);
}

/* How many times the bytes of this rank go to each group from all of the own one, so that all of
 * them are through at the same time. */
static void share(const struct contend_task *task, double *shares)
{
    const struct contend_partition *groups = task->groups;
    const int from = groups->group_of[task->rank];
    const bool is_counted = task->volume != NULL && groups->groups <= CONTEND_PAIRED;
    struct contend_volume own = {0};
    if (is_counted)
        own = contend_volume_of(task->call, groups, task->rank);
    for (int to = 0; to < groups->groups; to++) {
        const int pair = is_counted ? CONTEND_PAIRED * from + to : 0;
        shares[to] = is_counted && own.crossing[pair] > 0
                         ? (double)task->volume->crossing[pair] / (double)own.crossing[pair]
                         : task->itinerary->senders;
    }
}

struct contend_spacing contend_begin_spacing(const struct contend_task *task)
{
    const struct contend_itinerary *way = task->itinerary;
    const struct contend_level *link = task->spaced_by;
    if (link == NULL)
        return (struct contend_spacing){.byte_s = NULL};
    share(task, way->byte_s);
    const double now = contend_seconds();
    for (int group = 0; group < task->groups->groups; group++) {
        way->byte_s[group] *= SLACK / link->bandwidth;
        way->due_s[group] = now;
    }
    return (struct contend_spacing){.byte_s = way->byte_s,
                                    .header_s = SLACK * way->senders / link->bandwidth,
                                    .ahead_s = FILL * link->buffer / link->bandwidth,
                                    .due_s = way->due_s};
}

/* MPI goes on meanwhile: messages of others may need this rank's help. */
static int wait_until(double due_s, MPI_Comm comm)
{
    for (double left = due_s - contend_seconds(); left > 0; left = due_s - contend_seconds()) {
        int is_there;
        const int code =
            PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
        const double pause = fmin(left, SLEEP_S) - ABOUT_S;
        if (pause > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * pause)}, NULL);
    }
    return MPI_SUCCESS;
}

int contend_await_turn(const struct contend_spacing *spacing, int group, int64_t bytes,
                       MPI_Comm comm)
{
    if (spacing->byte_s == NULL || bytes <= 0)
        return MPI_SUCCESS;
    double *due_s = &spacing->due_s[group];
    const double takes = time_of(spacing, group, bytes);
    const int code = wait_until(*due_s - fmax(0, spacing->ahead_s - takes), comm);
    *due_s = fmax(*due_s, contend_seconds()) + takes;
    return code;
}

int64_t contend_spaced_bytes(const struct contend_level *link,
                             const struct contend_partition *groups)
{
    const double pairs = (double)groups->largest * groups->smallest;
    const double wanted = fmin(fmax(USUAL, link->latency_s * link->bandwidth / pairs), MOST);
    int64_t bytes = LEAST;
    while ((double)bytes < wanted &&
           (link->buffer <= 0 || 6.0 * (double)bytes * groups->largest <= link->buffer))
        bytes *= 2;
    return bytes;
}
