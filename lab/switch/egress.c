/* The queue at a host, which stops while the network has no room for more of its frames. */
#include "egress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/fail.h"

#define INTERFACE "eth0"
#define KIND "tbf"
#define TO_NOBODY 0x88B5 /* protocol for local experiments, IEEE 802 */

/* A message about the queue of an interface, with room for its attributes. */
struct request {
    struct nlmsghdr header;
    struct tcmsg queue;
    char attributes[256];
};

static void enter(int network)
{
    if (setns(network, CLONE_NEWNET) != 0)
        contend_fail_errno("cannot enter the network of a host");
}

static int open_network(const char *path)
{
    const int network = open(path, O_RDONLY | O_CLOEXEC);
    if (network < 0)
        contend_fail_errno("cannot open %s", path);
    return network;
}

static void open_sockets(struct contend_egress *egress)
{
    egress->interface = (int)if_nametoindex(INTERFACE);
    egress->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    egress->packets = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* receives nothing */
    if (egress->interface == 0 || egress->netlink < 0 || egress->packets < 0)
        contend_fail_errno("cannot reach " INTERFACE " of a host");
}

static void *attribute(struct request *request, unsigned short type, const void *data, size_t size)
{
    struct rtattr *added = (void *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    added->rta_type = type;
    added->rta_len = (unsigned short)RTA_LENGTH(size);
    if (size > 0)
        memcpy(RTA_DATA(added), data, size);
    request->header.nlmsg_len =
        (uint32_t)(NLMSG_ALIGN(request->header.nlmsg_len) + RTA_LENGTH(size));
    return added;
}

static struct request make_request(const struct contend_egress *egress, unsigned short type,
                                   unsigned short flags)
{
    return (struct request){.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct tcmsg)),
                                       .nlmsg_type = type,
                                       .nlmsg_flags = NLM_F_REQUEST | flags},
                            .queue = {.tcm_family = AF_UNSPEC,
                                      .tcm_ifindex = egress->interface,
                                      .tcm_parent = TC_H_ROOT}};
}

static void ask(const struct contend_egress *egress, const struct request *request)
{
    if (send(egress->netlink, request, request->header.nlmsg_len, 0) < 0)
        contend_fail_errno("cannot ask for the queue of a host");
}

/* Bytes of the next message. */
static size_t hear(const struct contend_egress *egress, void *answer, size_t size)
{
    const ssize_t length = recv(egress->netlink, answer, size, 0);
    if (length < (ssize_t)sizeof(struct nlmsghdr))
        contend_fail_errno("no answer about the queue of a host");
    return (size_t)length;
}

static const struct rtattr *find(const void *first, size_t length, unsigned short type)
{
    for (const char *at = first, *end = at + length;
         end - at >= (ptrdiff_t)sizeof(struct rtattr);) {
        const struct rtattr *one = (const void *)at;
        if (one->rta_len < sizeof *one || one->rta_len > end - at)
            return NULL;
        if (one->rta_type == type)
            return one;
        at += RTA_ALIGN(one->rta_len);
    }
    return NULL;
}

/* Whether the queue is a token bucket; then egress->options are its own. */
static bool read_options(struct contend_egress *egress)
{
    _Alignas(struct nlmsghdr) char answer[4096], end[sizeof answer];
    /* Of a queue that is the kernel's own choice only the acknowledgement comes. */
    const struct request request = make_request(egress, RTM_GETQDISC, NLM_F_ECHO | NLM_F_ACK);
    ask(egress, &request);
    const size_t length = hear(egress, answer, sizeof answer);
    const struct nlmsghdr *header = (const void *)answer;
    if (header->nlmsg_type != RTM_NEWQDISC)
        return false;
    (void)hear(egress, end, sizeof end);
    const struct tcmsg *queue = NLMSG_DATA(header);
    const struct rtattr *first = (const void *)((const char *)queue + NLMSG_ALIGN(sizeof *queue));
    const size_t size = length - (size_t)((const char *)first - answer);
    const struct rtattr *kind = find(first, size, TCA_KIND);
    const struct rtattr *options = find(first, size, TCA_OPTIONS);
    if (kind == NULL || options == NULL || strcmp(RTA_DATA(kind), KIND) != 0)
        return false;
    const struct rtattr *own = find(RTA_DATA(options), RTA_PAYLOAD(options), TCA_TBF_PARMS);
    if (own == NULL)
        return false;
    memcpy(&egress->options, RTA_DATA(own), sizeof egress->options);
    return true;
}

