/* A handle of MPI, an int or a pointer, as a number. */
#ifndef CONTEND_HANDLE_H
#define CONTEND_HANDLE_H

#include <stdint.h>
#include <string.h>

static inline uint64_t contend_number(const void *handle, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, handle, size < sizeof number ? size : sizeof number);
    return number;
}

#define HANDLE(handle) contend_number(&(handle), sizeof(handle))

#endif
