/* The command line, the same for every experiment. Knows no MPI. */
#ifndef CONTEND_ARGUMENTS_H
#define CONTEND_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "adaptive.h"

enum contend_start {
    CONTEND_START_AUTO,
    CONTEND_START_WINDOW,
    CONTEND_START_BARRIER,
    CONTEND_START_BELIEVED, /* a window, every rank's clock taken as it is: shows what that costs */
    CONTEND_START_LOCAL
};

extern const char *const contend_start_names[]; /* by enum contend_start */

struct contend_arguments {
    size_t *sizes; /* bytes, in the order given; allocated by the parser */
    size_t n_sizes;
    struct contend_limits limits;
    size_t warmup;
    int start; /* enum contend_start */
    bool is_describe;
    bool is_per_rank;
};

/* False: error holds what was given, what is required and what to do, in one line. */
bool contend_parse_arguments(int argc, char *const argv[], struct contend_arguments *arguments,
                             char *error, size_t error_size);

void contend_free_arguments(struct contend_arguments *arguments);

#endif
