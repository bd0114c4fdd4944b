/* Data of TCP, and those sent again, as the frames show them, without asking any host. */
#include "flows.h"

#include <net/ethernet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../common/fail.h"

#define IP_LEAST 20
#define TCP_LEAST 20
#define TCP_SYN 0x02

struct key {
    uint32_t addresses[2];
    uint32_t ports; /* both */
};

struct flow {
    struct key key;
    bool is_used;
    uint32_t end;   /* sequence number behind the last byte sent so far */
    int64_t moment; /* of the last segment with data */
};

struct segment {
    struct key key;
    uint32_t begin, end;
    bool is_syn;
};

static uint16_t read_16(const unsigned char *bytes) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }

static uint32_t read_32(const unsigned char *bytes)
{
    return (uint32_t)read_16(bytes) << 16 | read_16(bytes + 2);
}

/* Whether the frame is a TCP segment with data or SYN. */
static bool parse(const unsigned char *frame, size_t length, struct segment *segment)
{
    if (length < ETH_HLEN + IP_LEAST || read_16(frame + 12) != ETHERTYPE_IP)
        return false;
    const unsigned char *ip = frame + ETH_HLEN;
    const size_t ip_header = (size_t)(ip[0] & 0x0f) * 4, total = read_16(ip + 2);
    const bool is_fragment = (read_16(ip + 6) & 0x3fff) != 0;
    if (ip[9] != IPPROTO_TCP || is_fragment || ip_header < IP_LEAST || total > length - ETH_HLEN ||
        total < ip_header + TCP_LEAST)
        return false;
    const unsigned char *tcp = ip + ip_header;
    const size_t headers = ip_header + (size_t)(tcp[12] >> 4) * 4;
    if (headers > total)
        return false;
    segment->key = (struct key){{read_32(ip + 12), read_32(ip + 16)}, read_32(tcp)};
    segment->is_syn = (tcp[13] & TCP_SYN) != 0;
    segment->begin = read_32(tcp + 4) + (segment->is_syn ? 1 : 0);
    segment->end = segment->begin + (uint32_t)(total - headers);
    return segment->is_syn || total > headers;
}

static size_t hash(const struct key *key)
{
    uint64_t mixed = (uint64_t)key->addresses[0] << 32 | key->addresses[1];
    mixed = (mixed ^ key->ports) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
    return (size_t)(mixed ^ mixed >> 32);
}

/* The flow's place in the table: its own, or a free one. Capacity is a power of two. */
static struct flow *find(struct flow *table, size_t capacity, const struct key *key)
{
    size_t at = hash(key) & (capacity - 1);
    while (table[at].is_used && memcmp(&table[at].key, key, sizeof *key) != 0)
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static void grow(struct contend_flows *flows)
{
    const size_t capacity = flows->capacity > 0 ? 2 * flows->capacity : 1024;
    struct flow *table = contend_reallocate(NULL, capacity, sizeof *table, "TCP flows");
    memset(table, 0, capacity * sizeof *table);
    for (size_t i = 0; i < flows->capacity; i++)
        if (flows->table[i].is_used)
            *find(table, capacity, &flows->table[i].key) = flows->table[i];
    free(flows->table);
    flows->table = table;
    flows->capacity = capacity;
}

static struct flow *find_or_add(struct contend_flows *flows, const struct segment *segment)
{
    if (2 * flows->count >= flows->capacity)
        grow(flows);
    struct flow *flow = find(flows->table, flows->capacity, &segment->key);
    if (!flow->is_used) {
        *flow = (struct flow){.key = segment->key, .is_used = true, .end = segment->begin};
        flows->count++;
    }
    return flow;
}

enum contend_segment contend_follow_flow(struct contend_flows *flows, int64_t moment,
                                         const unsigned char *frame, size_t length)
{
    struct segment segment;
    if (!parse(frame, length, &segment))
        return CONTEND_SEGMENT_OTHER;
    struct flow *flow = find_or_add(flows, &segment);
    if (segment.is_syn)
        flow->end = segment.begin; /* a new connection of the same ports */
    if (segment.begin == segment.end)
        return CONTEND_SEGMENT_OTHER;
    const bool is_again = (int32_t)(segment.begin - flow->end) < 0; /* numbers wrap around */
    const bool is_timed_out = moment - flow->moment >= flows->rto / 2;
    if ((int32_t)(segment.end - flow->end) > 0)
        flow->end = segment.end;
    flow->moment = moment;
    if (!is_again)
        return CONTEND_SEGMENT_FRESH;
    return is_timed_out ? CONTEND_SEGMENT_TIMED_OUT : CONTEND_SEGMENT_RETRANSMITTED;
}

void contend_free_flows(struct contend_flows *flows)
{
    free(flows->table);
    *flows = (struct contend_flows){0};
}
