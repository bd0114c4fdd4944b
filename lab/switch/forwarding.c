/* The switch: frames from the ports, along the links of their routes, to other ports.
 *
 * An event is a frame that comes to the next link of its route, or behind the last one to its
 * host. The moment of an event follows from the moment at which the kernel received the frame, so
 * a switch that is late delivers late and says so, but does not move what follows.
 */
#include "forwarding.h"

#include <stdlib.h>
#include <string.h>

#include "../common/fail.h"
#include "moment.h"

struct contend_switch contend_open_switch(const struct contend_configuration *configuration,
                                          struct contend_counters *counters)
{
    struct contend_switch device = {.configuration = configuration, .counters = counters};
    device.flows.rto = configuration->rto;
    device.ports = contend_reallocate(NULL, configuration->n_hosts, sizeof *device.ports, "ports");
    for (uint32_t i = 0; i < configuration->n_hosts; i++)
        device.ports[i] = contend_open_port(configuration->hosts[i].interface);
    device.links = contend_reallocate(NULL, configuration->n_links, sizeof *device.links, "links");
    for (uint32_t i = 0; i < configuration->n_links; i++)
        device.links[i] = (struct contend_link){.statement = &configuration->links[i]};
    device.crossbar = contend_open_crossbar(configuration, counters);
    device.egress =
        contend_reallocate(NULL, configuration->n_hosts, sizeof *device.egress, "hosts");
    for (uint32_t i = 0; i < configuration->n_hosts; i++)
        device.egress[i] = contend_open_egress(configuration, i);
    contend_release_frame(&device.pool, contend_take_frame(&device.pool)); /* its first block */
    return device;
}

void contend_close_switch(struct contend_switch *device)
{
    for (uint32_t i = 0; i < device->configuration->n_hosts; i++) {
        contend_close_port(&device->ports[i]);
        contend_close_egress(&device->egress[i]);
    }
    for (uint32_t i = 0; i < device->configuration->n_links; i++)
        contend_free_link(&device->links[i]);
    contend_close_crossbar(&device->crossbar);
    contend_free_events(&device->events);
    contend_free_pool(&device->pool);
    contend_free_flows(&device->flows);
    free(device->ports);
    free(device->links);
    free(device->egress);
}

/* NULL for broadcast, multicast and strangers: neighbours are static, so no host needs those. */
static const struct contend_route *find_route(const struct contend_configuration *configuration,
                                              uint32_t src, const unsigned char *mac)
{
    for (uint32_t dst = 0; dst < configuration->n_hosts; dst++)
        if (memcmp(configuration->hosts[dst].mac, mac, ETH_ALEN) == 0)
            return dst != src ? &configuration->routes[src * configuration->n_hosts + dst] : NULL;
    return NULL;
}

/* Whether the frame is a TCP segment with data. */
static bool follow_flow(struct contend_switch *device, int64_t moment, const unsigned char *frame,
                        size_t length)
{
    const enum contend_segment segment = contend_follow_flow(&device->flows, moment, frame, length);
    if (segment == CONTEND_SEGMENT_RETRANSMITTED || segment == CONTEND_SEGMENT_TIMED_OUT)
        contend_count(device->counters, CONTEND_RETRANSMISSIONS, 1);
    if (segment == CONTEND_SEGMENT_TIMED_OUT)
        contend_count(device->counters, CONTEND_TIMEOUTS, 1);
    return segment != CONTEND_SEGMENT_OTHER;
}

static void add_coming(struct contend_switch *device, int64_t moment, struct contend_frame *frame)
{
    contend_add_event(
        &device->events,
        (struct contend_event){.moment = moment, .kind = CONTEND_COMES, .frame = frame});
}

static void accept_frame(struct contend_switch *device, uint32_t src, int64_t moment,
                         const struct contend_arrival *arrival)
{
    const unsigned char *mac = arrival->packet + CONTEND_VNET_SIZE;
    const uint32_t bytes = arrival->length - (uint32_t)CONTEND_VNET_SIZE;
    if (bytes < ETH_HLEN)
        return;
    const struct contend_route *route = find_route(device->configuration, src, mac);
    if (route == NULL)
        return;
    if (arrival->is_oversized) {
        contend_count(device->counters, CONTEND_OVERSIZED, 1);
        return;
    }
    struct contend_frame *frame = contend_take_frame(&device->pool);
    frame->has_data = route->n_links > 0 && follow_flow(device, moment, mac, bytes);
    frame->route = route;
    frame->hop = 0;
    frame->bytes = bytes > CONTEND_BYTES_LEAST ? bytes : CONTEND_BYTES_LEAST;
    frame->length = arrival->length;
    memcpy(frame->packet, arrival->packet, arrival->length);
    add_coming(device, moment, frame);
}

