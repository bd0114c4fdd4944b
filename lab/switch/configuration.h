/* The emulated network as a text file describes it, one statement a line:
 *
 *     link NAME RATE BUFFER DELAY     bits/s, bytes and ns; 0: unlimited, unlimited, none
 *     host NAME INTERFACE MAC         a port of the switch
 *     hold NAME NETWORK               the queue of that host's eth0 stops with its links (egress.h)
 *     route SRC DST [LINK...]         every ordered pair of hosts; no LINK: delivered at once
 *     rto NANOSECONDS                 minimum retransmission time-out of the hosts
 *     flow_control none               full buffers, which are before links, drop (links.h)
 *     flow_control credits            full buffers, which are behind links, stop (crossbar.h)
 *
 * A name is declared above the lines that use it; # starts a comment.
 */
#ifndef CONTEND_CONFIGURATION_H
#define CONTEND_CONFIGURATION_H

#include <net/ethernet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

/* With its zero; a counter's name has 56 bytes for "frames:" and this. */
#define CONTEND_NAME_SIZE 49

struct contend_link_statement {
    char name[CONTEND_NAME_SIZE];
    uint64_t rate;   /* bits/s, 0: unlimited */
    uint64_t buffer; /* bytes, 0: unlimited */
    int64_t delay;   /* ns */
};

struct contend_host_statement {
    char name[CONTEND_NAME_SIZE];
    char interface[IF_NAMESIZE];
    unsigned char mac[ETH_ALEN];
    char *network; /* path of its namespace; NULL: it is not held */
};

struct contend_route {
    bool is_set;
    uint32_t dst; /* host */
    uint32_t n_links;
    uint32_t *links; /* (n_links,) */
};

struct contend_configuration {
    uint32_t n_links, n_hosts;
    struct contend_link_statement *links; /* (n_links,) */
    struct contend_host_statement *hosts; /* (n_hosts,) */
    struct contend_route *routes;         /* (n_hosts * n_hosts,) src-major */
    int64_t rto;                          /* ns */
    bool has_credits;
};

/* Exits with the line, the rule and the remedy when the file does not describe a network. */
struct contend_configuration contend_read_configuration(const char *path);
void contend_free_configuration(struct contend_configuration *configuration);

#endif
