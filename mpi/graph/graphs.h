/* The graphs of a file: which node sends a message to which. Knows no MPI. */
#ifndef CONTEND_GRAPHS_H
#define CONTEND_GRAPHS_H

#include <stdbool.h>
#include <stddef.h>

struct contend_edge {
    int src, dst; /* nodes, from 0 */
};

struct contend_graph {
    struct contend_edge *edges; /* [n_edges] */
    size_t n_edges;
};

struct contend_graphs {
    size_t count;
    char **names; /* [count], then NULL */
    struct contend_graph *graphs;
    int nodes; /* that the largest of them has */
};

/* False: error says what is wrong with the file. */
bool contend_read_graphs(const char *path, struct contend_graphs *graphs, char *error, size_t size);

void contend_free_graphs(struct contend_graphs *graphs);

#endif
