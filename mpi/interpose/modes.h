/* What the preloaded library does beside handing calls on: modes, each on while its variable is set
 * to anything but 0, several at once. Where none is, a call costs two loads. */
#ifndef CONTEND_MODES_H
#define CONTEND_MODES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTEND_EXPORTED __attribute__((visibility("default")))

enum contend_mode {
    CONTEND_EXCHANGES = 1, /* CONTEND_EXCHANGE: serves all-to-all exchanges */
    CONTEND_RECORDS = 2,   /* CONTEND_RECORD=FOLDER: writes down every call */
    CONTEND_VERIFIES = 4,  /* CONTEND_VERIFY=FOLDER: adds up collective calls */
    CONTEND_WATCHES = 8,   /* CONTEND_WATCH=FILE: sums them up for the job's record */
    CONTEND_ADDS_UP = CONTEND_VERIFIES | CONTEND_WATCHES,
    CONTEND_TRIES = 16, /* CONTEND_TRY: makes a few calls by other algorithms */
    CONTEND_ALL_MODES = 31
};

/* Those that are on: none where the program uses another MPI library than this one was built for.
 */
extern unsigned contend_modes;

/* Before MPI_Init: asks the environment again, which the program may have changed, and says so
 * where it is another library. */
void contend_settle_modes(void);

/* How many calls this thread is in that are seen: those from within are not the program's. */
extern __thread int contend_depth __attribute__((tls_model("initial-exec")));

/* Whether the next call by PMPI_ is one of a Fortran procedure, and so of the program. */
extern __thread bool contend_is_fortran __attribute__((tls_model("initial-exec")));

/* The function of MPI behind this library's of that name ("MPI_Send": of a tool that is loaded
 * after it, or of MPI itself; "PMPI_Send": of MPI); NULL where no MPI is loaded yet. Finds out
 * which modes are on first. */
void *contend_find_behind(const char *name);

/* `kept` is what was found when this library was loaded. */
static inline void *contend_behind(void **kept, const char *name)
{
    void *behind = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (__builtin_expect(behind == NULL, 0)) {
        behind = contend_find_behind(name);
        __atomic_store_n(kept, behind, __ATOMIC_RELAXED);
    }
    return behind;
}

/* The one clock: CLOCK_MONOTONIC. */
int64_t contend_nanoseconds(void);
static inline double contend_seconds(void) { return 1e-9 * (double)contend_nanoseconds(); }

/* Of a job with a launcher that numbers its processes, where MPI cannot be asked. */
bool contend_is_first_of_job(void);

#endif
