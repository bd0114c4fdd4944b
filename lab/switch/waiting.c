/* Waiting for the next frame or the next due moment, with as little delay as Linux allows.
 *
 * No busy waiting before a due moment: on two processors 10 to 30 us of it made lateness no smaller
 * and cost the switch its claim to run, for which it competes with the hosts.
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

#include "fail.h"
#include "moment.h"

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441 /* on every architecture; C libraries before 2.35 have no function */
#endif

#define N_EVENTS 64 /* taken off the list at once; all rings are read anyway */

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

int contend_prepare_waiting(const struct contend_switch *device)
{
    ask_for_prompt_wakeups();
    const int waiting = epoll_create1(EPOLL_CLOEXEC);
    if (waiting < 0)
        contend_fail_errno("cannot wait for frames");
    for (uint32_t i = 0; i < device->configuration->n_hosts; i++) {
        /* Edge-triggered: only frames that came after the rings were read end the wait. */
        struct epoll_event event = {.events = EPOLLIN | EPOLLET};
        if (epoll_ctl(waiting, EPOLL_CTL_ADD, device->ports[i].socket, &event) != 0)
            contend_fail_errno("cannot wait for the frames of a socket");
    }
    return waiting;
}

void contend_wait(int waiting, int64_t until)
{
    const int64_t left = until - contend_now();
    if (left <= 0)
        return;
    const struct timespec timeout = {.tv_sec = left / CONTEND_NS_PER_S,
                                     .tv_nsec = left % CONTEND_NS_PER_S};
    struct epoll_event events[N_EVENTS];
    if (syscall(SYS_epoll_pwait2, waiting, events, N_EVENTS, &timeout, NULL, 0) < 0 &&
        errno != EINTR)
        contend_fail_errno("cannot wait for frames; Linux 5.11 or newer is required");
}
