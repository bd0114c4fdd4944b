/* Ends the switch with a clear line on stderr: it runs alone, nobody could handle the error. */
#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void contend_fail(int exit_code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("contend-switch: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(exit_code);
}

void contend_fail_errno(const char *format, ...)
{
    const int code = errno;
    va_list arguments;
    va_start(arguments, format);
    fputs("contend-switch: ", stderr);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, ": %s\n", strerror(code));
    va_end(arguments);
    exit(CONTEND_EXIT_SYSTEM);
}

void *contend_reallocate(void *memory, size_t count, size_t size, const char *what)
{
    void *grown = count <= SIZE_MAX / size ? realloc(memory, count > 0 ? count * size : 1) : NULL;
    if (grown == NULL)
        contend_fail(CONTEND_EXIT_SYSTEM,
                     "no memory for %zu x %zu bytes (%s); emulate fewer hosts or smaller buffers",
                     count, size, what);
    return grown;
}
