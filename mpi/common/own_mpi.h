/* The MPI library that a preloaded library of contend was built for, and that of the process.
 *
 * One that is built for the ABI of MPI-5 is linked with no MPI library, so that it serves that of
 * any program: its undefined symbols are looked up at the first call of each. An interpreter may
 * load MPI late and for one module alone, where they would not be found. */
#ifndef CONTEND_OWN_MPI_H
#define CONTEND_OWN_MPI_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef MPI_ABI_VERSION
#define CONTEND_ABI_LIBRARY "libmpi_abi.so.1"
#else
#define CONTEND_ABI_LIBRARY NULL
#endif

/* Shows a library of the ABI that is loaded already to all others. */
static inline void contend_reach_mpi(void)
{
    void *library = CONTEND_ABI_LIBRARY == NULL || dlsym(RTLD_NEXT, "PMPI_Get_version") != NULL
                        ? NULL
                        : dlopen(CONTEND_ABI_LIBRARY, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
    if (library != NULL)
        dlclose(library);
}

/* Whether the process calls that library, whose handles are known here. The name of one that is
 * not of the ABI is in a variable; without it nothing is known, and true. */
static inline bool contend_has_own_mpi(const char *variable)
{
    const char *given = getenv(variable);
    const char *name = CONTEND_ABI_LIBRARY == NULL ? given : CONTEND_ABI_LIBRARY;
    if (name == NULL || name[0] == '\0')
        return true;
    contend_reach_mpi();
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return false;
    /* No tool stands before this call. */
    const bool is_own = dlsym(library, "PMPI_Get_version") == dlsym(RTLD_NEXT, "PMPI_Get_version");
    dlclose(library);
    return is_own;
}

#endif
