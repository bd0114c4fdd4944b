/* The exchanges of Fortran programs: mpif.h, use mpi and use mpi_f08.
 *
 * Open MPI's Fortran procedures call PMPI_Alltoall, which is seen but not served, so they stand
 * here too, under every name that a Fortran compiler may give them. In mpi_f08 a handle is a
 * structure of one integer and the code may be absent; else its arguments are the same. Those of
 * MPICH and its family call MPI_Alltoall and need nothing, unless they were built with
 * F77_USE_PMPI: then calls of Fortran stay the library's own. */
#include <mpi.h>

#ifdef OPEN_MPI

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"

enum { MANNERS = 4 };

/* A Fortran constant under the names that compilers give it, and where those are that there are. */
struct constant {
    const char *names[MANNERS];
    const void *addresses[MANNERS];
};

static struct constant in_place = {.names = {"mpi_fortran_in_place", "mpi_fortran_in_place_",
                                             "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"}};
static struct constant bottom = {.names = {"mpi_fortran_bottom", "mpi_fortran_bottom_",
                                           "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"}};

static void find_constants(void)
{
    for (int i = 0; i < MANNERS; i++) {
        in_place.addresses[i] = dlsym(RTLD_DEFAULT, in_place.names[i]);
        bottom.addresses[i] = dlsym(RTLD_DEFAULT, bottom.names[i]);
    }
}

static bool is_constant(const void *buffer, const struct constant *constant)
{
    for (int i = 0; i < MANNERS; i++)
        if (constant->addresses[i] != NULL && constant->addresses[i] == buffer)
            return true;
    return false;
}

/* What C says for MPI_IN_PLACE and MPI_BOTTOM of Fortran. */
static void *in_c(void *buffer)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_constants);
    if (is_constant(buffer, &in_place))
        return MPI_IN_PLACE;
    return is_constant(buffer, &bottom) ? MPI_BOTTOM : buffer;
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
#define ALL_NAMES(small, large, title)                                                             \
    ALSO(small, small##_)                                                                          \
    ALSO(small##__, small##_)                                                                      \
    ALSO(large, small##_)                                                                          \
    ALSO(title##_f, small##_) ALSO(small##_f08_, small##_) ALSO(title##_f08, small##_)

ALL_NAMES(mpi_alltoall, MPI_ALLTOALL, MPI_Alltoall)
ALL_NAMES(mpi_alltoallv, MPI_ALLTOALLV, MPI_Alltoallv)

#endif
