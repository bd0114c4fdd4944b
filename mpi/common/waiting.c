/* For how long this process was ready to run and had no processor, from /proc/self/schedstat.
 *
 * What makes it wait is other ranks, the emulated network, other work on the machine, or a limit on
 * what its container may use.
 */
#include "waiting.h"

#include <math.h>
#include <stdio.h>

double contend_waited(void)
{
    FILE *file = fopen("/proc/self/schedstat", "r");
    if (file == NULL)
        return NAN;
    unsigned long long ran, waited; /* ns */
    const int found = fscanf(file, "%llu %llu", &ran, &waited);
    fclose(file);
    /* A process that reads this has run: zeros are of a kernel that does not count. */
    return found == 2 && ran > 0 ? (double)waited / 1e9 : NAN;
}
