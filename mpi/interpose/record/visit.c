/* One call on its way through the recorder. */
#include "visit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "trace.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint threads;
/* Of the library that is loaded with the program: the fast model of thread-local storage. */
static __thread uint32_t own_thread __attribute__((tls_model("initial-exec")));

void contend_lock(void) { pthread_mutex_lock(&lock); }

bool contend_lock_if_free(void) { return pthread_mutex_trylock(&lock) == 0; }

void contend_unlock(void) { pthread_mutex_unlock(&lock); }

bool contend_enter(struct contend_visit *visit, int kind)
{
    if (contend_depth > 0 || !contend_trace_is_open())
        return false;
    contend_depth++;
    if (own_thread == 0)
        own_thread = 1 + atomic_fetch_add(&threads, 1);
    visit->record = (struct contend_record){
        .kind = (uint16_t)kind, .comm = -1, .peer = CONTEND_NO_PEER, .thread = own_thread - 1};
    return true;
}

void contend_settle(struct contend_visit *visit, int code)
{
    contend_lock();
    if (code != MPI_SUCCESS)
        visit->record.flags |= CONTEND_FAILED;
    contend_trace_begin(&visit->record);
}

void contend_leave(struct contend_visit *visit)
{
    contend_trace_append(&visit->record);
    contend_unlock();
    contend_depth--;
}
