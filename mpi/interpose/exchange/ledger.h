/* What the library holds and how often each algorithm ran; a program may ask after MPI_Finalize. */
#ifndef CONTEND_LEDGER_H
#define CONTEND_LEDGER_H

#include <stddef.h>

#include "../modes.h"

enum contend_held { CONTEND_MEMORY, CONTEND_COMMUNICATORS, CONTEND_REQUESTS, CONTEND_HELD_KINDS };

void contend_hold(enum contend_held kind, long change);

/* As malloc and free, but counted; NULL when there is no memory, at least one byte otherwise. */
void *contend_take(size_t bytes);
void contend_release(void *memory);

/* Pieces of "memory", "communicators" or "requests" that are held now; -1 for another word. */
CONTEND_EXPORTED long contend_exchange_held(const char *what);

/* Calls that an algorithm has served, by its name; -1 for a name that is none. */
CONTEND_EXPORTED long contend_exchange_calls(const char *algorithm);

#endif
