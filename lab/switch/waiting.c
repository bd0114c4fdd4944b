/* Waiting for the next frame or the next due moment, with as little delay as Linux allows.
 *
 * A sleep of milliseconds lets the processor sleep too, and ends 10 to 250 us late, by the machine.
 * So a long sleep before a due moment ends early by as much as the last ones were late, and the
 * rest is waited actively. Short sleeps end in time and are left alone: on two processors waiting
 * actively for them made lateness no smaller and cost the switch its claim to run, for which it
 * competes with the hosts. What lateness remains is counted.
 */
#include "waiting.h"

#include <errno.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../common/fail.h"
#include "moment.h"

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441 /* on every architecture; C libraries before 2.35 have no function */
#endif

#define N_EVENTS 64 /* taken off the list at once; all rings are read anyway */

#define LONG_NS INT64_C(500000)
/* What is later is no slow wake-up: others had the processor, and would only lose more of it. */
#define MOST_LEAD_NS INT64_C(250000)
/* Shares of the difference by which the lead follows sleeps that were later, and less late. */
#define RISE 2
#define FALL 16

/* As the kernel's struct sched_attr, which not every C library has. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* ns */
};

/* From Linux 6.12 on a task may name its slice: a short one runs soon after it wakes up. */
static void ask_for_prompt_wakeups(void)
{
    const struct scheduling attributes = {
        .size = sizeof attributes, .policy = SCHED_OTHER, .runtime = 100000};
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    (void)mlockall(MCL_CURRENT); /* not of the future: growing buffers may exceed the limit */
}

struct contend_waiting contend_prepare_waiting(const struct contend_switch *device)
{
    ask_for_prompt_wakeups();
    const struct contend_waiting waiting = {.descriptor = epoll_create1(EPOLL_CLOEXEC)};
    if (waiting.descriptor < 0)
        contend_fail_errno("cannot wait for frames");
    for (uint32_t i = 0; i < device->configuration->n_hosts; i++) {
        /* Edge-triggered: only frames that came after the rings were read end the wait. */
        struct epoll_event event = {.events = EPOLLIN | EPOLLET};
        if (epoll_ctl(waiting.descriptor, EPOLL_CTL_ADD, device->ports[i].socket, &event) != 0)
            contend_fail_errno("cannot wait for the frames of a socket");
    }
    return waiting;
}

void contend_end_waiting(struct contend_waiting *waiting)
{
    if (close(waiting->descriptor) != 0)
        contend_fail_errno("cannot stop waiting");
    waiting->descriptor = -1;
}

/* Whether the time was up: no frame, no signal. */
static bool sleep_for(const struct contend_waiting *waiting, int64_t length)
{
    const struct timespec timeout = {.tv_sec = length / CONTEND_NS_PER_S,
                                     .tv_nsec = length % CONTEND_NS_PER_S};
    struct epoll_event events[N_EVENTS];
    const long found =
        syscall(SYS_epoll_pwait2, waiting->descriptor, events, N_EVENTS, &timeout, NULL, 0);
    if (found < 0 && errno != EINTR)
        contend_fail_errno("cannot wait for frames; Linux 5.11 or newer is required");
    return found == 0;
}

static void learn(struct contend_waiting *waiting, int64_t late)
{
    if (late <= MOST_LEAD_NS)
        waiting->lead += (late - waiting->lead) / (late > waiting->lead ? RISE : FALL);
}

/* Until the moment, or until a frame comes. */
static void watch(const struct contend_switch *device, int64_t until)
{
    struct contend_arrival arrival;
    while (contend_now() < until)
        for (uint32_t i = 0; i < device->configuration->n_hosts; i++)
            if (contend_peek_port(&device->ports[i], &arrival))
                return;
}

void contend_wait(struct contend_waiting *waiting, const struct contend_switch *device, int64_t due,
                  int64_t refresh)
{
    const int64_t now = contend_now();
    /* A due moment soon after a refresh comes first, else the sleep before it would be short. */
    const bool is_for_frame = due <= refresh + LONG_NS;
    const int64_t until = is_for_frame ? due : refresh;
    const bool is_long = until - now >= LONG_NS;
    const int64_t wake = is_for_frame && is_long ? until - waiting->lead : until;
    if (wake <= now || !sleep_for(waiting, wake - now) || !is_long)
        return;
    learn(waiting, contend_now() - wake);
    if (is_for_frame)
        watch(device, until);
}
