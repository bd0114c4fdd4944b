/* Events of the emulation in the order of their moments: a binary heap. */
#include "events.h"

#include <stdbool.h>
#include <stdlib.h>

#include "../common/fail.h"

static bool is_before(const struct contend_event *left, const struct contend_event *right)
{
    if (left->moment != right->moment)
        return left->moment < right->moment;
    return left->sequence < right->sequence;
}

void contend_add_event(struct contend_events *events, struct contend_event event)
{
    if (events->count == events->capacity) {
        events->capacity = events->capacity > 0 ? 2 * events->capacity : 1024;
        events->heap =
            contend_reallocate(events->heap, events->capacity, sizeof *events->heap, "events");
    }
    event.sequence = events->n_added++;
    struct contend_event *heap = events->heap;
    size_t hole = events->count++;
    while (hole > 0 && is_before(&event, &heap[(hole - 1) / 2])) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = event;
}

int64_t contend_next_moment(const struct contend_events *events)
{
    return events->count > 0 ? events->heap[0].moment : INT64_MAX;
}

struct contend_event contend_take_event(struct contend_events *events)
{
    struct contend_event *heap = events->heap;
    const struct contend_event first = heap[0], last = heap[--events->count];
    size_t hole = 0;
    for (size_t child = 1; child < events->count; child = 2 * hole + 1) {
        if (child + 1 < events->count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (is_before(&last, &heap[child]))
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
    return first;
}

void contend_free_events(struct contend_events *events)
{
    free(events->heap);
    *events = (struct contend_events){0};
}
