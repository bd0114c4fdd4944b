/* The entry points that stand before the MPI library's own: every call of the tables, under MPI_
 * and PMPI_, since the Fortran procedures of MPI libraries call the one or the other. What is
 * called in the end is the library's own PMPI_. */
#include <mpi.h>

#include "entry.h"
#include "notes.h"

#define CALL(name, takes, gives, before, after)                                                    \
    ENTRY(name, JOINED(name, SUFFIX), takes, gives, before, if (code == MPI_SUCCESS){after})
#define COMPLETION(name, takes, gives, before, after)                                              \
    ENTRY(name, JOINED(name, SUFFIX), takes, gives, before, after)
#define ENTRY(name, symbol, takes, gives, before, after)                                           \
    WRITTEN(name, symbol, takes, gives, before, after)
#define WRITTEN(name, symbol, takes, gives, before, after)                                         \
    NEXT_OF(symbol)                                                                                \
    static int contend_##symbol takes                                                              \
    {                                                                                              \
        struct contend_visit visit;                                                                \
        if (!contend_enter(&visit, CONTEND_KIND_##name))                                           \
            return NEXT(symbol) gives;                                                             \
        before visit.record.start = contend_nanoseconds();                                         \
        const int code = NEXT(symbol) gives;                                                       \
        visit.record.end = contend_nanoseconds();                                                  \
        contend_settle(&visit, code);                                                              \
        after contend_leave(&visit);                                                               \
        return code;                                                                               \
    }                                                                                              \
    EXPORTED(symbol)

#define COUNT int
#define PLACE int
#define SUFFIX
#include "calls.def"
#undef COUNT
#undef PLACE
#undef SUFFIX

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define SUFFIX _c
#include "counted.def"
#endif
