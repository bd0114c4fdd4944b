/* Links that stop their senders: credit-based flow control of input-queued switches. */
#include "crossbar.h"

#include <stdlib.h>
#include <string.h>

#include "../common/fail.h"
#include "links.h"

#define NOT_PAUSED INT64_MIN

/* Frames that wait for their turn, in the order in which they came. */
struct queue {
    struct contend_frame *first, *last;
    uint64_t bytes;
    int64_t free_at; /* the one before the first left */
};

/* A link with what waits at both of its ends. */
struct lane {
    struct queue before; /* frames whose route begins here */
    struct queue behind; /* frames in the buffer that it leads to */
    uint64_t used;       /* bytes there, and those that are promised room */
    bool is_sending, is_changed;
    int64_t free_at;   /* its last bit so far leaves */
    int64_t paused_at; /* since then the first in turn waits for room */
    uint32_t *feeders; /* (n_feeders,) lanes that it follows on a route, set */
    uint32_t n_feeders;
    uint32_t turn; /* the feeder that is asked first, or n_feeders: the queue before it */
};

static void add_feeder(struct lane *lane, uint32_t feeder)
{
    for (uint32_t i = 0; i < lane->n_feeders; i++)
        if (lane->feeders[i] == feeder)
            return;
    lane->feeders = contend_reallocate(lane->feeders, (size_t)lane->n_feeders + 1,
                                       sizeof *lane->feeders, "links before a link");
    lane->feeders[lane->n_feeders++] = feeder;
}

/* Takes out, again and again, links that follow none of those that are left. */
static void require_order(const struct contend_crossbar *crossbar)
{
    const uint32_t n_links = crossbar->configuration->n_links;
    bool *is_left = contend_reallocate(NULL, n_links, sizeof *is_left, "links");
    uint32_t n_left = n_links, n_before = n_links + 1, one = 0;
    memset(is_left, true, n_links);
    while (n_left < n_before) {
        n_before = n_left;
        for (uint32_t link = 0; link < n_links; link++) {
            const struct lane *lane = &crossbar->lanes[link];
            uint32_t i = 0;
            while (i < lane->n_feeders && !is_left[lane->feeders[i]])
                i++;
            if (is_left[link] && i == lane->n_feeders) {
                is_left[link] = false;
                n_left--;
            } else if (is_left[link]) {
                one = link;
            }
        }
    }
    free(is_left);
    if (n_left > 0)
        contend_fail(CONTEND_EXIT_CONFIGURATION,
                     "routes lead in a circle, on which '%s' is or which it follows, and with "
                     "credits its frames could wait for each other for ever; change a route or "
                     "write 'flow_control none'",
                     crossbar->configuration->links[one].name);
}

struct contend_crossbar contend_open_crossbar(const struct contend_configuration *configuration,
                                              struct contend_counters *counters)
{
    const uint32_t n_links = configuration->n_links;
    const size_t n_pairs = (size_t)configuration->n_hosts * configuration->n_hosts;
    struct contend_crossbar crossbar = {.configuration = configuration, .counters = counters};
    crossbar.lanes = contend_reallocate(NULL, n_links, sizeof *crossbar.lanes, "links");
    crossbar.changed = contend_reallocate(NULL, n_links, sizeof *crossbar.changed, "links");
    for (uint32_t i = 0; i < n_links; i++)
        crossbar.lanes[i] = (struct lane){.paused_at = NOT_PAUSED};
    for (size_t pair = 0; pair < n_pairs; pair++) {
        const struct contend_route *route = &configuration->routes[pair];
        for (uint32_t hop = 1; hop < route->n_links; hop++)
            add_feeder(&crossbar.lanes[route->links[hop]], route->links[hop - 1]);
    }
    if (configuration->has_credits)
        require_order(&crossbar);
    return crossbar;
}

void contend_close_crossbar(struct contend_crossbar *crossbar)
{
    for (uint32_t i = 0; i < crossbar->configuration->n_links; i++)
        free(crossbar->lanes[i].feeders);
    free(crossbar->lanes);
    free(crossbar->changed);
    *crossbar = (struct contend_crossbar){0};
}

static void note_change(struct contend_crossbar *crossbar, uint32_t link)
{
    if (crossbar->lanes[link].is_changed)
        return;
    crossbar->lanes[link].is_changed = true;
    crossbar->changed[crossbar->n_changed++] = link;
}

/* Where a frame waits for the next link of its route. */
static struct queue *queue_of(struct contend_crossbar *crossbar, const struct contend_frame *frame)
{
    const uint32_t *links = frame->route->links;
    return frame->hop == 0 ? &crossbar->lanes[links[0]].before
                           : &crossbar->lanes[links[frame->hop - 1]].behind;
}

static void come(struct contend_crossbar *crossbar, struct contend_frame *frame)
{
    struct queue *queue = queue_of(crossbar, frame);
    frame->next = NULL;
    if (queue->first == NULL) {
        queue->first = frame;
        note_change(crossbar, frame->route->links[frame->hop]);
    } else {
        queue->last->next = frame;
    }
    queue->last = frame;
    queue->bytes += frame->bytes;
}

static void give_room(struct contend_crossbar *crossbar, uint32_t link, uint32_t bytes)
{
    struct lane *lane = &crossbar->lanes[link];
    lane->used -= bytes;
    contend_show_queue(crossbar->counters, link, lane->used);
    note_change(crossbar, link);
}

