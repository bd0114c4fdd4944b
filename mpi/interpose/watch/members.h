/* What is known of a communicator from its first collective call on. */
#ifndef CONTEND_MEMBERS_H
#define CONTEND_MEMBERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

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

/* NULL where there is no memory, or nothing may be asked. Freed with the communicator. */
struct contend_members *contend_members_of(MPI_Comm comm);

/* Whether ranks may have met the communicators of an origin in different orders, as several threads
 * were the first to call: then their ids say nothing. */
bool contend_is_ambiguous(int origin);

/* The size of what is kept for all communicators together, in bytes. */
enum { CONTEND_ORIGINS = 160, CONTEND_ORIGIN_BYTES = CONTEND_ORIGINS * 24 };

#endif
