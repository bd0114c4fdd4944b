/* One directed link: serialisation at a rate behind a drop-tail buffer, then a delay. */
#include "links.h"

#include <stdlib.h>

#include "../common/fail.h"
#include "moment.h"

#define FRAMING UINT64_C(24)

struct departure {
    int64_t moment;
    uint32_t bytes;
};

int64_t contend_serialisation(uint64_t rate, uint32_t bytes)
{
    if (rate == 0)
        return 0;
    const uint64_t bit_ns = (bytes + FRAMING) * 8 * (uint64_t)CONTEND_NS_PER_S;
    return (int64_t)((bit_ns + rate / 2) / rate);
}

/* Capacity is a power of two. */
static void grow(struct contend_link *link)
{
    const size_t capacity = link->capacity > 0 ? 2 * link->capacity : 64;
    struct departure *departures =
        contend_reallocate(NULL, capacity, sizeof *departures, "buffer of a link");
    for (size_t i = 0; i < link->count; i++)
        departures[i] = link->departures[(link->first + i) & (link->capacity - 1)];
    free(link->departures);
    link->departures = departures;
    link->first = 0;
    link->capacity = capacity;
}

static void store(struct contend_link *link, struct departure departure)
{
    if (link->count == link->capacity)
        grow(link);
    link->departures[(link->first + link->count++) & (link->capacity - 1)] = departure;
    link->queue += departure.bytes;
}

void contend_drain_link(struct contend_link *link, int64_t moment)
{
    while (link->count > 0 && link->departures[link->first].moment <= moment) {
        link->queue -= link->departures[link->first].bytes;
        link->first = (link->first + 1) & (link->capacity - 1);
        link->count--;
    }
}

bool contend_enter_link(struct contend_link *link, int64_t moment, uint32_t bytes, int64_t *arrival)
{
    const struct contend_link_statement *statement = link->statement;
    contend_drain_link(link, moment);
    if (statement->buffer != 0 && link->queue + bytes > statement->buffer)
        return false;
    const int64_t start = moment > link->free_at ? moment : link->free_at;
    link->free_at = start + contend_serialisation(statement->rate, bytes);
    if (link->free_at > moment)
        store(link, (struct departure){link->free_at, bytes});
    *arrival = link->free_at + statement->delay;
    return true;
}

void contend_free_link(struct contend_link *link)
{
    free(link->departures);
    *link = (struct contend_link){0};
}
