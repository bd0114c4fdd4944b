/* What is known of the requests, messages and communicators that a program holds, by handle.
 *
 * Idea: open addressing with linear probing; each slot has a list, first in first out. */
#include "handles.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 256, KNOWN_FIRST = 256 };

static size_t home(const struct contend_handles *handles, uint64_t handle)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u; /* Knuth: 2^64 by the golden ratio spreads them */
    return (size_t)((handle * golden) >> 32) & (handles->slot_count - 1);
}

static size_t place_of(const struct contend_handles *handles, uint64_t handle)
{
    size_t at = home(handles, handle);
    while (handles->slots[at].first != 0 && handles->slots[at].handle != handle)
        at = (at + 1) & (handles->slot_count - 1);
    return at;
}

static bool grow_slots(struct contend_handles *handles)
{
    const size_t before = handles->slot_count;
    struct contend_slot *old = handles->slots;
    struct contend_slot *slots = calloc(before == 0 ? SLOTS_FIRST : 2 * before, sizeof *slots);
    if (slots == NULL)
        return false;
    handles->slots = slots;
    handles->slot_count = before == 0 ? SLOTS_FIRST : 2 * before;
    for (size_t i = 0; i < before; i++)
        if (old[i].first != 0)
            slots[place_of(handles, old[i].handle)] = old[i];
    free(old);
    return true;
}

static bool grow_known(struct contend_handles *handles)
{
    const uint32_t before = handles->capacity;
    const uint32_t after = before == 0 ? KNOWN_FIRST : 2 * before;
    struct contend_known *known = realloc(handles->known, after * sizeof *known);
    if (known == NULL)
        return false;
    handles->known = known;
    handles->capacity = after;
    for (uint32_t i = after - 1; i >= (before == 0 ? 1 : before); i--) {
        known[i].next = handles->unused;
        handles->unused = i;
    }
    return true;
}

bool contend_handles_add(struct contend_handles *handles, uint64_t handle,
                         struct contend_known known)
{
    if (2 * (handles->used + 1) > handles->slot_count && !grow_slots(handles))
        return false;
    if (handles->unused == 0 && !grow_known(handles))
        return false;
    const uint32_t at = handles->unused;
    struct contend_slot *slot = handles->slots + place_of(handles, handle);
    handles->unused = handles->known[at].next;
    known.next = 0;
    handles->known[at] = known;
    if (slot->first == 0) {
        *slot = (struct contend_slot){.handle = handle, .first = at, .last = at};
        handles->used++;
    } else {
        handles->known[slot->last].next = at;
        slot->last = at;
    }
    return true;
}

struct contend_known *contend_handles_find(const struct contend_handles *handles, uint64_t handle)
{
    if (handles->slot_count == 0)
        return NULL;
    const struct contend_slot *slot = handles->slots + place_of(handles, handle);
    return slot->first == 0 ? NULL : handles->known + slot->first;
}

/* Moves back those that a free slot would hide. */
static void remove_slot(struct contend_handles *handles, size_t hole)
{
    const size_t mask = handles->slot_count - 1;
    for (size_t at = (hole + 1) & mask; handles->slots[at].first != 0; at = (at + 1) & mask) {
        const size_t wanted = home(handles, handles->slots[at].handle);
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            handles->slots[hole] = handles->slots[at];
            hole = at;
        }
    }
    handles->slots[hole].first = 0;
    handles->used--;
}

bool contend_handles_take(struct contend_handles *handles, uint64_t handle,
                          struct contend_known *known)
{
    if (handles->slot_count == 0)
        return false;
    const size_t place = place_of(handles, handle);
    struct contend_slot *slot = handles->slots + place;
    const uint32_t at = slot->first;
    if (at == 0)
        return false;
    *known = handles->known[at];
    handles->known[at].next = handles->unused;
    handles->unused = at;
    slot->first = known->next;
    if (slot->first == 0)
        remove_slot(handles, place);
    return true;
}

void contend_handles_clear(struct contend_handles *handles)
{
    free(handles->slots);
    free(handles->known);
    memset(handles, 0, sizeof *handles);
}
