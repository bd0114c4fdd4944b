/* Stops the whole program, with a clear line on stderr, when MPI or memory fails. */
#include "require.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(MPI_SUCCESS == 0, "REQUIRE_MPI compares with 0");

_Noreturn void contend_abort(int exit_code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("contend: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    fflush(NULL);
    int has_begun = 0, is_over = 0; /* files are read before MPI is, where it must not be called */
    if (MPI_Initialized(&has_begun) == 0 && has_begun && MPI_Finalized(&is_over) == 0 && !is_over)
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    exit(exit_code); /* MPI_Abort is not declared as one that never returns */
}

void contend_mpi_failed(int code, const char *call, const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length = 0;
    MPI_Error_string(code, text, &length);
    contend_abort(1, "%s:%d: %s failed with code %d: %s", file, line, call, code, text);
}

void *contend_allocate(size_t bytes, const char *what)
{
    return contend_reallocate(NULL, bytes, what);
}

void *contend_reallocate(void *memory, size_t bytes, const char *what)
{
    void *grown = realloc(memory, bytes > 0 ? bytes : 1);
    if (grown == NULL)
        contend_abort(1,
                      "no memory: %zu bytes wanted for the %s; try smaller sizes or fewer "
                      "processes per node",
                      bytes, what);
    return grown;
}
