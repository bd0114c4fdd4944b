/* The switch: frames from the ports, along the links of their routes, to other ports. */
#ifndef CONTEND_FORWARDING_H
#define CONTEND_FORWARDING_H

#include "configuration.h"
#include "counters.h"
#include "crossbar.h"
#include "egress.h"
#include "events.h"
#include "flows.h"
#include "frame.h"
#include "links.h"
#include "port.h"

struct contend_switch {
    const struct contend_configuration *configuration; /* set */
    struct contend_counters *counters;                 /* set */
    struct contend_port *ports;                        /* (n_hosts,) */
    struct contend_link *links;                        /* (n_links,) without flow control */
    struct contend_crossbar crossbar;                  /* with it */
    struct contend_egress *egress;                     /* (n_hosts,) */
    struct contend_events events;
    struct contend_pool pool;
    struct contend_flows flows;
};

struct contend_switch contend_open_switch(const struct contend_configuration *configuration,
                                          struct contend_counters *counters);
void contend_close_switch(struct contend_switch *device);

/* Reads all that the ports have received; real_offset as in moment.h. */
void contend_receive(struct contend_switch *device, int64_t now, int64_t real_offset);

/* Makes everything happen that is due by that moment. */
void contend_forward(struct contend_switch *device, int64_t now);

/* Brings the counters that no event changes up to that moment. */
void contend_refresh(struct contend_switch *device, int64_t now);

#endif
