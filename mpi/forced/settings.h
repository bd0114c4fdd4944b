/* What is forced on the MPI library, one setting after another, as a file says it. */
#ifndef CONTEND_SETTINGS_H
#define CONTEND_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "controls.h"

struct contend_setting {
    struct contend_control *controls;
    size_t count;
};

struct contend_settings {
    char *experiment; /* the stem of its file in bench/ */
    size_t count;
    char **names; /* [count + 1], ends with NULL */
    struct contend_setting *settings;
};

/* False, with what is wrong, for a file that cannot be read or is none. */
bool contend_read_settings(const char *path, struct contend_settings *settings, char *error,
                           size_t size);

void contend_free_settings(struct contend_settings *settings);

#endif
