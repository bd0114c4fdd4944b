/* Patience: a preloaded library for ranks that share few cores.
 *
 * Most MPI libraries wait by asking their sockets again and again with a time-out of zero. Where
 * every rank has a core of its own that is the fastest way; where sixteen ranks share two cores,
 * those that wait keep those that have work from running, for whole slices of the scheduler. Here
 * a call with a zero time-out, after a few fruitless ones in a row by the same thread, waits for
 * up to a millisecond instead, and so leaves its core to the others. An event ends the wait at
 * once, as it would end any other.
 *
 * Ranks that share a host find messages in its memory, which no descriptor announces. Where the
 * launcher says that this rank has neighbours, it waits $CONTEND_SHARED_WAIT seconds at first, and
 * each time longer by a quarter, up to MOST_PER_RANK for each rank of the job or the millisecond.
 * So a message is seen late by a quarter of the time since the last event or sleep, at most, and
 * long waits cost few looks.
 *
 * Interposed: poll, ppoll, select, pselect, epoll_wait, epoll_pwait, epoll_pwait2, and what a
 * fortified program calls instead of the first two. Every one returns what the real function
 * returned, with its errno. Calls with another time-out, or without descriptors, wait as long as
 * they ask for in the time that programs see (scale.h).
 *
 * Restrictions:
 * - What the waiting call is not asked about is seen late, by as much as the wait is long: other
 *   descriptors, shared memory, signals that another thread handles.
 * - A thread that looks for messages between pieces of work waits there too.
 * - Loops of sched_yield are left alone; so is whatever makes its system calls itself.
 * - A waiting call can be interrupted by a signal more often than one that returns at once.
 */
#include <errno.h>
#include <features.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <time.h>

#include "patience.h"
#include "real.h"
#include "scale.h"

/* So many fruitless calls stay as quick as they were: what is under way is often there at the
 * second look, and a look costs less than going to sleep and being woken. */
#define QUICK_CALLS 4
/* The shortest time-out that poll and epoll_wait can express; it bounds how late is seen what the
 * descriptors do not announce. */
#define WAIT_MS 1

#define WAIT_NS (WAIT_MS * 1000000L)
/* ns: a look costs up to 20 us of a core, and all ranks together may take a fair part of one. */
#define MOST_PER_RANK 50000L
/* By as much the kernel may prolong a wait of a rank with neighbours, in ns. */
#define SLACK 1000UL

static long first_wait = WAIT_NS, most_wait = WAIT_NS; /* ns; shorter with neighbours */

/* In a row, by this thread. The model needs no allocation, which a signal handler may not make. */
static _Thread_local unsigned fruitless __attribute__((tls_model("initial-exec")));
/* ns by which the last wait was longer than the first. */
static _Thread_local long more_wait __attribute__((tls_model("initial-exec")));

static bool is_patient(void) { return fruitless >= QUICK_CALLS; }

/* What the launcher of Open MPI or MPICH says; 1 where it says nothing. */
static long count(const char *of_open_mpi, const char *of_mpich)
{
    const char *const said = getenv(of_open_mpi) != NULL ? getenv(of_open_mpi) : getenv(of_mpich);
    return said == NULL ? 1 : atol(said);
}

__attribute__((constructor)) static void read_patience(void)
{
    const char *const text = getenv("CONTEND_SHARED_WAIT");
    const double wait = text == NULL ? 0 : strtod(text, NULL) * 1e9;
    if (count("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS") < 2 ||
        !(wait >= 1 && wait < WAIT_NS))
        return;
    const long ranks = count("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    first_wait = (long)wait;
    if (ranks > 0 && ranks < WAIT_NS / MOST_PER_RANK)
        most_wait = MOST_PER_RANK * ranks > first_wait ? MOST_PER_RANK * ranks : first_wait;
    prctl(PR_SET_TIMERSLACK, SLACK, 0, 0, 0); /* a matter of accuracy only */
}

void contend_shim_forget_misses(void)
{
    fruitless = 0;
    more_wait = 0;
}

static int noted(int result, bool is_zero)
{
    if (result > 0)
        contend_shim_forget_misses();
    else if (result == 0 && is_zero && !is_patient())
        fruitless++;
    else if (result == 0 && is_zero && first_wait + more_wait < most_wait)
        more_wait += (first_wait + more_wait) / 4 + 1;
    return result;
}

static bool is_zero_timespec(const struct timespec *timeout)
{
    return timeout != NULL && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

/* What the kernel is asked to wait; `room` is where a scaled time-out is kept meanwhile. */
static int milliseconds(int timeout, bool is_zero)
{
    return is_zero && is_patient() ? WAIT_MS : contend_shim_real_milliseconds(timeout);
}

static struct timespec own_wait(void)
{
    const long wait = first_wait + more_wait;
    return (struct timespec){.tv_nsec = wait < most_wait ? wait : most_wait};
}

/* Whether to wait for less than milliseconds can express; then by ppoll. */
static bool waits_briefly(bool is_zero)
{
    return is_zero && is_patient() && own_wait().tv_nsec < WAIT_NS;
}

static int wait_briefly(struct pollfd *fds, nfds_t nfds, const sigset_t *mask)
{
    REAL(ppoll);
    const struct timespec wait = own_wait();
    return real(fds, nfds, &wait, mask);
}

/* An epoll descriptor is itself readable when it has an event; false where a signal came first. */
static bool has_waited(int epfd, const sigset_t *mask)
{
    struct pollfd events = {.fd = epfd, .events = POLLIN};
    return wait_briefly(&events, 1, mask) >= 0;
}

static const struct timespec *timespec(const struct timespec *timeout, bool is_zero,
                                       struct timespec *room)
{
    if (!(is_zero && is_patient()) && (timeout == NULL || is_zero || !contend_shim_is_scaled()))
        return timeout;
    *room = is_zero ? own_wait() : contend_shim_real_length(*timeout);
    return room;
}

int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
    REAL(poll);
    const bool is_zero = timeout == 0 && nfds > 0;
    if (waits_briefly(is_zero))
        return noted(wait_briefly(fds, nfds, NULL), true);
    return noted(real(fds, nfds, milliseconds(timeout, is_zero)), is_zero);
}

int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *mask)
{
    REAL(ppoll);
    struct timespec room;
    const bool is_zero = is_zero_timespec(timeout) && nfds > 0;
    return noted(real(fds, nfds, timespec(timeout, is_zero, &room), mask), is_zero);
}

