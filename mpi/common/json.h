/* The little JSON that the output needs. Knows no MPI. */
#ifndef CONTEND_JSON_H
#define CONTEND_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Quoted and escaped, in ASCII; a byte above 126 is written as that code point of Latin-1. */
void contend_json_string(FILE *out, const char *text);

/* [1.000000000e-06,...] */
void contend_json_seconds(FILE *out, const double *seconds, size_t count);

#endif
