/* The entry points that stand before the MPI library's own: each times its call and hands it on. */
#include <dlfcn.h>
#include <stddef.h>

#include "call.h"
#include "ledger.h"

#define MPI_NAME(name) MPI_##name
#define PMPI_NAME(name) PMPI_##name
#define NAME(name) name
#define COUNT int
#define PLACE int
#include "entry_points.h"

#if MPI_VERSION >= 4
#undef MPI_NAME
#undef PMPI_NAME
#undef NAME
#undef COUNT
#undef PLACE
#define MPI_NAME(name) MPI_##name##_c
#define PMPI_NAME(name) PMPI_##name##_c
#define NAME(name) name##_c
#define COUNT MPI_Count
#define PLACE MPI_Aint
#include "entry_points.h"
#endif

CONTEND_EXPORTED int MPI_Barrier(MPI_Comm comm)
{
    struct contend_call own;
    contend_begin(&own, CONTEND_BARRIER, comm, 0, MPI_OP_NULL);
    const int code = PMPI_Barrier(comm);
    contend_end(&own);
    return code;
}

/* Other tools that are preloaded may write their reports when MPI ends: whoever is next comes. */
CONTEND_EXPORTED int MPI_Finalize(void)
{
    int (*next)(void) = NULL;
    contend_note_world();
    contend_write_ledger();
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
    return next != NULL ? next() : PMPI_Finalize();
}
