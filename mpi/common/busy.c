/* How busy the cores of a machine were while a point was measured, from /proc/stat.
 *
 * All processes count, not only the ranks: an emulated network works on the same cores.
 */
#include "busy.h"

#include <math.h>
#include <stdio.h>

#include "clock.h"

/* Ten ticks of the usual 100 Hz: the share is then known to about a tenth of one core. */
#define SPAN_MIN 0.1

struct contend_cores contend_read_cores(void)
{
    struct contend_cores cores = {.seconds = contend_now()};
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL)
        return cores;
    unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;
    /* the guests that follow are in user and nice already */
    cores.is_known = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
                            &system, &idle, &iowait, &irq, &softirq, &steal) == 8;
    fclose(file);
    if (cores.is_known) {
        cores.busy = user + nice + system + irq + softirq + steal;
        cores.idle = idle + iowait;
    }
    return cores;
}

double contend_busy_share(const struct contend_cores *before, const struct contend_cores *after)
{
    if (!before->is_known || !after->is_known || after->seconds - before->seconds < SPAN_MIN)
        return NAN;
    if (after->busy <= before->busy && after->idle <= before->idle)
        return NAN; /* the file stands still: it is not the kernel's */
    /* The kernel may take back a tick of waiting: there was none then. */
    const double busy = fmax(0.0, (double)after->busy - (double)before->busy);
    const double idle = fmax(0.0, (double)after->idle - (double)before->idle);
    return busy / (busy + idle);
}
