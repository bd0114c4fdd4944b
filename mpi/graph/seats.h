/* Which process sends and which receives each message of a graph. */
#ifndef CONTEND_SEATS_H
#define CONTEND_SEATS_H

#include <mpi.h>

#include "graphs.h"

/* What a node of a graph is. */
enum contend_node { CONTEND_NODE_PROCESS, CONTEND_NODE_HOST };

struct contend_seat {
    int sender, receiver; /* ranks */
};

/* One seat per edge, to be freed. Nodes are numbered as their first processes are. On a host every
 * end of a message has a process of its own while there are enough; then they take turns.
 * Collective; aborts if there are fewer hosts than nodes. */
struct contend_seat *contend_find_seats(MPI_Comm comm, const struct contend_graph *graph,
                                        enum contend_node node);

#endif
