/* Stops the whole program, with a clear line on stderr, when MPI or memory fails. */
#ifndef CONTEND_REQUIRE_H
#define CONTEND_REQUIRE_H

#include <stddef.h>

/* Every MPI call goes through this; the cost of success is one comparison. */
#define REQUIRE_MPI(call)                                                                          \
    do {                                                                                           \
        const int code_ = (call);                                                                  \
        if (code_ != 0)                                                                            \
            contend_mpi_failed(code_, #call, __FILE__, __LINE__);                                  \
    } while (0)

void contend_mpi_failed(int code, const char *call, const char *file, int line);

/* At least one byte, never NULL. `what` names the buffer in the message. */
void *contend_allocate(size_t bytes, const char *what);

/* As realloc, never NULL. */
void *contend_reallocate(void *memory, size_t bytes, const char *what);

/* Prints "contend: <message>" on stderr and aborts all ranks with the exit code; before MPI_Init
 * and after MPI_Finalize, only this one. */
_Noreturn void contend_abort(int exit_code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
