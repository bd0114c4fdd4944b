/* The entry points of Fortran programs: mpif.h, use mpi and use mpi_f08.
 *
 * Open MPI's Fortran procedures go past the entry points of C, so they stand here too, under every
 * name that a Fortran compiler may give them; each hands on what it was given, see words.h. A
 * handle is the address of an integer, in mpi_f08 of a structure of one. Those of MPICH and its
 * family call the entry points of C and need nothing, unless built with F77_USE_PMPI.
 * Restriction: of a scatter or gather in place the root notes the count of the other side. */
#include <mpi.h>

#ifdef OPEN_MPI

#include "call.h"
#include "ledger.h"
#include "words.h"

enum counts { NONE, ONE, SEVERAL };

typedef void (*fortran_call)(WORDS);

static MPI_Fint integer_at(const intptr_t *words, int at) { return *(const MPI_Fint *)words[at]; }

static int64_t bytes_of(const intptr_t *words, int count_at, int type_at, MPI_Comm comm,
                        enum counts counts)
{
    if (counts == NONE)
        return 0;
    const MPI_Fint *count = (const MPI_Fint *)words[count_at];
    const MPI_Datatype type = PMPI_Type_f2c(integer_at(words, type_at));
    if (counts == ONE)
        return contend_bytes(*count, type);
    const int n = contend_processes(comm);
    MPI_Count sum = 0;
    for (int i = 0; i < n; i++)
        sum += count[i];
    return n > 0 ? contend_bytes(sum, type) / n : 0;
}

/* The operation of a reduction, which stands behind the type. */
static MPI_Op op_of(const intptr_t *words, enum contend_operation operation, int type_at)
{
    switch (operation) {
    case CONTEND_REDUCE:
    case CONTEND_ALLREDUCE:
    case CONTEND_REDUCE_SCATTER:
    case CONTEND_REDUCE_SCATTER_BLOCK:
        return PMPI_Op_f2c(integer_at(words, type_at + 1));
    default:
        return MPI_OP_NULL;
    }
}

#define NAMED(function, operation, count_at, type_at, comm_at, counts)                             \
    CONTEND_EXPORTED void function(WORDS);                                                         \
    void function(WORDS)                                                                           \
    {                                                                                              \
        static _Atomic(void *) known;                                                              \
        const intptr_t words[CONTEND_WORDS] = {THE_WORDS};                                         \
        const fortran_call next = (fortran_call)contend_behind(&known, #function);                 \
        const MPI_Comm comm = PMPI_Comm_f2c(integer_at(words, comm_at));                           \
        struct contend_call own;                                                                   \
        contend_begin(&own, CONTEND_##operation, comm,                                             \
                      bytes_of(words, count_at, type_at, comm, counts),                            \
                      op_of(words, CONTEND_##operation, type_at));                                 \
        next(THE_WORDS);                                                                           \
        contend_end(&own);                                                                         \
    }

#define FORTRAN(operation, small, large, title, count_at, type_at, comm_at, counts)                \
    NAMED(small, operation, count_at, type_at, comm_at, counts)                                    \
    NAMED(small##_, operation, count_at, type_at, comm_at, counts)                                 \
    NAMED(small##__, operation, count_at, type_at, comm_at, counts)                                \
    NAMED(large, operation, count_at, type_at, comm_at, counts)                                    \
    NAMED(title##_f, operation, count_at, type_at, comm_at, counts)                                \
    NAMED(small##_f08_, operation, count_at, type_at, comm_at, counts)                             \
    NAMED(title##_f08, operation, count_at, type_at, comm_at, counts)
#include "fortran.def"

/* The end of MPI, under the same names. */
#define ENDING(function)                                                                           \
    CONTEND_EXPORTED void function(WORDS);                                                         \
    void function(WORDS)                                                                           \
    {                                                                                              \
        static _Atomic(void *) known;                                                              \
        contend_note_world();                                                                      \
        contend_write_ledger();                                                                    \
        ((fortran_call)contend_behind(&known, #function))(THE_WORDS);                              \
    }
ENDING(mpi_finalize)
ENDING(mpi_finalize_)
ENDING(mpi_finalize__)
ENDING(MPI_FINALIZE)
ENDING(MPI_Finalize_f)
ENDING(mpi_finalize_f08_)
ENDING(MPI_Finalize_f08)

#endif
