/* crossbar CONFIG COUNTERS < LINES: the crossbar of the switch in virtual time, without ports.
 *
 * A line is "MOMENT SRC DST BYTES", a frame between hosts by their numbers, or "run MOMENT": all
 * that is due by then happens before the next line is read. Prints "NUMBER MOMENT" for each frame
 * when it comes to its host, the first line being frame 0, and runs to the end of everything.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../lab/common/fail.h"
#include "../../lab/switch/crossbar.h"

struct device {
    struct contend_configuration configuration;
    struct contend_counters counters;
    struct contend_crossbar crossbar;
    struct contend_events events;
    struct contend_pool pool;
};

static void run(struct device *device, int64_t until)
{
    struct contend_events *events = &device->events;
    while (events->count > 0 && contend_next_moment(events) <= until) {
        const struct contend_event event = contend_take_event(events);
        struct contend_frame *frame = event.frame;
        if (event.kind == CONTEND_COMES && frame->hop == frame->route->n_links) {
            printf("%u %lld\n", frame->length, (long long)event.moment);
            contend_release_frame(&device->pool, frame);
        } else {
            contend_happen(&device->crossbar, events, &event);
        }
        if (contend_next_moment(events) > event.moment)
            contend_arbitrate(&device->crossbar, events, event.moment);
    }
}

static void add(struct device *device, uint32_t number, const char *line)
{
    long long moment;
    unsigned src, dst, bytes;
    if (sscanf(line, "%lld %u %u %u", &moment, &src, &dst, &bytes) != 4)
        contend_fail(CONTEND_EXIT_CONFIGURATION, "no frame: %s", line);
    struct contend_frame *frame = contend_take_frame(&device->pool);
    frame->route = &device->configuration.routes[src * device->configuration.n_hosts + dst];
    frame->hop = 0;
    frame->bytes = bytes;
    frame->length = number;
    contend_add_event(
        &device->events,
        (struct contend_event){.moment = moment, .kind = CONTEND_COMES, .frame = frame});
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return CONTEND_EXIT_CONFIGURATION;
    struct device device = {.configuration = contend_read_configuration(argv[1])};
    device.counters = contend_create_counters(argv[2], &device.configuration);
    device.crossbar = contend_open_crossbar(&device.configuration, &device.counters);
    char line[128];
    long long until;
    uint32_t number = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "run %lld", &until) == 1)
            run(&device, until);
        else
            add(&device, number++, line);
    }
    run(&device, INT64_MAX);
    contend_close_crossbar(&device.crossbar);
    contend_free_events(&device.events);
    contend_free_pool(&device.pool);
    contend_close_counters(&device.counters);
    contend_free_configuration(&device.configuration);
    return 0;
}
