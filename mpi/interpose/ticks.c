/* Whether the processor's counter may stand for the clock, and how fast it runs.
 *
 * It may where the kernel makes CLOCK_MONOTONIC from it (clocksource "tsc": then the kernel has
 * found it steady and alike on all processors), and where nobody stands before clock_gettime, as an
 * emulated cluster does, whose time passes at another rate. The kernel steers its clock by less
 * than a thousandth, which is less than a duration is known to. */
#include "ticks.h"

#include <stdio.h>
#include <string.h>

enum { SHORTEST_NS = 1000000, TRIES = 5 };

bool contend_counts_ticks;
double contend_tick_ns = 1;

#ifdef __x86_64__
#include <dlfcn.h>
#include <time.h>

struct pair {
    int64_t ticks, ns;
};

static struct pair loaded;

/* The closest of a few readings of both. */
static struct pair read_both(void)
{
    struct pair best = {0};
    int64_t least = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const int64_t before = (int64_t)__rdtsc(), ns = contend_nanoseconds(),
                      width = (int64_t)__rdtsc() - before;
        if (width < least) {
            least = width;
            best = (struct pair){.ticks = before + width / 2, .ns = ns};
        }
    }
    return best;
}

__attribute__((constructor)) static void note_loading(void) { loaded = read_both(); }

static bool is_clocksource(const char *wanted)
{
    char name[32] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (file == NULL)
        return false;
    const bool is_read = fgets(name, sizeof name, file) != NULL;
    fclose(file);
    name[strcspn(name, "\n")] = '\0';
    return is_read && strcmp(name, wanted) == 0;
}

/* Whether clock_gettime is that of the C library, where strtol is. */
static bool is_clock_of_libc(void)
{
    Dl_info clock, libc;
    return dladdr(dlsym(RTLD_DEFAULT, "clock_gettime"), &clock) != 0 &&
           dladdr(dlsym(RTLD_DEFAULT, "strtol"), &libc) != 0 && clock.dli_fbase == libc.dli_fbase;
}

void contend_start_ticks(void)
{
    if (!is_clocksource("tsc") || !is_clock_of_libc())
        return;
    struct pair now;
    do
        now = read_both();
    while (now.ns - loaded.ns < SHORTEST_NS);
    contend_tick_ns = (double)(now.ns - loaded.ns) / (double)(now.ticks - loaded.ticks);
    contend_counts_ticks = contend_tick_ns > 0;
    if (!contend_counts_ticks)
        contend_tick_ns = 1;
}
#else
void contend_start_ticks(void) {}
#endif

int64_t contend_ticks_instant(int64_t ticks)
{
    const int64_t now = contend_nanoseconds();
    return now - contend_ticks_to_ns(contend_ticks() - ticks);
}

int64_t contend_ticks_at(int64_t instant)
{
    const double ahead = (double)(instant - contend_nanoseconds()) / contend_tick_ns;
    return contend_ticks() + (int64_t)ahead;
}
