/* The routes of a configuration: the links that lead from each host to each other one. */
#ifndef CONTEND_ROUTES_H
#define CONTEND_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "configuration.h"
#include "words.h"

/* Reads the words behind "route"; the hosts and links that it names are declared above. */
void contend_read_route(struct contend_line *line, struct contend_configuration *into);

/* Exits unless there are hosts and every ordered pair of them has a route. */
void contend_require_all_routes(const struct contend_configuration *of, const char *path);

/* Index of the host that the next word names; `what` and `form` as in words.h. */
uint32_t contend_require_host(struct contend_line *line, const struct contend_configuration *from,
                              const char *what, const char *form);

/* Whether the name is that of a link; then *link is its index. */
bool contend_find_link(const struct contend_configuration *from, const char *name, uint32_t *link);

#endif
