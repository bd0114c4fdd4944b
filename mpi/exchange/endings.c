/* Communicators that are being freed.
 *
 * A program may exchange in a callback of an attribute of its own when a communicator is freed.
 * Whether the library's attribute is still there depends on which was set first, so that it may
 * differ between ranks; and what is made anew then would be kept for a communicator that is gone.
 * So these calls are the MPI library's own, at all ranks, as all of them free it. */
#include "endings.h"

#include <stddef.h>

/* A callback may free another communicator. */
struct ending {
    MPI_Comm comm;
    const struct ending *outer;
};

static _Thread_local const struct ending *innermost;

int contend_end_communicator(int (*end)(MPI_Comm *), MPI_Comm *comm)
{
    const struct ending own = {comm == NULL ? MPI_COMM_NULL : *comm, innermost};
    innermost = &own;
    const int code = end(comm);
    innermost = own.outer;
    return code;
}

bool contend_is_ending(MPI_Comm comm)
{
    const struct ending *one = innermost;
    while (one != NULL && one->comm != comm)
        one = one->outer;
    return one != NULL;
}
