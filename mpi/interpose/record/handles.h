/* What is known of the requests, messages and communicators that a program holds, by handle.
 *
 * MPI libraries give one handle to many operations that were over at once, so that a handle may
 * stand for several; they are forgotten in the order in which they came. */
#ifndef CONTEND_HANDLES_H
#define CONTEND_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct contend_known {
    uint32_t id, flags, kind;
    int32_t comm, peer, tag; /* of a communicator, peer is the own rank */
    uint32_t next;           /* in the list of the same handle */
    int64_t bytes;           /* of a communicator: how many peers it has */
};

struct contend_slot {
    uint64_t handle;
    uint32_t first, last; /* 0: the slot is free */
};

/* All zero is empty. */
struct contend_handles {
    struct contend_slot *slots;
    struct contend_known *known; /* 0 is never used */
    size_t slot_count, used;     /* a power of two */
    uint32_t capacity, unused;   /* `unused`: the first of the list of free ones */
};

/* False where there is no memory. */
bool contend_handles_add(struct contend_handles *handles, uint64_t handle,
                         struct contend_known known);

/* NULL where it is not known. True until the next addition. */
struct contend_known *contend_handles_find(const struct contend_handles *handles, uint64_t handle);

/* False where it was not known. */
bool contend_handles_take(struct contend_handles *handles, uint64_t handle,
                          struct contend_known *known);

/* A handle of MPI, an int or a pointer, as a number. */
#define HANDLE(handle) contend_number(&(handle), sizeof(handle))
static inline uint64_t contend_number(const void *handle, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, handle, size < sizeof number ? size : sizeof number);
    return number;
}

void contend_handles_clear(struct contend_handles *handles);

#endif
