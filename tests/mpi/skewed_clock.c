/* A clock of its own for a process, preloaded by tests: CLOCK_MONOTONIC shows SKEW_OFFSET seconds
 * more than the kernel's, runs faster by SKEW_RATE, and is SKEW_JUMP seconds ahead in every second
 * twentieth of a second. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double setting(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atof(text) : 0.0;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    static double offset, rate, jump;
    static int is_known = 0;
    if (!is_known) {
        offset = setting("SKEW_OFFSET");
        rate = setting("SKEW_RATE");
        jump = setting("SKEW_JUMP");
        is_known = 1;
    }
    const int code = (int)syscall(SYS_clock_gettime, which, now);
    if (code != 0 || which != CLOCK_MONOTONIC)
        return code;
    long long shown = now->tv_sec * 1000000000LL + now->tv_nsec;
    const double ahead = jump * (double)(shown / 50000000 % 2);
    shown += (long long)(1e9 * (offset + ahead) + rate * (double)shown);
    now->tv_sec = shown / 1000000000LL;
    now->tv_nsec = shown % 1000000000LL;
    return 0;
}
