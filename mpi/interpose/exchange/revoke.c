/* Of User Level Failure Mitigation: ranks that wait in an exchange are to wake up. */
#include <mpi.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#include <mpi-ext.h>
#endif

#include "ledger.h"
#include "state.h"

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) || (defined(MPICH) && defined(MPIX_ERR_REVOKED))
CONTEND_EXPORTED int MPIX_Comm_revoke(MPI_Comm comm)
{
    static void *behind;
    int (*next)(MPI_Comm) = NULL;
    *(void **)&next = contend_behind(&behind, "MPIX_Comm_revoke");
    const MPI_Comm own = contend_modes & (CONTEND_EXCHANGES | CONTEND_TRIES)
                             ? contend_private_of(comm)
                             : MPI_COMM_NULL;
    if (own != MPI_COMM_NULL)
        PMPIX_Comm_revoke(own);
    return next(comm);
}
#endif
