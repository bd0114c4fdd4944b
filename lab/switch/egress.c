/* The queue at a host, which stops while the network has no room for more of its frames. */
#include "egress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/fail.h"

#define INTERFACE "eth0"
#define TO_NOBODY 0x88B5 /* protocol for local experiments, IEEE 802 */
#define STOPPED 1        /* bytes/s: a tbf has some rate */

static int open_network(const char *path)
{
    const int network = open(path, O_RDONLY | O_CLOEXEC);
    if (network < 0)
        contend_fail_errno("cannot open %s", path);
    return network;
}

static void enter(int network)
{
    if (setns(network, CLONE_NEWNET) != 0)
        contend_fail_errno("cannot enter the network of a host");
}

/* In the network of the host. */
static void open_sockets(struct contend_egress *egress)
{
    struct contend_bucket *bucket = &egress->bucket;
    bucket->interface = (int)if_nametoindex(INTERFACE);
    bucket->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    egress->packets = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* receives nothing */
    const struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = bucket->interface};
    if (bucket->interface == 0 || bucket->netlink < 0 || egress->packets < 0 ||
        bind(egress->packets, (const struct sockaddr *)&address, sizeof address) != 0)
        contend_fail_errno("cannot reach " INTERFACE " of a host");
}

/* From the host to itself, which the switch does not forward. */
static void address_frame(struct contend_egress *egress, const unsigned char mac[ETH_ALEN])
{
    const uint16_t protocol = htons(TO_NOBODY);
    memcpy(egress->frame, mac, ETH_ALEN);
    memcpy(egress->frame + ETH_ALEN, mac, ETH_ALEN);
    memcpy(egress->frame + 2 * ETH_ALEN, &protocol, sizeof protocol);
}

static bool find_first_link(const struct contend_configuration *configuration, uint32_t host,
                            uint32_t *link)
{
    const struct contend_route *routes = &configuration->routes[host * configuration->n_hosts];
    for (uint32_t dst = 0; dst < configuration->n_hosts; dst++) {
        if (routes[dst].n_links > 0) {
            *link = routes[dst].links[0];
            return true;
        }
    }
    return false;
}

struct contend_egress contend_open_egress(const struct contend_configuration *configuration,
                                          uint32_t host)
{
    struct contend_egress egress = {.is_open = false};
    const char *path = configuration->hosts[host].network;
    if (path == NULL || !find_first_link(configuration, host, &egress.link))
        return egress;
    const int own = open_network("/proc/self/ns/net"), network = open_network(path);
    enter(network);
    open_sockets(&egress);
    enter(own);
    close(own);
    close(network);
    address_frame(&egress, configuration->hosts[host].mac);
    egress.is_open = true;
    if (!contend_find_bucket(&egress.bucket))
        contend_close_egress(&egress);
    return egress;
}

void contend_close_egress(struct contend_egress *egress)
{
    if (egress->is_open && (close(egress->bucket.netlink) != 0 || close(egress->packets) != 0))
        contend_fail_errno("cannot leave the queue of a host");
    egress->is_open = false;
}

/* What a full bucket holds passes still: one frame. */
static void hold(struct contend_egress *egress)
{
    contend_change_bucket(&egress->bucket, STOPPED, ETH_FRAME_LEN);
    egress->is_held = true;
}

static void let_go(struct contend_egress *egress)
{
    contend_change_bucket(&egress->bucket, 0, 0);
    egress->is_held = false;
    if (send(egress->packets, egress->frame, sizeof egress->frame, MSG_DONTWAIT) < 0 &&
        errno != ENOBUFS && errno != EAGAIN)
        contend_fail_errno("cannot start the queue of a host");
}

bool contend_control_egress(struct contend_egress *egress, uint64_t waiting)
{
    if (egress->is_held && waiting <= CONTEND_LEAST_BYTES)
        let_go(egress);
    const bool is_to_stop = !egress->is_held && waiting >= CONTEND_MOST_BYTES;
    if (is_to_stop)
        hold(egress);
    return is_to_stop;
}
