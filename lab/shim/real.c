#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Without a version dlsym gives the oldest, here one of another structure; no newer architecture
 * has it. */
#define OLD_FUNCTION "pthread_cond_timedwait"
#define ITS_NEW_VERSION "GLIBC_2.3.2"

void *contend_shim_find(const char *name)
{
    const int before = errno;
    void *found = NULL;
    if (strcmp(name, OLD_FUNCTION) == 0)
        found = dlvsym(RTLD_NEXT, name, ITS_NEW_VERSION);
    if (found == NULL)
        found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        fprintf(stderr, "contend: no %s beneath the preloaded library; run without it\n", name);
        abort();
    }
    errno = before;
    return found;
}
