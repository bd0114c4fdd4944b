/* The token bucket at an interface: its root queue of the kind tbf, told by netlink. */
#include "bucket.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "../common/fail.h"

#define KIND "tbf"

/* A message about the queue of an interface, with room for its attributes. */
struct request {
    struct nlmsghdr header;
    struct tcmsg queue;
    char attributes[256];
};

static struct request make_request(const struct contend_bucket *bucket, unsigned short type,
                                   unsigned short flags)
{
    return (struct request){.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct tcmsg)),
                                       .nlmsg_type = type,
                                       .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags},
                            .queue = {.tcm_family = AF_UNSPEC,
                                      .tcm_ifindex = bucket->interface,
                                      .tcm_parent = TC_H_ROOT}};
}

static struct rtattr *add_attribute(struct request *request, unsigned short type, const void *data,
                                    size_t size)
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

static void ask(const struct contend_bucket *bucket, const struct request *request)
{
    if (send(bucket->netlink, request, request->header.nlmsg_len, 0) < 0)
        contend_fail_errno("cannot ask for the queue of a host");
}

/* Bytes of the next message. */
static size_t hear(const struct contend_bucket *bucket, void *answer, size_t size)
{
    const ssize_t length = recv(bucket->netlink, answer, size, 0);
    if (length < (ssize_t)sizeof(struct nlmsghdr))
        contend_fail_errno("no answer about the queue of a host");
    return (size_t)length;
}

static const struct rtattr *find(const void *first, size_t length, unsigned short type)
{
    ptrdiff_t left = (ptrdiff_t)length;
    for (const char *at = first; left >= (ptrdiff_t)sizeof(struct rtattr);) {
        const struct rtattr *one = (const void *)at;
        const ptrdiff_t size = RTA_ALIGN(one->rta_len);
        if (one->rta_len < sizeof *one || one->rta_len > left)
            return NULL;
        if (one->rta_type == type)
            return one;
        at += size;
        left -= size;
    }
    return NULL;
}

/* The options of a token bucket in a message about a queue; NULL for other kinds. */
static const struct rtattr *find_options(const struct nlmsghdr *message, size_t length)
{
    const char *first = (const char *)message + NLMSG_SPACE(sizeof(struct tcmsg));
    const size_t size = length - NLMSG_SPACE(sizeof(struct tcmsg));
    const struct rtattr *kind = find(first, size, TCA_KIND);
    const struct rtattr *all = find(first, size, TCA_OPTIONS);
    if (kind == NULL || all == NULL || strcmp(RTA_DATA(kind), KIND) != 0)
        return NULL;
    return find(RTA_DATA(all), RTA_PAYLOAD(all), TCA_TBF_PARMS);
}

bool contend_find_bucket(struct contend_bucket *bucket)
{
    _Alignas(struct nlmsghdr) char answer[4096], end[4096];
    /* Of a queue that is the kernel's own choice only the acknowledgement comes. */
    const struct request request = make_request(bucket, RTM_GETQDISC, NLM_F_ECHO);
    ask(bucket, &request);
    const size_t length = hear(bucket, answer, sizeof answer);
    const struct nlmsghdr *message = (const void *)answer;
    if (message->nlmsg_type != RTM_NEWQDISC)
        return false;
    (void)hear(bucket, end, sizeof end);
    const struct rtattr *options = find_options(message, length);
    if (options != NULL)
        memcpy(&bucket->options, RTA_DATA(options), sizeof bucket->options);
    return options != NULL;
}

void contend_change_bucket(const struct contend_bucket *bucket, uint32_t rate, uint32_t burst)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
    } answer;
    struct tc_tbf_qopt options = bucket->options;
    if (rate > 0)
        options.rate.rate = rate;
    struct request request = make_request(bucket, RTM_NEWQDISC, NLM_F_REPLACE);
    add_attribute(&request, TCA_KIND, KIND, sizeof KIND);
    struct rtattr *all = add_attribute(&request, TCA_OPTIONS, NULL, 0);
    add_attribute(&request, TCA_TBF_PARMS, &options, sizeof options);
    if (burst > 0)
        add_attribute(&request, TCA_TBF_BURST, &burst, sizeof burst);
    all->rta_len = (unsigned short)((char *)&request + request.header.nlmsg_len - (char *)all);
    ask(bucket, &request);
    (void)hear(bucket, &answer, sizeof answer);
    if (answer.header.nlmsg_type != NLMSG_ERROR || answer.error.error != 0) {
        errno = -answer.error.error;
        contend_fail_errno("cannot change the queue of a host");
    }
}
