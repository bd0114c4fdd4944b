/* Ends a program of the lab with a clear line on stderr: it runs alone, nobody could handle the
 * error. Each line begins with the name of the program. */
#ifndef CONTEND_FAIL_H
#define CONTEND_FAIL_H

#include <stddef.h>

enum {
    CONTEND_EXIT_SYSTEM = 1,       /* the kernel refused something */
    CONTEND_EXIT_CONFIGURATION = 2 /* the caller has to change something */
};

_Noreturn void contend_fail(int exit_code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As contend_fail with CONTEND_EXIT_SYSTEM, with the text of errno behind the message. */
_Noreturn void contend_fail_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As realloc of `count` elements, never NULL. `what` names the memory in the message. */
void *contend_reallocate(void *memory, size_t count, size_t size, const char *what);

#endif
