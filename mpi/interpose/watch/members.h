/* What is known of a communicator from its first collective call on. */
#ifndef CONTEND_MEMBERS_H
#define CONTEND_MEMBERS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../record/handles.h"

enum { CONTEND_LAST = 4 };

struct contend_row;

struct contend_members {
    enum { CONTEND_WITHIN, CONTEND_BETWEEN, CONTEND_ABROAD } kind; /* abroad: of several worlds */
    int32_t n, nodes, ppn; /* n: of the own group; nodes is 0 where they are not known */
    uint32_t calls;        /* collective ones so far */
    uint64_t id;           /* alike on all its ranks, 0: there is none */
    uint16_t origin;       /* which ranks it has, in this process's numbers */
    struct contend_last {  /* by operation: the row of a call before */
        int64_t m;
        const char *ran;
        struct contend_row *row;
        int operation;
    } last[CONTEND_LAST];
};

/* Notes the node of each rank of the world, from 0. Without it nodes and ids are not known. */
bool contend_know_nodes(const uint64_t *hosts, int ranks);

/* Of how many nodes that is. */
int contend_node_count(void);

/* The communicators that a thread has used last, by their handles. */
enum { CONTEND_RECENT = 8 };
struct contend_recent {
    uint64_t handle;
    struct contend_members *members;
    unsigned freed;
};
extern __thread struct contend_recent contend_recent[CONTEND_RECENT]
    __attribute__((tls_model("initial-exec")));
/* How many handles were, which may be used again. */
extern atomic_uint contend_handles_freed;

struct contend_members *contend_meet_members(MPI_Comm comm, struct contend_recent *recent);

/* NULL where there is no memory, or nothing may be asked. Freed with the communicator. */
static inline struct contend_members *contend_members_of(MPI_Comm comm)
{
    const uint64_t handle = HANDLE(comm);
    struct contend_recent *recent =
        contend_recent + (handle ^ handle >> 6 ^ handle >> 12) % CONTEND_RECENT;
    if (recent->members != NULL && recent->handle == handle &&
        recent->freed == atomic_load_explicit(&contend_handles_freed, memory_order_acquire))
        return recent->members;
    return contend_meet_members(comm, recent);
}

/* Whether ranks may have met the communicators of an origin in different orders, as several threads
 * were the first to call: then their ids say nothing. */
bool contend_is_ambiguous(int origin);

/* The size of what is kept for all communicators together, in bytes. */
enum { CONTEND_ORIGINS = 160, CONTEND_ORIGIN_BYTES = CONTEND_ORIGINS * 24 };

#endif