int select(int nfds, fd_set *restrict readable, fd_set *restrict writable,
           fd_set *restrict exceptional, struct timeval *restrict timeout)
{
    REAL(select);
    const bool is_zero =
        timeout != NULL && timeout->tv_sec == 0 && timeout->tv_usec == 0 && nfds > 0;
    if (is_zero && is_patient()) {
        /* Rounded up, for 0 would not wait; the kernel writes what is left of it. */
        struct timeval wait = {.tv_usec = (own_wait().tv_nsec + 999) / 1000};
        return noted(real(nfds, readable, writable, exceptional, &wait), true);
    }
    if (timeout == NULL || is_zero || !contend_shim_is_scaled())
        return noted(real(nfds, readable, writable, exceptional, timeout), is_zero);
    struct timeval wait = contend_shim_real_timeval(*timeout);
    const int result = noted(real(nfds, readable, writable, exceptional, &wait), false);
    *timeout = contend_shim_seen_timeval(wait);
    return result;
}

int pselect(int nfds, fd_set *restrict readable, fd_set *restrict writable,
            fd_set *restrict exceptional, const struct timespec *restrict timeout,
            const sigset_t *restrict mask)
{
    REAL(pselect);
    struct timespec room;
    const bool is_zero = is_zero_timespec(timeout) && nfds > 0;
    return noted(
        real(nfds, readable, writable, exceptional, timespec(timeout, is_zero, &room), mask),
        is_zero);
}

int epoll_wait(int epfd, struct epoll_event *events, int capacity, int timeout)
{
    REAL(epoll_wait);
    const bool is_zero = timeout == 0;
    if (waits_briefly(is_zero))
        return noted(has_waited(epfd, NULL) ? real(epfd, events, capacity, 0) : -1, true);
    return noted(real(epfd, events, capacity, milliseconds(timeout, is_zero)), is_zero);
}

int epoll_pwait(int epfd, struct epoll_event *events, int capacity, int timeout,
                const sigset_t *mask)
{
    REAL(epoll_pwait);
    const bool is_zero = timeout == 0;
    if (waits_briefly(is_zero))
        return noted(has_waited(epfd, mask) ? real(epfd, events, capacity, 0, mask) : -1, true);
    return noted(real(epfd, events, capacity, milliseconds(timeout, is_zero), mask), is_zero);
}

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35) /* the first that has it */
int epoll_pwait2(int epfd, struct epoll_event *events, int capacity, const struct timespec *timeout,
                 const sigset_t *mask)
{
    REAL(epoll_pwait2);
    struct timespec room;
    const bool is_zero = is_zero_timespec(timeout);
    return noted(real(epfd, events, capacity, timespec(timeout, is_zero, &room), mask), is_zero);
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
    if (waits_briefly(is_zero))
        return noted(wait_briefly(fds, nfds, NULL), true);
    return noted(real(fds, nfds, milliseconds(timeout, is_zero), size), is_zero);
}

int __ppoll_chk(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout,
                const sigset_t *mask, size_t size)
{
    REAL(__ppoll_chk);
    struct timespec room;
    const bool is_zero = is_zero_timespec(timeout) && nfds > 0;
    return noted(real(fds, nfds, timespec(timeout, is_zero, &room), mask, size), is_zero);
}
#endif
