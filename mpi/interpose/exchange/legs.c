/* How the messages of a leg are made of single steps of blocks. */
#include "legs.h"

#include <stdlib.h>
#include <string.h>

#include "ledger.h"

bool contend_add_hop(struct contend_hops *hops, struct contend_hop hop)
{
    if (hops->count == hops->room) {
        const size_t room = 2 * hops->room + 16;
        struct contend_hop *fresh = contend_take(room * sizeof *fresh);
        if (fresh == NULL)
            return false;
        if (hops->count > 0)
            memcpy(fresh, hops->hop, hops->count * sizeof *fresh);
        contend_release(hops->hop);
        *hops = (struct contend_hops){fresh, hops->count, room};
    }
    hops->hop[hops->count++] = hop;
    return true;
}

static int compare_parcels(const void *left, const void *right)
{
    const struct contend_parcel *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->peer - b->peer;
}

/* One per peer, in order; `count` is of the blocks by peer. */
static void list_parcels(struct contend_leg *leg, const struct contend_hops *hops, size_t *count)
{
    for (size_t i = 0; i < hops->count; i++) {
        const struct contend_hop *hop = &hops->hop[i];
        if (count[hop->peer]++ == 0)
            leg->parcel[leg->parcels++] =
                (struct contend_parcel){.peer = hop->peer, .order = hop->order};
    }
    qsort(leg->parcel, (size_t)leg->parcels, sizeof *leg->parcel, compare_parcels);
    size_t end = 0;
    for (int i = 0; i < leg->parcels; i++) {
        leg->parcel[i].first = end;
        end += count[leg->parcel[i].peer];
        leg->parcel[i].end = end;
    }
}

static void list_blocks(struct contend_leg *leg, struct contend_hops *hops, size_t *next)
{
    for (int i = 0; i < leg->parcels; i++)
        next[leg->parcel[i].peer] = leg->parcel[i].first;
    for (size_t i = 0; i < hops->count; i++) {
        struct contend_hop *hop = &hops->hop[i];
        const size_t index = next[hop->peer]++;
        leg->block[index] = hop->block;
        hop->block.from = index;
    }
}

bool contend_make_leg(struct contend_leg *leg, struct contend_hops *hops, int processes)
{
    const size_t peers = (size_t)processes;
    const size_t parcels = hops->count < peers ? hops->count : peers;
    size_t *by_peer = contend_take(peers * sizeof *by_peer);
    leg->chunk = -1;
    leg->blocks = hops->count;
    leg->parcel = contend_take(parcels * sizeof *leg->parcel);
    leg->block = contend_take(hops->count * sizeof *leg->block);
    leg->bytes = contend_take(hops->count * sizeof *leg->bytes);
    const bool is_ok =
        by_peer != NULL && leg->parcel != NULL && leg->block != NULL && leg->bytes != NULL;
    if (is_ok) {
        memset(by_peer, 0, peers * sizeof *by_peer);
        list_parcels(leg, hops, by_peer);
        list_blocks(leg, hops, by_peer);
    }
    contend_release(by_peer);
    return is_ok;
}

void contend_free_leg(struct contend_leg *leg)
{
    contend_release(leg->parcel);
    contend_release(leg->block);
    contend_release(leg->bytes);
}
