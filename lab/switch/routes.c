/* The routes of a configuration: the links that lead from each host to each other one. */
#include "routes.h"

#include <string.h>

#include "../common/fail.h"

static bool find_host(const struct contend_configuration *from, const char *name, uint32_t *host)
{
    for (*host = 0; *host < from->n_hosts; ++*host)
        if (strcmp(from->hosts[*host].name, name) == 0)
            return true;
    return false;
}

bool contend_find_link(const struct contend_configuration *from, const char *name, uint32_t *link)
{
    for (*link = 0; *link < from->n_links; ++*link)
        if (strcmp(from->links[*link].name, name) == 0)
            return true;
    return false;
}

uint32_t contend_require_host(struct contend_line *line, const struct contend_configuration *from,
                              const char *what, const char *form)
{
    uint32_t host;
    const char *name = contend_require_word(line, what, form);
    if (!find_host(from, name, &host))
        CONTEND_REFUSE(line, "no host '%s'; declare it above with 'host %s INTERFACE MAC'", name,
                       name);
    return host;
}

void contend_read_route(struct contend_line *line, struct contend_configuration *into)
{
    static const char form[] = "route SRC DST [LINK...]";
    const uint32_t src = contend_require_host(line, into, "SRC", form);
    const uint32_t dst = contend_require_host(line, into, "DST", form);
    if (src == dst)
        CONTEND_REFUSE(line, "host '%s' reaches itself without the switch; remove this route",
                       into->hosts[src].name);
    if (into->routes == NULL) {
        const size_t n_pairs = (size_t)into->n_hosts * into->n_hosts;
        into->routes = contend_reallocate(NULL, n_pairs, sizeof *into->routes, "routes");
        memset(into->routes, 0, n_pairs * sizeof *into->routes);
    }
    struct contend_route *route = &into->routes[src * into->n_hosts + dst];
    if (route->is_set)
        CONTEND_REFUSE(line, "the route from '%s' to '%s' is given twice; remove one",
                       into->hosts[src].name, into->hosts[dst].name);
    route->is_set = true;
    route->dst = dst;
    for (const char *name = contend_next_word(line); name != NULL; name = contend_next_word(line)) {
        uint32_t link;
        if (!contend_find_link(into, name, &link))
            CONTEND_REFUSE(line, "no link '%s'; declare it above with 'link %s RATE BUFFER DELAY'",
                           name, name);
        route->links = contend_reallocate(route->links, (size_t)route->n_links + 1,
                                          sizeof *route->links, "links of a route");
        route->links[route->n_links++] = link;
    }
}

void contend_require_all_routes(const struct contend_configuration *of, const char *path)
{
    if (of->n_hosts < 2)
        contend_fail(CONTEND_EXIT_CONFIGURATION,
                     "%s: a switch joins at least 2 hosts, got %u; add 'host NAME INTERFACE MAC'",
                     path, of->n_hosts);
    for (uint32_t src = 0; src < of->n_hosts; src++)
        for (uint32_t dst = 0; dst < of->n_hosts; dst++)
            if (src != dst && (of->routes == NULL || !of->routes[src * of->n_hosts + dst].is_set))
                contend_fail(CONTEND_EXIT_CONFIGURATION,
                             "%s: every ordered pair of hosts has a route; add 'route %s %s "
                             "[LINK...]'",
                             path, of->hosts[src].name, of->hosts[dst].name);
}
