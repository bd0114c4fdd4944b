/* Bytes that say where they come from, where they go to and where in the message they stand. */
#ifndef CONTEND_PATTERN_H
#define CONTEND_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the message of m bytes from rank src to rank dst. */
void contend_pattern_fill(unsigned char *message, size_t m, int src, int dst);

/* Writes the complement: wrong at every byte until the message has been received. */
void contend_pattern_poison(unsigned char *message, size_t m, int src, int dst);

/* True if the message is the one from src to dst; else describes the first wrong byte. */
bool contend_pattern_check(const unsigned char *message, size_t m, int src, int dst, char *detail,
                           size_t size);

#endif
