/* Where the ranks run: hosts, cores, and which of them should read one clock. */
#ifndef CONTEND_PLACES_H
#define CONTEND_PLACES_H

#include <mpi.h>
#include <stdbool.h>

struct contend_places {
    char (*hosts)[MPI_MAX_PROCESSOR_NAME]; /* distinct and sorted; on rank 0 alone */
    int *host_of;                          /* of each rank, an index of hosts; likewise */
    int n_hosts;                           /* on rank 0 alone, as are the next two */
    int processes_per_node;                /* the most on any host */
    int cores_available;                   /* to the ranks of a machine, the least of any */
    bool is_oversubscribed; /* some machine has more ranks than cores; on all ranks */
    int clock;              /* of each rank: the first that by its kernel reads the same clock */
    int host; /* likewise, the first that reads the same clock and is on the same host */
};

struct contend_places contend_find_places(MPI_Comm comm);

void contend_free_places(struct contend_places *places);

#endif
