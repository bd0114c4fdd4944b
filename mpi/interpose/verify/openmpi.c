/* Stands before the functions by which Open MPI carries out collective operations.
 *
 * They are visible symbols of libmpi, and its components reach them through the dynamic linker, so
 * that a library that is loaded first is called in their place. Each notes its name and hands on
 * what it was given, see words.h. Restriction: a library that was linked with -Bsymbolic, or built
 * with hidden symbols, calls past them; then no algorithm is seen, and none is claimed. */
#include <mpi.h>

#ifdef OPEN_MPI

#include "../modes.h"
#include "call.h"
#include "../words.h"

typedef int (*algorithm_call)(WORDS);

/* An int or an unsigned int of 32 bits in a word whose upper half may hold anything. */
static int64_t number_at(const intptr_t *words, int at)
{
    return at < 0 ? -1 : (int64_t)(uint32_t)words[at];
}

#define ALGORITHM(operation, function, name, comm_at, segment_at, fanout_at)                       \
    CONTEND_EXPORTED int function(WORDS);                                                          \
    int function(WORDS)                                                                            \
    {                                                                                              \
        static void *behind;                                                                       \
        const intptr_t words[CONTEND_WORDS_MOST] = {THE_WORDS};                                    \
        const algorithm_call next = (algorithm_call)contend_behind(&behind, #function);            \
        if (next == NULL)                                                                          \
            return MPI_ERR_INTERN;                                                                 \
        contend_see_algorithm(CONTEND_##operation, name, (MPI_Comm)words[comm_at],                 \
                              number_at(words, segment_at), number_at(words, fanout_at));          \
        return next(THE_WORDS);                                                                    \
    }
#include "algorithms.def"

#endif