/* The last bit of a frame has left: its link, its queue and its room are free. */
static void leave(struct contend_crossbar *crossbar, struct contend_events *events, int64_t moment,
                  struct contend_frame *frame)
{
    const uint32_t link = frame->route->links[frame->hop];
    struct queue *queue = queue_of(crossbar, frame);
    queue->first = frame->next;
    queue->bytes -= frame->bytes;
    queue->free_at = moment;
    if (queue->first != NULL)
        note_change(crossbar, queue->first->route->links[queue->first->hop]);
    crossbar->lanes[link].is_sending = false;
    note_change(crossbar, link);
    if (frame->hop > 0) {
        const uint32_t from = frame->route->links[frame->hop - 1];
        const int64_t delay = crossbar->configuration->links[from].delay;
        contend_add_event(events, (struct contend_event){.moment = moment + delay,
                                                         .kind = CONTEND_CREDIT,
                                                         .link = from,
                                                         .bytes = frame->bytes});
    }
    frame->hop++;
    contend_add_event(events, (struct contend_event){
                                  .moment = moment + crossbar->configuration->links[link].delay,
                                  .kind = CONTEND_COMES,
                                  .frame = frame});
}

void contend_happen(struct contend_crossbar *crossbar, struct contend_events *events,
                    const struct contend_event *event)
{
    if (event->kind == CONTEND_COMES)
        come(crossbar, event->frame);
    else if (event->kind == CONTEND_LEAVES)
        leave(crossbar, events, event->moment, event->frame);
    else
        give_room(crossbar, event->link, event->bytes);
}

static struct queue *input(struct contend_crossbar *crossbar, struct lane *lane, uint32_t i)
{
    return i < lane->n_feeders ? &crossbar->lanes[lane->feeders[i]].behind : &lane->before;
}

/* The queue whose turn it is to send over an idle link; NULL when none wants to. */
static struct queue *next_in_turn(struct contend_crossbar *crossbar, uint32_t link, uint32_t *found)
{
    struct lane *lane = &crossbar->lanes[link];
    const uint32_t n_inputs = lane->n_feeders + 1;
    for (uint32_t i = 0; i < n_inputs; i++) {
        *found = (lane->turn + i) % n_inputs;
        struct queue *queue = input(crossbar, lane, *found);
        const struct contend_frame *first = queue->first;
        if (first != NULL && first->route->links[first->hop] == link)
            return queue;
    }
    return NULL;
}

static bool needs_room(const struct contend_frame *frame)
{
    return frame->hop + 1 < frame->route->n_links;
}

static bool has_room(const struct contend_crossbar *crossbar, uint32_t link,
                     const struct contend_frame *frame)
{
    const uint64_t buffer = crossbar->configuration->links[link].buffer;
    return !needs_room(frame) || buffer == 0 || crossbar->lanes[link].used + frame->bytes <= buffer;
}

static void count(struct contend_crossbar *crossbar, uint32_t link,
                  const struct contend_frame *frame, int64_t start)
{
    struct lane *lane = &crossbar->lanes[link];
    contend_count_link(crossbar->counters, link, CONTEND_LINK_FRAMES, 1);
    contend_count_link(crossbar->counters, link, CONTEND_LINK_DATA, frame->has_data);
    contend_count_link(crossbar->counters, link, CONTEND_LINK_BYTES, frame->bytes);
    contend_show_queue(crossbar->counters, link, lane->used);
    if (lane->paused_at != NOT_PAUSED && start > lane->paused_at)
        contend_count_link(crossbar->counters, link, CONTEND_LINK_PAUSED,
                           (uint64_t)(start - lane->paused_at));
    lane->paused_at = NOT_PAUSED;
}

static void start(struct contend_crossbar *crossbar, struct contend_events *events, uint32_t link,
                  struct queue *queue, int64_t moment)
{
    struct lane *lane = &crossbar->lanes[link];
    struct contend_frame *frame = queue->first;
    lane->is_sending = true;
    if (needs_room(frame))
        lane->used += frame->bytes;
    count(crossbar, link, frame, moment);
    const uint64_t rate = crossbar->configuration->links[link].rate;
    lane->free_at = moment + contend_serialisation(rate, frame->bytes);
    contend_add_event(events, (struct contend_event){
                                  .moment = lane->free_at, .kind = CONTEND_LEAVES, .frame = frame});
}

static int64_t later(int64_t one, int64_t other) { return one > other ? one : other; }

static void look_at(struct contend_crossbar *crossbar, struct contend_events *events, uint32_t link,
                    int64_t moment)
{
    struct lane *lane = &crossbar->lanes[link];
    uint32_t found;
    lane->is_changed = false;
    if (lane->is_sending)
        return;
    struct queue *queue = next_in_turn(crossbar, link, &found);
    if (queue == NULL)
        return;
    /* A frame that the switch reads late comes at a moment before what has happened already. */
    const int64_t earliest = later(moment, later(lane->free_at, queue->free_at));
    if (has_room(crossbar, link, queue->first)) {
        lane->turn = (found + 1) % (lane->n_feeders + 1);
        start(crossbar, events, link, queue, earliest);
    } else if (lane->paused_at == NOT_PAUSED) {
        lane->paused_at = earliest;
    }
}

void contend_arbitrate(struct contend_crossbar *crossbar, struct contend_events *events,
                       int64_t moment)
{
    for (uint32_t i = 0; i < crossbar->n_changed; i++)
        look_at(crossbar, events, crossbar->changed[i], moment);
    crossbar->n_changed = 0;
}

uint64_t contend_bytes_before(const struct contend_crossbar *crossbar, uint32_t link)
{
    return crossbar->lanes[link].before.bytes;
}
