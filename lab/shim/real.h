/* The functions that a call would have reached without the preloaded library. */
#ifndef CONTEND_SHIM_REAL_H
#define CONTEND_SHIM_REAL_H

#include <string.h>

/* Never NULL: the process ends with a message where nothing beneath the library has the name. */
__attribute__((visibility("hidden"))) void *contend_shim_find(const char *name);

/* Declares `real`, the function of that name beneath the library. It is found anew by threads that
 * meet here for the first time, with the same result. */
#define REAL(name)                                                                                 \
    static void *_Atomic address_;                                                                 \
    __typeof__(&name) real;                                                                        \
    void *found_ = address_;                                                                       \
    if (found_ == NULL)                                                                            \
        address_ = found_ = contend_shim_find(#name);                                              \
    memcpy(&real, &found_, sizeof real) /* ISO C has no conversion to a pointer to a function */

#endif
