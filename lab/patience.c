/* Patience: a preloaded library for ranks that share few cores.
 *
 * Most MPI libraries wait by asking their sockets again and again with a time-out of zero. Where
 * every rank has a core of its own that is the fastest way; where sixteen ranks share two cores,
 * those that wait keep those that have work from running, for whole slices of the scheduler. Here
 * a call with a zero time-out, after a few fruitless ones in a row by the same thread, waits for
 * up to a millisecond instead, and so leaves its core to the others. An event ends the wait at
 * once, as it would end any other.
 *
 * Interposed: poll, ppoll, select, epoll_wait, epoll_pwait, epoll_pwait2, and what a fortified
 * program calls instead of the first two. Every one returns what the real function returned, with
 * its errno. Calls with another time-out, or without descriptors, are handed on as they are.
 *
 * Restrictions:
 * - What the waiting call is not asked about is seen up to 1 ms late: other descriptors, shared
 *   memory, signals that another thread handles. All messages must come through descriptors that
 *   are polled together: switch shared memory off.
 * - A thread that looks for messages between pieces of work waits there too.
 * - Loops of sched_yield are left alone; so is whatever makes its system calls itself.
 * - A waiting call can be interrupted by a signal more often than one that returns at once.
 */
#include <dlfcn.h>
#include <errno.h>
#include <features.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

/* So many fruitless calls stay as quick as they were: what is under way is often there at the
 * second look, and a look costs less than going to sleep and being woken. */
#define QUICK_CALLS 4
/* The shortest time-out that poll and epoll_wait can express; it bounds how late is seen what the
 * descriptors do not announce. */
#define WAIT_MS 1

static const struct timespec wait_timespec = {.tv_nsec = WAIT_MS * 1000000L};
static const struct timeval wait_timeval = {.tv_usec = WAIT_MS * 1000L};

/* In a row, by this thread. The model needs no allocation, which a signal handler may not make. */
static _Thread_local unsigned fruitless __attribute__((tls_model("initial-exec")));

static bool is_patient(void) { return fruitless >= QUICK_CALLS; }

static int noted(int result, bool is_zero)
{
    if (result > 0)
        fruitless = 0;
    else if (result == 0 && is_zero && !is_patient())
        fruitless++;
    return result;
}

static void *find(const char *name)
{
    const int before = errno;
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        fprintf(stderr, "contend: no %s beneath the preloaded library; run without it\n", name);
        abort();
    }
    errno = before;
    return found;
}

/* Declares `real`, the function that a call would have reached without this library. It is found
 * anew by threads that meet here for the first time, with the same result. */
#define REAL(name)                                                                                 \
    static void *_Atomic address_;                                                                 \
    __typeof__(&name) real;                                                                        \
    void *found_ = address_;                                                                       \
    if (found_ == NULL)                                                                            \
        address_ = found_ = find(#name);                                                           \
    memcpy(&real, &found_, sizeof real) /* ISO C has no conversion to a pointer to a function */

static bool is_zero_timespec(const struct timespec *timeout)
{
    return timeout != NULL && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
    REAL(poll);
    const bool is_zero = timeout == 0 && nfds > 0;
    return noted(real(fds, nfds, is_zero && is_patient() ? WAIT_MS : timeout), is_zero);
}

int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *mask)
{
    REAL(ppoll);
    const bool is_zero = is_zero_timespec(timeout) && nfds > 0;
    return noted(real(fds, nfds, is_zero && is_patient() ? &wait_timespec : timeout, mask),
                 is_zero);
}

int select(int nfds, fd_set *restrict readable, fd_set *restrict writable,
           fd_set *restrict exceptional, struct timeval *restrict timeout)
{
    REAL(select);
    const bool is_zero =
        timeout != NULL && timeout->tv_sec == 0 && timeout->tv_usec == 0 && nfds > 0;
    struct timeval wait = wait_timeval; /* the kernel writes what is left of it */
    return noted(
        real(nfds, readable, writable, exceptional, is_zero && is_patient() ? &wait : timeout),
        is_zero);
}

int epoll_wait(int epfd, struct epoll_event *events, int capacity, int timeout)
{
    REAL(epoll_wait);
    const bool is_zero = timeout == 0;
    return noted(real(epfd, events, capacity, is_zero && is_patient() ? WAIT_MS : timeout),
                 is_zero);
}

int epoll_pwait(int epfd, struct epoll_event *events, int capacity, int timeout,
                const sigset_t *mask)
{
    REAL(epoll_pwait);
    const bool is_zero = timeout == 0;
    return noted(real(epfd, events, capacity, is_zero && is_patient() ? WAIT_MS : timeout, mask),
                 is_zero);
}

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35) /* the first that has it */
int epoll_pwait2(int epfd, struct epoll_event *events, int capacity, const struct timespec *timeout,
                 const sigset_t *mask)
{
    REAL(epoll_pwait2);
    const bool is_zero = is_zero_timespec(timeout);
    return noted(
        real(epfd, events, capacity, is_zero && is_patient() ? &wait_timespec : timeout, mask),
        is_zero);
}
#endif

/* What poll and ppoll are in programs built with _FORTIFY_SOURCE: `size` is that of fds. */
int __poll_chk(struct pollfd *fds, nfds_t nfds, int timeout, size_t size);
int __ppoll_chk(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout,
                const sigset_t *mask, size_t size);

int __poll_chk(struct pollfd *fds, nfds_t nfds, int timeout, size_t size)
{
    REAL(__poll_chk);
    const bool is_zero = timeout == 0 && nfds > 0;
    return noted(real(fds, nfds, is_zero && is_patient() ? WAIT_MS : timeout, size), is_zero);
}

int __ppoll_chk(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout,
                const sigset_t *mask, size_t size)
{
    REAL(__ppoll_chk);
    const bool is_zero = is_zero_timespec(timeout) && nfds > 0;
    return noted(real(fds, nfds, is_zero && is_patient() ? &wait_timespec : timeout, mask, size),
                 is_zero);
}
#endif
