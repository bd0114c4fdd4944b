/* What a rank's blocks contain before a run, and should contain after it. */
#ifndef CONTEND_CONTENT_H
#define CONTEND_CONTENT_H

#include "program.h"

/* Fills what the rank holds with its contributions (with the blocks themselves where nothing is
 * reduced) and makes all else wrong. */
void contend_fill_content(const struct contend_program *program, unsigned char *memory, int rank,
                          bool reduces);

/* True if every wanted block is right; else names the first that is not. */
bool contend_check_content(const struct contend_program *program, const unsigned char *memory,
                           int ranks, bool reduces, char *detail, size_t size);

#endif
