/* The entry points of Fortran programs: mpif.h, use mpi and use mpi_f08.
 *
 * Open MPI's Fortran procedures call PMPI_Alltoall, past the entry points of C, so they stand here
 * too, under every name that a Fortran compiler may give them. In mpi_f08 a handle is a structure
 * of one integer and the code may be absent; else its arguments are the same. Those of MPICH and
 * its family call MPI_Alltoall and need nothing, unless they were built with F77_USE_PMPI: then
 * calls of Fortran stay the library's own. */
#include <mpi.h>

#ifdef OPEN_MPI

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"

/* Whether it is the address of a Fortran constant, whose name is in the compiler's manner. */
static bool is_constant(const void *buffer, const char *const *names)
{
    for (; *names != NULL; names++) {
        const void *address = dlsym(RTLD_DEFAULT, *names);
        if (address != NULL && address == buffer)
            return true;
    }
    return false;
}

/* What C says for MPI_IN_PLACE and MPI_BOTTOM of Fortran. */
static void *in_c(void *buffer)
{
    static const char *const in_place[] = {"mpi_fortran_in_place", "mpi_fortran_in_place_",
                                           "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE", NULL};
    static const char *const bottom[] = {"mpi_fortran_bottom", "mpi_fortran_bottom_",
                                         "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM", NULL};
    if (is_constant(buffer, in_place))
        return MPI_IN_PLACE;
    return is_constant(buffer, bottom) ? MPI_BOTTOM : buffer;
}

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "counts of Fortran are those of C");

CONTEND_EXPORTED void mpi_alltoall_(void *sent, const MPI_Fint *sent_count,
                                    const MPI_Fint *sent_type, void *received,
                                    const MPI_Fint *received_count, const MPI_Fint *received_type,
                                    const MPI_Fint *comm, MPI_Fint *code)
{
    const int result =
        MPI_Alltoall(in_c(sent), *sent_count, PMPI_Type_f2c(*sent_type), in_c(received),
                     *received_count, PMPI_Type_f2c(*received_type), PMPI_Comm_f2c(*comm));
    if (code != NULL)
        *code = result;
}

CONTEND_EXPORTED void mpi_alltoallv_(void *sent, const MPI_Fint *sent_counts,
                                     const MPI_Fint *sent_places, const MPI_Fint *sent_type,
                                     void *received, const MPI_Fint *received_counts,
                                     const MPI_Fint *received_places, const MPI_Fint *received_type,
                                     const MPI_Fint *comm, MPI_Fint *code)
{
    const int result = MPI_Alltoallv(
        in_c(sent), sent_counts, sent_places, PMPI_Type_f2c(*sent_type), in_c(received),
        received_counts, received_places, PMPI_Type_f2c(*received_type), PMPI_Comm_f2c(*comm));
    if (code != NULL)
        *code = result;
}

#define ALSO(name, first) CONTEND_EXPORTED __typeof__(first) name __attribute__((alias(#first)));

ALSO(mpi_alltoall, mpi_alltoall_)
ALSO(mpi_alltoall__, mpi_alltoall_)
ALSO(MPI_ALLTOALL, mpi_alltoall_)
ALSO(MPI_Alltoall_f, mpi_alltoall_)
ALSO(mpi_alltoall_f08_, mpi_alltoall_)
ALSO(MPI_Alltoall_f08, mpi_alltoall_)
ALSO(mpi_alltoallv, mpi_alltoallv_)
ALSO(mpi_alltoallv__, mpi_alltoallv_)
ALSO(MPI_ALLTOALLV, mpi_alltoallv_)
ALSO(MPI_Alltoallv_f, mpi_alltoallv_)
ALSO(mpi_alltoallv_f08_, mpi_alltoallv_)
ALSO(MPI_Alltoallv_f08, mpi_alltoallv_)

#endif
