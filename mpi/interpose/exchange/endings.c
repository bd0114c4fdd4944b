/* Communicators that are being freed.
 *
 * A program may exchange in a callback of an attribute of its own when a communicator is freed.
 * Whether the library's attribute is still there depends on which was set first, so that it may
 * differ between ranks; and what is made anew then would be kept for a communicator that is gone.
 * So these calls are the MPI library's own, at all ranks, as all of them free it. */
#include "endings.h"

#include <stddef.h>

static _Thread_local const struct contend_ending *innermost;

void contend_begin_ending(struct contend_ending *ending, const MPI_Comm *comm)
{
    *ending = (struct contend_ending){comm == NULL ? MPI_COMM_NULL : *comm, innermost};
    innermost = ending;
}

void contend_finish_ending(const struct contend_ending *ending) { innermost = ending->outer; }

bool contend_is_ending(MPI_Comm comm)
{
    const struct contend_ending *one = innermost;
    while (one != NULL && one->comm != comm)
        one = one->outer;
    return one != NULL;
}
