/* Communicators that are about to end, and MPI.
 *
 * A program may exchange in a callback of an attribute of its own, when a communicator is freed or
 * MPI is finalized. Whether the library's attribute is there still may differ between ranks, as it
 * depends on which was set first; what is made anew then would be kept for a communicator that is
 * gone. So these calls are the MPI library's own at all ranks: on a communicator from when it is
 * being freed, which all its ranks do, and on all from when MPI is being finalized. */
#include "endings.h"

#include <dlfcn.h>
#include <stddef.h>

#include "ledger.h"
#include "state.h"

/* A callback may free another communicator. */
struct ending {
    MPI_Comm comm;
    const struct ending *outer;
};

static _Thread_local const struct ending *innermost;

bool contend_is_ending(MPI_Comm comm)
{
    const struct ending *one = innermost;
    while (one != NULL && one->comm != comm)
        one = one->outer;
    return one != NULL;
}

/* What stands behind this library: that of another tool that is preloaded, or MPI's own. */
static void *next_named(const char *name) { return dlsym(RTLD_NEXT, name); }

static int end_by(const char *name, int (*otherwise)(MPI_Comm *), MPI_Comm *comm)
{
    const struct ending own = {comm == NULL ? MPI_COMM_NULL : *comm, innermost};
    int (*next)(MPI_Comm *) = NULL;
    *(void **)&next = next_named(name);
    innermost = &own;
    const int code = next != NULL ? next(comm) : otherwise(comm);
    innermost = own.outer;
    return code;
}

CONTEND_EXPORTED int MPI_Comm_free(MPI_Comm *comm)
{
    return end_by("MPI_Comm_free", PMPI_Comm_free, comm);
}

CONTEND_EXPORTED int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return end_by("MPI_Comm_disconnect", PMPI_Comm_disconnect, comm);
}

CONTEND_EXPORTED int MPI_Finalize(void)
{
    int (*next)(void) = NULL;
    contend_end_states();
    *(void **)&next = next_named("MPI_Finalize");
    return next != NULL ? next() : PMPI_Finalize();
}
