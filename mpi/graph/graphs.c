/* Reads graphs: a line each, a name and its edges, after a first line that says what the file is.
 *
 *   contend-graphs 1
 *   pair 0>2 1>2
 */
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

#define FIRST_LINE "contend-graphs 1"
#define BLANKS " \n"
#define NODES_MAX (1 << 20)
#define EDGES_MAX 4096 /* their numbers are tags, and every MPI library has so many */

static bool fails(char *error, size_t size, const char *path, size_t line, const char *what)
{
    snprintf(error, size,
             "%s line %zu %s; a graph is a name and edges such as 0>1, after a first line '%s'",
             path, line, what, FIRST_LINE);
    return false;
}

static bool parse_edge(const char *text, struct contend_edge *edge)
{
    int end = 0;
    return sscanf(text, "%9d>%9d%n", &edge->src, &edge->dst, &end) == 2 && text[end] == '\0' &&
           edge->src >= 0 && edge->dst >= 0 && edge->src < NODES_MAX && edge->dst < NODES_MAX &&
           edge->src != edge->dst;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* Adds the graph of a line; what is wrong with it, or NULL. */
static const char *add(struct contend_graphs *graphs, char *line)
{
    char *rest = NULL;
    const char *name = strtok_r(line, BLANKS, &rest);
    if (name == NULL)
        return "is empty";
    const size_t at = graphs->count++;
    graphs->names =
        contend_reallocate(graphs->names, (at + 2) * sizeof *graphs->names, "names of graphs");
    graphs->names[at] = contend_allocate(strlen(name) + 1, "name of a graph");
    strcpy(graphs->names[at], name);
    graphs->names[at + 1] = NULL;
    graphs->graphs =
        contend_reallocate(graphs->graphs, (at + 1) * sizeof *graphs->graphs, "graphs");
    struct contend_graph *graph = graphs->graphs + at;
    *graph = (struct contend_graph){0};
    for (char *text = strtok_r(NULL, BLANKS, &rest); text; text = strtok_r(NULL, BLANKS, &rest)) {
        struct contend_edge edge;
        if (graph->n_edges == EDGES_MAX)
            return "has too many edges";
        if (!parse_edge(text, &edge))
            return "has an edge that is none";
        graph->edges =
            contend_reallocate(graph->edges, (graph->n_edges + 1) * sizeof edge, "edges");
        graph->edges[graph->n_edges++] = edge;
        graphs->nodes = larger(graphs->nodes, larger(edge.src, edge.dst) + 1);
    }
    return graph->n_edges > 0 ? NULL : "has no edge";
}

bool contend_read_graphs(const char *path, struct contend_graphs *graphs, char *error, size_t size)
{
    *graphs = (struct contend_graphs){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(error, size, "%s cannot be opened; name a file of graphs", path);
        return false;
    }
    char *line = NULL;
    size_t room = 0, number = 1;
    const char *problem = NULL;
    if (getline(&line, &room, file) < 0 || strcmp(line, FIRST_LINE "\n") != 0)
        problem = "is not the first of a file of graphs";
    while (problem == NULL && getline(&line, &room, file) > 0) {
        number++;
        problem = add(graphs, line);
    }
    if (problem == NULL && !feof(file))
        problem = "cannot be read to its end";
    if (problem == NULL && graphs->count == 0)
        problem = "is the last: there is no graph";
    free(line);
    fclose(file);
    return problem == NULL || fails(error, size, path, number, problem);
}

void contend_free_graphs(struct contend_graphs *graphs)
{
    for (size_t i = 0; i < graphs->count; i++) {
        free(graphs->names[i]);
        free(graphs->graphs[i].edges);
    }
    free(graphs->names);
    free(graphs->graphs);
    *graphs = (struct contend_graphs){0};
}
