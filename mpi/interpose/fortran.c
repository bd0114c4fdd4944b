/* Calls of Fortran programs that may be served: mpif.h, use mpi and use mpi_f08.
 *
 * Open MPI's Fortran procedures call PMPI_, which is seen and not served. So they stand here under
 * every name that a Fortran compiler may give them, say whose call the next one is, and hand on
 * what they were given, see words.h. Those of MPICH and its family call MPI_ and need nothing,
 * unless they were built with F77_USE_PMPI: then calls of Fortran stay the library's own. */
#include <mpi.h>

#ifdef OPEN_MPI

#include "modes.h"
#include "words.h"

typedef void (*fortran_call)(WORDS);

#define NAMED(function)                                                                            \
    CONTEND_EXPORTED void function(WORDS);                                                         \
    void function(WORDS)                                                                           \
    {                                                                                              \
        static void *behind;                                                                       \
        const fortran_call next = (fortran_call)contend_behind(&behind, #function);                \
        contend_is_fortran = true;                                                                 \
        next(THE_WORDS);                                                                           \
        contend_is_fortran = false;                                                                \
    }
#define FORTRAN(small, large, title)                                                               \
    NAMED(small)                                                                                   \
    NAMED(small##_)                                                                                \
    NAMED(small##__)                                                                               \
    NAMED(large) NAMED(title##_f) NAMED(small##_f08_) NAMED(title##_f08)

FORTRAN(mpi_alltoall, MPI_ALLTOALL, MPI_Alltoall)
FORTRAN(mpi_alltoallv, MPI_ALLTOALLV, MPI_Alltoallv)
FORTRAN(mpi_alltoallw, MPI_ALLTOALLW, MPI_Alltoallw)

#endif