static void bind_packets(struct contend_egress *egress, const unsigned char mac[ETH_ALEN])
{
    const struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = egress->interface};
    if (bind(egress->packets, (const struct sockaddr *)&address, sizeof address) != 0)
        contend_fail_errno("cannot reach " INTERFACE " of a host");
    const uint16_t protocol = htons(TO_NOBODY);
    memcpy(egress->frame, mac, ETH_ALEN); /* the switch sends nothing back to where it came from */
    memcpy(egress->frame + ETH_ALEN, mac, ETH_ALEN);
    memcpy(egress->frame + 2 * ETH_ALEN, &protocol, sizeof protocol);
}

struct contend_egress contend_open_egress(const struct contend_host_statement *host)
{
    struct contend_egress egress = {.netlink = -1, .packets = -1};
    if (host->network == NULL)
        return egress;
    const int own = open_network("/proc/self/ns/net"), network = open_network(host->network);
    enter(network);
    open_sockets(&egress);
    bind_packets(&egress, host->mac);
    enter(own);
    close(own);
    close(network);
    if (!read_options(&egress))
        contend_close_egress(&egress);
    return egress;
}

void contend_close_egress(struct contend_egress *egress)
{
    if (egress->netlink >= 0 && (close(egress->netlink) != 0 || close(egress->packets) != 0))
        contend_fail_errno("cannot leave the queue of a host");
    egress->netlink = egress->packets = -1;
}

/* A bucket that has changed is full: a queue that is stopped lets pass what it holds, one frame. */
static void change(const struct contend_egress *egress, const struct tc_tbf_qopt *options,
                   uint32_t burst)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
    } answer;
    struct request request = make_request(egress, RTM_NEWQDISC, NLM_F_ACK | NLM_F_REPLACE);
    attribute(&request, TCA_KIND, KIND, sizeof KIND);
    struct rtattr *all = attribute(&request, TCA_OPTIONS, NULL, 0);
    attribute(&request, TCA_TBF_PARMS, options, sizeof *options);
    if (burst > 0)
        attribute(&request, TCA_TBF_BURST, &burst, sizeof burst);
    all->rta_len = (unsigned short)((char *)&request + request.header.nlmsg_len - (char *)all);
    ask(egress, &request);
    (void)hear(egress, &answer, sizeof answer);
    if (answer.header.nlmsg_type != NLMSG_ERROR || answer.error.error != 0) {
        errno = -answer.error.error;
        contend_fail_errno("cannot change the queue of a host");
    }
}

static void hold(struct contend_egress *egress)
{
    struct tc_tbf_qopt options = egress->options;
    options.rate.rate = 1; /* bytes/s */
    change(egress, &options, ETH_FRAME_LEN);
    egress->is_held = true;
}

/* A queue sends on when its timer says so, which still goes by the old rate, or when it gets a
 * frame: one that the switch ignores. */
static void let_go(struct contend_egress *egress)
{
    change(egress, &egress->options, 0);
    egress->is_held = false;
    if (send(egress->packets, egress->frame, sizeof egress->frame, MSG_DONTWAIT) < 0 &&
        errno != ENOBUFS && errno != EAGAIN)
        contend_fail_errno("cannot start the queue of a host");
}

bool contend_control_egress(struct contend_egress *egress, uint64_t waiting)
{
    if (egress->netlink < 0)
        return false;
    if (egress->is_held && waiting <= CONTEND_LEAST_BYTES)
        let_go(egress);
    else if (!egress->is_held && waiting >= CONTEND_MOST_BYTES) {
        hold(egress);
        return true;
    }
    return false;
}
