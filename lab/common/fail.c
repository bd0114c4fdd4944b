/* Ends a program of the lab with a clear line on stderr; see fail.h. */
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
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(exit_code);
}

void contend_fail_errno(const char *format, ...)
{
    const int code = errno;
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    contend_fail(CONTEND_EXIT_SYSTEM, "%s: %s", message, strerror(code));
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
