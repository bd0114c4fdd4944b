/* Sleeps, and waits until an instant, in the time that programs see.
 *
 * Interposed: sleep, usleep, nanosleep, clock_nanosleep; the timed waits of threads and semaphores,
 * whose deadlines are instants of a clock; alarm, setitimer and timerfd_settime. Time-outs of poll
 * and its relatives are scaled in patience.c.
 *
 * Restrictions: time-outs of sockets (SO_RCVTIMEO), of semtimedop, sigtimedwait, recvmmsg and of
 * POSIX timers and message queues run in real time.
 */
#include <errno.h>
#include <features.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "patience.h"
#include "real.h"
#include "scale.h"

static struct timespec real_deadline(clockid_t clock, struct timespec deadline)
{
    const bool is_other = !contend_shim_is_scaled() || !contend_shim_is_elapsed(clock);
    return is_other ? deadline : contend_shim_real_instant(clock, deadline);
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
    REAL(nanosleep);
    contend_shim_forget_misses();
    if (length == NULL || !contend_shim_is_scaled())
        return real(length, left);
    const struct timespec slept = contend_shim_real_length(*length);
    const int result = real(&slept, left);
    if (result != 0 && errno == EINTR && left != NULL)
        *left = contend_shim_seen_length(*left);
    return result;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length,
                    struct timespec *left)
{
    REAL(clock_nanosleep);
    contend_shim_forget_misses();
    if (length == NULL || !contend_shim_is_scaled() || !contend_shim_is_elapsed(clock))
        return real(clock, flags, length, left);
    if ((flags & TIMER_ABSTIME) != 0) {
        const struct timespec until = contend_shim_real_instant(clock, *length);
        return real(clock, flags, &until, left);
    }
    const struct timespec slept = contend_shim_real_length(*length);
    const int result = real(clock, flags, &slept, left);
    if (result == EINTR && left != NULL)
        *left = contend_shim_seen_length(*left);
    return result;
}

unsigned sleep(unsigned seconds)
{
    struct timespec left = {.tv_sec = seconds};
    if (nanosleep(&left, &left) == 0)
        return 0;
    return (unsigned)left.tv_sec + (left.tv_nsec >= 500000000);
}

int usleep(useconds_t microseconds)
{
    const struct timespec length = {.tv_sec = microseconds / 1000000,
                                    .tv_nsec = microseconds % 1000000 * 1000};
    return nanosleep(&length, NULL);
}

#define WAIT_ON(name, object, clock)                                                               \
    int name(object *waited, const struct timespec *deadline)                                      \
    {                                                                                              \
        REAL(name);                                                                                \
        const struct timespec until = real_deadline(clock, *deadline);                             \
        return real(waited, &until);                                                               \
    }
#define WAIT_BY_CLOCK(name, object)                                                                \
    int name(object *waited, clockid_t clock, const struct timespec *deadline)                     \
    {                                                                                              \
        REAL(name);                                                                                \
        const struct timespec until = real_deadline(clock, *deadline);                             \
        return real(waited, clock, &until);                                                        \
    }

WAIT_ON(sem_timedwait, sem_t, CLOCK_REALTIME)
WAIT_ON(pthread_mutex_timedlock, pthread_mutex_t, CLOCK_REALTIME)
WAIT_ON(pthread_rwlock_timedrdlock, pthread_rwlock_t, CLOCK_REALTIME)
WAIT_ON(pthread_rwlock_timedwrlock, pthread_rwlock_t, CLOCK_REALTIME)

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *deadline)
{
    REAL(pthread_cond_timedwait);
    const struct timespec until = real_deadline(contend_shim_clock_of(*deadline), *deadline);
    return real(condition, mutex, &until);
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline)
{
    REAL(mtx_timedlock);
    const struct timespec until = real_deadline(CLOCK_REALTIME, *deadline);
    return real(mutex, &until);
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict deadline)
{
    REAL(cnd_timedwait);
    const struct timespec until = real_deadline(CLOCK_REALTIME, *deadline);
    return real(condition, mutex, &until);
}

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 30) /* the first that has them */
WAIT_BY_CLOCK(sem_clockwait, sem_t)
WAIT_BY_CLOCK(pthread_mutex_clocklock, pthread_mutex_t)
WAIT_BY_CLOCK(pthread_rwlock_clockrdlock, pthread_rwlock_t)
WAIT_BY_CLOCK(pthread_rwlock_clockwrlock, pthread_rwlock_t)

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline)
{
    REAL(pthread_cond_clockwait);
    const struct timespec until = real_deadline(clock, *deadline);
    return real(condition, mutex, clock, &until);
}
#endif
#endif

unsigned alarm(unsigned seconds)
{
    const struct itimerval wanted = {.it_value = {.tv_sec = seconds}};
    struct itimerval before;
    if (setitimer(ITIMER_REAL, &wanted, &before) != 0)
        return 0;
    const bool is_more = before.it_value.tv_usec >= 500000 ||
                         (before.it_value.tv_sec == 0 && before.it_value.tv_usec > 0);
    return (unsigned)before.it_value.tv_sec + is_more;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted,
              struct itimerval *restrict before)
{
    REAL(setitimer);
    if (wanted == NULL || which != ITIMER_REAL || !contend_shim_is_scaled())
        return real(which, wanted, before);
    const struct itimerval scaled = {.it_interval = contend_shim_real_timeval(wanted->it_interval),
                                     .it_value = contend_shim_real_timeval(wanted->it_value)};
    const int result = real(which, &scaled, before);
    if (result == 0 && before != NULL) {
        before->it_interval = contend_shim_seen_timeval(before->it_interval);
        before->it_value = contend_shim_seen_timeval(before->it_value);
    }
    return result;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted,
                    struct itimerspec *before)
{
    REAL(timerfd_settime);
    if (wanted == NULL || !contend_shim_is_scaled())
        return real(timer, flags, wanted, before);
    const bool is_instant = (flags & TFD_TIMER_ABSTIME) != 0 &&
                            (wanted->it_value.tv_sec != 0 || wanted->it_value.tv_nsec != 0);
    const struct itimerspec scaled = {
        .it_interval = contend_shim_real_length(wanted->it_interval),
        .it_value = is_instant
                        ? real_deadline(contend_shim_clock_of(wanted->it_value), wanted->it_value)
                        : contend_shim_real_length(wanted->it_value)};
    const int result = real(timer, flags, &scaled, before);
    if (result == 0 && before != NULL) {
        before->it_interval = contend_shim_seen_length(before->it_interval);
        before->it_value = contend_shim_seen_length(before->it_value);
    }
    return result;
}
