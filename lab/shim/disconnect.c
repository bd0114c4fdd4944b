/* Disconnecting: a preloaded library for ranks of MPICH over UCX that end.
 *
 * MPI_Finalize of MPICH closes the connections of a rank, answering its peers meanwhile, and then
 * waits for its launcher until all ranks have done so. There it answers no longer: a peer whose
 * connection to it was not set up yet waits for ever. On a network as slow as these most programs
 * of MPICH 4.0 hang so. Here a rank that has begun to close connections, and reads what its
 * launcher says, goes on answering until there is something to read.
 *
 * Interposed: ucp_worker_create, ucp_worker_destroy, ucp_disconnect_nb of UCX, and read, which
 * returns what the real function returned, with its errno.
 *
 * Restrictions: launchers that speak PMI over the descriptor $PMI_FD, as Hydra does; the first
 * MOST_WORKERS workers of a process; whoever waits for the launcher has its workers to itself, as
 * MPI_Finalize has.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "real.h"

#define UCX "libucp"
#define MOST_WORKERS 16
#define NO_LAUNCHER (-1)
#define ASK_AGAIN_MS 1 /* as often a waiting rank looks for its peers */

/* As ucp/api/ucp.h has them, all of whose objects are opaque; a status of 0 is success. */
typedef void *ucp_object;
int ucp_worker_create(ucp_object context, const void *parameters, ucp_object *worker);
void ucp_worker_destroy(ucp_object worker);
unsigned ucp_worker_progress(ucp_object worker);
void *ucp_disconnect_nb(ucp_object endpoint);

static ucp_object workers[MOST_WORKERS]; /* NULL: free */
static __typeof__(&ucp_worker_progress) progress;
static _Atomic int launcher = NO_LAUNCHER; /* its descriptor, while connections are being closed */

/* The function of UCX; where MPI was opened in a scope of its own, as Python does, it is found in
 * the library that has it alone. */
static void *beneath(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    struct link_map *first = NULL;
    void *const program = dlopen(NULL, RTLD_LAZY);
    if (found == NULL && program != NULL)
        dlinfo(program, RTLD_DI_LINKMAP, &first);
    for (const struct link_map *one = first; one != NULL && found == NULL; one = one->l_next) {
        void *library = NULL;
        if (strstr(one->l_name, UCX) != NULL)
            library = dlopen(one->l_name, RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            found = dlsym(library, name);
            dlclose(library);
        }
    }
    return found != NULL ? found : contend_shim_find(name);
}

/* Declares `real` of UCX. */
#define REAL_OF_UCX(name)                                                                          \
    __typeof__(&name) real;                                                                        \
    void *found_ = beneath(#name);                                                                 \
    memcpy(&real, &found_, sizeof real)

static void replace(ucp_object before, ucp_object after)
{
    for (size_t i = 0; i < MOST_WORKERS; i++)
        if (workers[i] == before) {
            workers[i] = after;
            return;
        }
}

int ucp_worker_create(ucp_object context, const void *parameters, ucp_object *worker)
{
    REAL_OF_UCX(ucp_worker_create);
    const int status = real(context, parameters, worker);
    void *const found = beneath("ucp_worker_progress");
    memcpy(&progress, &found, sizeof progress);
    if (status == 0)
        replace(NULL, *worker);
    return status;
}

void ucp_worker_destroy(ucp_object worker)
{
    REAL_OF_UCX(ucp_worker_destroy);
    replace(worker, NULL);
    launcher = NO_LAUNCHER;
    real(worker);
}

void *ucp_disconnect_nb(ucp_object endpoint)
{
    REAL_OF_UCX(ucp_disconnect_nb);
    const char *const said = getenv("PMI_FD");
    launcher = said == NULL ? NO_LAUNCHER : atoi(said);
    return real(endpoint);
}

/* Until the launcher has said something, or a signal came. */
static void answer(int descriptor)
{
    REAL(poll);
    const int before = errno;
    struct pollfd said = {.fd = descriptor, .events = POLLIN};
    while (real(&said, 1, ASK_AGAIN_MS) == 0)
        for (size_t i = 0; i < MOST_WORKERS; i++)
            while (workers[i] != NULL && progress(workers[i]) != 0)
                ;
    errno = before;
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    REAL(read);
    if (descriptor >= 0 && descriptor == launcher)
        answer(descriptor);
    return real(descriptor, buffer, size);
}