void contend_receive(struct contend_switch *device, int64_t now, int64_t real_offset)
{
    struct contend_arrival arrival;
    for (uint32_t src = 0; src < device->configuration->n_hosts; src++) {
        struct contend_port *port = &device->ports[src];
        for (; contend_peek_port(port, &arrival); contend_free_slot(port)) {
            const int64_t moment = arrival.real - real_offset;
            /* A stamp from the future is a clock that was set since the offset was read. */
            accept_frame(device, src, moment < now ? moment : now, &arrival);
        }
    }
}

static void enter_link(struct contend_switch *device, int64_t moment, struct contend_frame *frame)
{
    const uint32_t index = frame->route->links[frame->hop++];
    struct contend_link *link = &device->links[index];
    int64_t arrival;
    if (!contend_enter_link(link, moment, frame->bytes, &arrival)) {
        contend_count(device->counters, CONTEND_DROPS, 1);
        contend_count_link(device->counters, index, CONTEND_LINK_DROPS, 1);
        contend_release_frame(&device->pool, frame);
        return;
    }
    contend_show_queue(device->counters, index, link->queue);
    contend_count_link(device->counters, index, CONTEND_LINK_FRAMES, 1);
    contend_count_link(device->counters, index, CONTEND_LINK_DATA, frame->has_data);
    contend_count_link(device->counters, index, CONTEND_LINK_BYTES, frame->bytes);
    add_coming(device, arrival, frame);
}

static void deliver(struct contend_switch *device, int64_t due, struct contend_frame *frame)
{
    const int64_t handed = contend_now();
    if (!contend_send(&device->ports[frame->route->dst], frame)) {
        contend_count(device->counters, CONTEND_UNDELIVERED, 1);
    } else if (frame->route->n_links > 0) {
        contend_count(device->counters, CONTEND_FRAMES, 1);
        contend_count(device->counters, CONTEND_BYTES, frame->bytes);
        contend_count_lateness(device->counters, handed - due);
    }
    contend_release_frame(&device->pool, frame);
}

static void happen(struct contend_switch *device, const struct contend_event *event)
{
    struct contend_frame *frame = event->frame;
    if (event->kind == CONTEND_COMES && frame->hop == frame->route->n_links)
        deliver(device, event->moment, frame);
    else if (device->configuration->has_credits)
        contend_happen(&device->crossbar, &device->events, event);
    else
        enter_link(device, event->moment, frame);
}

static void control_hosts(struct contend_switch *device)
{
    for (uint32_t i = 0; i < device->configuration->n_hosts; i++) {
        struct contend_egress *egress = &device->egress[i];
        if (egress->is_open &&
            contend_control_egress(egress, contend_bytes_before(&device->crossbar, egress->link)))
            contend_count(device->counters, CONTEND_HOLDS, 1);
    }
}

void contend_forward(struct contend_switch *device, int64_t now)
{
    contend_follow_epoch(device->counters);
    while (contend_next_moment(&device->events) <= now) {
        const struct contend_event event = contend_take_event(&device->events);
        happen(device, &event);
        if (contend_next_moment(&device->events) > event.moment)
            contend_arbitrate(&device->crossbar, &device->events, event.moment);
    }
    if (device->configuration->has_credits)
        control_hosts(device);
}

void contend_refresh(struct contend_switch *device, int64_t now)
{
    for (uint32_t i = 0; i < device->configuration->n_hosts; i++)
        contend_count(device->counters, CONTEND_UNREAD, contend_lost_frames(&device->ports[i]));
    if (device->configuration->has_credits)
        return; /* the crossbar shows its buffers as they change */
    for (uint32_t i = 0; i < device->configuration->n_links; i++) {
        contend_drain_link(&device->links[i], now);
        contend_show_queue(device->counters, i, device->links[i].queue);
    }
}
