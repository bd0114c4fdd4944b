/* Communicators of this library's own.
 *
 * A copy of attributes and of the error handler is not wanted, so that this is no MPI_Comm_dup. */
#include "private.h"

bool contend_make_private(MPI_Comm owner, MPI_Comm *made)
{
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    MPI_Group group;
    *made = MPI_COMM_NULL;
    if (PMPI_Comm_get_errhandler(owner, &before) != MPI_SUCCESS ||
        PMPI_Comm_group(owner, &group) != MPI_SUCCESS)
        return false;
    PMPI_Comm_set_errhandler(owner, MPI_ERRORS_RETURN); /* there may be no more of them */
    const int code = PMPI_Comm_create(owner, group, made);
    PMPI_Comm_set_errhandler(owner, before);
    PMPI_Errhandler_free(&before);
    PMPI_Group_free(&group);
    if (code != MPI_SUCCESS)
        *made = MPI_COMM_NULL;
    return *made != MPI_COMM_NULL &&
           PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}
