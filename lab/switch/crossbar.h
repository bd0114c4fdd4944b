/* Links that stop their senders: credit-based flow control of input-queued switches.
 *
 * Sources: H. T. Kung, T. Blackwell and A. Chapman, Credit-based flow control for ATM networks,
 * SIGCOMM 1994; M. J. Karol, M. G. Hluchyj and S. P. Morgan, Input versus output queueing on a
 * space-division packet switch, IEEE Transactions on Communications 35 (12), 1987.
 *
 * A link ends in a buffer of the switch, and sends a frame only when that has room for all of it;
 * until then its sender waits, and nothing is dropped. A frame leaves the buffer in its turn:
 *
 * - it is the first one there. While it waits for its next link, all behind it wait, wherever they
 *   go to: head-of-line blocking;
 * - its next link is idle. Of several buffers whose first frames want it, the next one in a round
 *   is served, so that a buffer with frames for a link gets every k-th of k that have;
 * - the buffer behind that link has room. The first in turn waits for it, nobody overtakes.
 *
 * Its room is free when its last bit has left, and the sender knows that one delay of the link
 * later. Behind the last link of a route is a host, which takes everything. Frames of a host wait
 * before its first link, as in the queue of a network card.
 *
 * A link is busy for (L + 24) 8 / rate by a frame of L bytes, which comes `delay` after its last
 * bit. Alone on its way it takes as long as without flow control (links.h) where a buffer holds
 * the bytes of a round trip: that of two frames and two delays.
 *
 * Restriction: no circle of links of which each follows another one on a route, as such links could
 * wait for each other for ever (W. J. Dally and C. L. Seitz, Deadlock-free message routing in
 * multiprocessor interconnection networks, IEEE Transactions on Computers 36 (5), 1987). Around
 * one switch there is none: links to it are followed by links to hosts, and those by nothing.
 */
#ifndef CONTEND_CROSSBAR_H
#define CONTEND_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "configuration.h"
#include "counters.h"
#include "events.h"
#include "frame.h"

struct contend_crossbar {
    const struct contend_configuration *configuration; /* set */
    struct contend_counters *counters;                 /* set */
    struct lane *lanes;                                /* (n_links,) */
    uint32_t *changed;                                 /* (n_changed,) lanes to look at */
    uint32_t n_changed;
};

/* Both outlive it. Exits when there are credits and links form a circle. */
struct contend_crossbar contend_open_crossbar(const struct contend_configuration *configuration,
                                              struct contend_counters *counters);
void contend_close_crossbar(struct contend_crossbar *crossbar);

/* An event of a frame that has links before it, or of a credit; adds those that follow. */
void contend_happen(struct contend_crossbar *crossbar, struct contend_events *events,
                    const struct contend_event *event);

/* Starts what may start, when all that happens at that moment has happened. */
void contend_arbitrate(struct contend_crossbar *crossbar, struct contend_events *events,
                       int64_t moment);

/* Bytes of the frames whose route begins with a link and that have not left it. */
uint64_t contend_bytes_before(const struct contend_crossbar *crossbar, uint32_t link);

#endif
