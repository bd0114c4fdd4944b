/* What the library holds and how often each algorithm ran; a program may ask after MPI_Finalize. */
#include "ledger.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"

static atomic_long held[CONTEND_HELD_KINDS];

void contend_hold(enum contend_held kind, long change)
{
    atomic_fetch_add_explicit(&held[kind], change, memory_order_relaxed);
}

void *contend_take(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory != NULL)
        contend_hold(CONTEND_MEMORY, 1);
    return memory;
}

void contend_release(void *memory)
{
    if (memory != NULL)
        contend_hold(CONTEND_MEMORY, -1);
    free(memory);
}

long contend_exchange_held(const char *what)
{
    static const char *const words[CONTEND_HELD_KINDS] = {"memory", "communicators", "requests"};
    for (int kind = 0; kind < CONTEND_HELD_KINDS; kind++)
        if (strcmp(what, words[kind]) == 0)
            return atomic_load(&held[kind]);
    return -1;
}

long contend_exchange_calls(const char *algorithm)
{
    const struct contend_algorithm *found = contend_algorithm_named(algorithm);
    return found == NULL ? -1 : atomic_load(found->calls);
}
