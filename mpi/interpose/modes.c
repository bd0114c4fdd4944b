/* Which modes are on, and what is behind an entry point.
 *
 * A library that is built for the ABI of MPI-5 is linked with no MPI library, so that it serves
 * that of any program: its undefined symbols are looked up at the first call of each. An
 * interpreter may load MPI late and for one module alone, where they would not be found. */
#include "modes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/start.h"

#ifdef MPI_ABI_VERSION
#define ABI_LIBRARY "libmpi_abi.so.1"
#else
#define ABI_LIBRARY NULL
#endif

unsigned contend_modes;
__thread int contend_depth __attribute__((tls_model("initial-exec")));
__thread bool contend_is_fortran __attribute__((tls_model("initial-exec")));

/* Shows a library of the ABI that is loaded already to all others. */
static void reach_mpi(void)
{
    void *library = ABI_LIBRARY == NULL || dlsym(RTLD_NEXT, "PMPI_Get_version") != NULL
                        ? NULL
                        : dlopen(ABI_LIBRARY, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
    if (library != NULL)
        dlclose(library);
}

/* Whether the process calls the library whose handles are known here. The name of one that is not
 * of the ABI is in a variable; without it nothing is known, and true. */
static bool has_own_mpi(void)
{
    const char *name = ABI_LIBRARY == NULL ? getenv("CONTEND_MPI") : ABI_LIBRARY;
    if (name == NULL || name[0] == '\0')
        return true;
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return false;
    /* No tool stands before this call. */
    const bool is_own = dlsym(library, "PMPI_Get_version") == dlsym(RTLD_NEXT, "PMPI_Get_version");
    dlclose(library);
    return is_own;
}

bool contend_is_first_of_job(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL && strcmp(rank, "0") != 0)
            return false;
    }
    return true;
}

static unsigned wanted_modes(void)
{
    static const struct {
        const char *variable;
        enum contend_mode mode;
    } all[] = {{"CONTEND_EXCHANGE", CONTEND_EXCHANGES},
               {"CONTEND_RECORD", CONTEND_RECORDS},
               {"CONTEND_VERIFY", CONTEND_VERIFIES},
               {"CONTEND_WATCH", CONTEND_WATCHES},
               {"CONTEND_TRY", CONTEND_TRIES}};
    unsigned modes = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const char *text = getenv(all[i].variable);
        if (text != NULL && text[0] != '\0' && strcmp(text, "0") != 0)
            modes |= all[i].mode;
    }
    return modes;
}

static void find_modes(void) { contend_modes = has_own_mpi() ? wanted_modes() : 0; }

void contend_settle_modes(void)
{
    find_modes();
    const unsigned refused = contend_modes == 0 ? wanted_modes() : 0;
    if (refused == 0)
        return;
    if (refused & CONTEND_RECORDS)
        contend_note_other_library(dlsym(RTLD_NEXT, "PMPI_Get_version"));
    if (contend_is_first_of_job())
        fprintf(stderr,
                "contend: the program uses another MPI library than libcontend.so was built "
                "for, and runs as without it; --mpicc names the compiler wrapper of its "
                "MPI\n");
}

void *contend_find_behind(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char own[64];
    snprintf(own, sizeof own, "P%s", name);
    reach_mpi();
    void *behind = dlsym(RTLD_NEXT, name);
    if (behind == NULL && name[0] != 'P')
        behind = dlsym(RTLD_NEXT, own);
    if (behind != NULL)
        pthread_once(&once, find_modes);
    return behind;
}

int64_t contend_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* which every Linux has */
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
