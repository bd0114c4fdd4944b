/* Clocks: what programs read from them is the time of the network that the lab stands for.
 *
 * Interposed: clock_gettime, gettimeofday, time, timespec_get, times, and MPI_Wtime by all its
 * names, because MPI libraries may take it from the processor's counter.
 *
 * Restrictions: clocks of processor time are real, and so is whatever reads the counter of the
 * processor or makes its system calls itself, and every time stamp of the kernel (of files, of
 * packets).
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "real.h"
#include "scale.h"

typedef int (*clock_reader)(clockid_t, struct timespec *);

/* Looked up before main: finding it may allocate, and an allocator may ask for the time. */
static _Atomic(clock_reader) reader;

__attribute__((constructor)) static void find_reader(void)
{
    REAL(clock_gettime);
    reader = real;
}

/* Says that this program has the library: an empty file named after the program's own, by device
 * and number, in the folder $CONTEND_LAB/clocks. `contend lab` names those that have none. */
__attribute__((constructor)) static void leave_mark(void)
{
    const char *const place = getenv("CONTEND_LAB");
    struct stat program;
    char path[4096];
    if (place == NULL || stat("/proc/self/exe", &program) != 0)
        return;
    const int length =
        snprintf(path, sizeof path, "%s/clocks/%llu-%llu", place,
                 (unsigned long long)program.st_dev, (unsigned long long)program.st_ino);
    if (length >= (int)sizeof path || access(path, F_OK) == 0)
        return;
    const int mark = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (mark >= 0)
        close(mark);
}

int contend_shim_read_real(clockid_t clock, struct timespec *now)
{
    const clock_reader found = atomic_load_explicit(&reader, memory_order_relaxed);
    return found != NULL ? found(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = contend_shim_read_real(clock, now);
    if (result == 0 && contend_shim_is_scaled() && contend_shim_is_elapsed(clock))
        *now = contend_shim_seen_instant(clock, *now);
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    const int result = clock_gettime(CLOCK_REALTIME, &exact);
    if (zone != NULL)
        *(struct timezone *)zone = (struct timezone){0}; /* as the C library does */
    if (result == 0)
        *now = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return result;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0)
        return -1;
    if (seconds != NULL)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

clock_t times(struct tms *used)
{
    REAL(times);
    const clock_t ticks = real(used);
    return contend_shim_is_scaled() ? (clock_t)contend_shim_seen_seconds((double)ticks) : ticks;
}

static double mpi_time(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return -1;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Names in C, and in Fortran as compilers have them. */
#define MPI_TIME(name)                                                                             \
    double name(void);                                                                             \
    double name(void) { return mpi_time(); }

MPI_TIME(MPI_Wtime)
MPI_TIME(PMPI_Wtime)
MPI_TIME(mpi_wtime)
MPI_TIME(mpi_wtime_)
MPI_TIME(mpi_wtime__)
MPI_TIME(MPI_WTIME)
MPI_TIME(pmpi_wtime)
MPI_TIME(pmpi_wtime_)
MPI_TIME(pmpi_wtime__)
MPI_TIME(PMPI_WTIME)
