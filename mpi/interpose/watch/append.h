/* Lines of several processes in one file. Knows no MPI. */
#ifndef CONTEND_APPEND_H
#define CONTEND_APPEND_H

#include <stddef.h>

/* Appends a line, newline included, whole or not at all. Waits at most `patience_ms` for others
 * that hold the file's lock. Returns 0, or what errno says. */
int contend_append_line(const char *path, const char *line, size_t length, int patience_ms);

#endif
