/* See scale.h for the formula. */
#include "scale.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
#define LONGEST 4e18 /* ns, about what 64 bits hold */

/* long double: nanoseconds since 1970 and a rate take more digits than a double has. */
static struct {
    long double rate; /* seen seconds in a real one */
    int64_t origin;   /* ns */
    int64_t offset;   /* ns */
} scale = {.rate = 1.0L};

/* The value for this host in "VALUE" or "HOST:VALUE,..."; `otherwise` where there is none. */
static long double own_value(const char *name, long double otherwise)
{
    const char *text = getenv(name);
    struct utsname host;
    if (text == NULL || *text == '\0' || uname(&host) != 0)
        return otherwise;
    if (strchr(text, ':') == NULL)
        return strtold(text, NULL);
    const size_t length = strlen(host.nodename);
    for (; text != NULL; text = strchr(text, ',')) {
        text += *text == ',';
        if (strncmp(text, host.nodename, length) == 0 && text[length] == ':')
            return strtold(text + length + 1, NULL);
    }
    return otherwise;
}

static void require_positive(const char *name, long double value)
{
    if (value > 0)
        return;
    fprintf(stderr, "contend: %s is a number above 0, got '%s'\n", name, getenv(name));
    abort();
}

/* Before main, and in a process with one thread: what runs earlier still sees real time. */
__attribute__((constructor)) static void read_settings(void)
{
    const long double rate = own_value("CONTEND_CLOCK_RATE", 1);
    const long double dilation = own_value("CONTEND_CLOCK_DILATION", 1);
    require_positive("CONTEND_CLOCK_RATE", rate);
    require_positive("CONTEND_CLOCK_DILATION", dilation);
    scale.rate = rate / dilation;
    scale.origin = (int64_t)(own_value("CONTEND_CLOCK_ORIGIN", 0) * NS_PER_S);
    scale.offset = (int64_t)(own_value("CONTEND_CLOCK_OFFSET", 0) * NS_PER_S);
}

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * NS_PER_S + time.tv_nsec; }

static struct timespec timespec_of(int64_t nanoseconds)
{
    int64_t seconds = nanoseconds / NS_PER_S;
    seconds -= nanoseconds % NS_PER_S < 0;
    return (struct timespec){.tv_sec = seconds, .tv_nsec = nanoseconds - seconds * NS_PER_S};
}

static bool is_possible(struct timespec time)
{
    return time.tv_sec >= 0 && time.tv_sec < LONGEST / NS_PER_S && time.tv_nsec >= 0 &&
           time.tv_nsec < NS_PER_S;
}

static int64_t origin_of(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        return scale.origin;
    default:
        return 0;
    }
}

static struct timespec scaled_length(struct timespec length, long double factor)
{
    if (!is_possible(length))
        return length;
    const int64_t before = nanoseconds(length);
    const long double after = (long double)before * factor;
    return timespec_of(after > LONGEST           ? (int64_t)LONGEST
                       : before > 0 && after < 1 ? 1
                                                 : (int64_t)after);
}

bool contend_shim_is_scaled(void) { return scale.rate != 1 || scale.offset != 0; }

bool contend_shim_is_elapsed(clockid_t clock)
{
    return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

struct timespec contend_shim_seen_instant(clockid_t clock, struct timespec real)
{
    const int64_t origin = origin_of(clock);
    const long double since = (long double)(nanoseconds(real) - origin) * scale.rate;
    return timespec_of(origin + (int64_t)since + scale.offset);
}

struct timespec contend_shim_real_instant(clockid_t clock, struct timespec seen)
{
    const int64_t origin = origin_of(clock);
    if (!is_possible(seen))
        return seen;
    const long double since = (long double)(nanoseconds(seen) - scale.offset - origin);
    const long double real = (long double)origin + since / scale.rate;
    return timespec_of(real > LONGEST ? (int64_t)LONGEST : real < 0 ? 0 : (int64_t)real + 1);
}

clockid_t contend_shim_clock_of(struct timespec deadline)
{
    struct timespec date, uptime;
    if (contend_shim_read_real(CLOCK_REALTIME, &date) != 0 ||
        contend_shim_read_real(CLOCK_MONOTONIC, &uptime) != 0)
        return CLOCK_REALTIME;
    date = contend_shim_seen_instant(CLOCK_REALTIME, date);
    uptime = contend_shim_seen_instant(CLOCK_MONOTONIC, uptime);
    const int64_t between = date.tv_sec / 2 + uptime.tv_sec / 2;
    const bool is_late = deadline.tv_sec > between;
    return is_late == (date.tv_sec > uptime.tv_sec) ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

struct timespec contend_shim_seen_length(struct timespec real)
{
    return scaled_length(real, scale.rate);
}

struct timespec contend_shim_real_length(struct timespec seen)
{
    return scaled_length(seen, 1 / scale.rate);
}

static struct timeval scaled_timeval(struct timeval length, long double factor)
{
    const struct timespec exact = {.tv_sec = length.tv_sec, .tv_nsec = length.tv_usec * 1000};
    if (!is_possible(exact))
        return length;
    const struct timespec scaled = scaled_length(exact, factor);
    const bool is_lost = scaled.tv_sec == 0 && scaled.tv_nsec > 0 && scaled.tv_nsec < 1000;
    return (struct timeval){.tv_sec = scaled.tv_sec,
                            .tv_usec = is_lost ? 1 : scaled.tv_nsec / 1000};
}

struct timeval contend_shim_seen_timeval(struct timeval real)
{
    return scaled_timeval(real, scale.rate);
}

struct timeval contend_shim_real_timeval(struct timeval seen)
{
    return scaled_timeval(seen, 1 / scale.rate);
}

int contend_shim_real_milliseconds(int seen)
{
    if (seen <= 0 || !contend_shim_is_scaled())
        return seen;
    const long double real = (long double)seen / scale.rate;
    return real >= INT_MAX ? INT_MAX : (int)real + ((long double)(int)real < real);
}

double contend_shim_seen_seconds(double real) { return (double)(real * scale.rate); }
