/* Parameters of pLogP, as functions of the message size m.
 *
 * Source: Kielmann, Bal, Verstoep 2000, "Fast measurement of LogP parameters for message passing
 * platforms", IPDPS Workshops, LNCS 1800.
 * Idea and what is timed, on rank 0:
 *   saturation_gap    a train of messages sent without waiting, until an empty answer to the last
 *                     one is in; divided by the length of the train. The length doubles until the
 *                     time per message changes by less than 1 %. At m = 0 this is g(0). Up to
 *                     WINDOW messages are under way, their receives posted before.
 *   round_trip        m bytes there, an empty message back. L = RTT(0)/2 - g(0). It is a train of
 *                     one, so that a train of k takes RTT(m) + (k-1) g(m).
 *   send_overhead     MPI_Send of m bytes in such a round trip: os(m).
 *   receive_overhead  MPI_Recv of m bytes that were sent on request, after a pause longer than
 *                     their round trip, without any call to MPI: or(m).
 * Restrictions: exactly two processes. With rendezvous, os and or contain the transfer, as they do
 * in Kielmann's tool; or also contains what a library without own threads left to MPI_Recv.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "experiment.h"
#include "pair.h"
#include "pattern.h"
#include "require.h"

enum { SATURATION_GAP, ROUND_TRIP, SEND_OVERHEAD, RECEIVE_OVERHEAD };

#define TRAIN_CHANGE 0.01
#define TRAIN_MAX 8192
/* A train may take this part of the point's time, so that some twenty of them fit. */
#define TRAIN_PART 0.04
/* The least of so many trains, or the most of so many round trips, resists interruptions. */
#define PROBES 5
/* The pause in round trips. Two, since the request has to arrive first. */
#define PAUSE_ROUND_TRIPS 2.0
/* As many messages of a train are under way, fewer where they would take too much memory. */
#define WINDOW 8
#define WINDOW_BYTES (64u << 20)

struct plogp {
    unsigned char *data; /* [m]; where a train arrives [window * m] */
    int window;
    int train;         /* messages */
    bool is_saturated; /* the length was found, not cut off */
    double pause;      /* s */
};

static void begin_receive(const struct contend_point *point, int slot, MPI_Request *request)
{
    const struct plogp *plogp = point->state;
    REQUIRE_MPI(MPI_Irecv(plogp->data + (size_t)slot * point->m, (int)point->m, MPI_BYTE, 0,
                          CONTEND_TAG_DATA, point->comm, request));
}

/* Rank 1 of all but receive_overhead: says that it is ready, takes the messages, answers. */
static double answer(const struct contend_point *point, int messages)
{
    const struct plogp *plogp = point->state;
    MPI_Request requests[WINDOW];
    for (int i = 0; i < messages && i < plogp->window; i++)
        begin_receive(point, i, requests + i);
    contend_send_empty(point);
    for (int i = 0; i < messages; i++) {
        const int slot = i % plogp->window;
        REQUIRE_MPI(MPI_Wait(requests + slot, MPI_STATUS_IGNORE));
        if (i + plogp->window < messages)
            begin_receive(point, slot, requests + slot);
    }
    contend_send_empty(point);
    return 0.0;
}

/* Seconds per message of one train. */
static double run_train(const struct contend_point *point, int messages)
{
    const struct plogp *plogp = point->state;
    if (point->rank == 1)
        return answer(point, messages);
    MPI_Request requests[WINDOW];
    for (int i = 0; i < plogp->window; i++)
        requests[i] = MPI_REQUEST_NULL;
    contend_receive_empty(point);
    const double begin = contend_now();
    for (int i = 0; i < messages; i++) {
        const int slot = i % plogp->window;
        REQUIRE_MPI(MPI_Wait(requests + slot, MPI_STATUS_IGNORE));
        REQUIRE_MPI(MPI_Isend(plogp->data, (int)point->m, MPI_BYTE, 1, CONTEND_TAG_DATA,
                              point->comm, requests + slot));
    }
    REQUIRE_MPI(MPI_Waitall(plogp->window, requests, MPI_STATUSES_IGNORE));
    contend_receive_empty(point);
    return (contend_now() - begin) / messages;
}

static double run_send(const struct contend_point *point)
{
    const struct plogp *plogp = point->state;
    if (point->rank == 1)
        return answer(point, 1);
    contend_receive_empty(point);
    const double begin = contend_now();
    contend_send_data(point, plogp->data);
    const double end = contend_now();
    contend_receive_empty(point);
    return end - begin;
}

static double run_receive(const struct contend_point *point)
{
    const struct plogp *plogp = point->state;
    if (point->rank == 1) {
        contend_receive_empty(point);
        contend_send_data(point, plogp->data);
        return 0.0;
    }
    contend_send_empty(point);
    contend_wait_until(contend_now() + plogp->pause, !point->is_oversubscribed);
    const double begin = contend_now();
    contend_receive_data(point, plogp->data);
    return contend_now() - begin;
}

static double run(struct contend_point *point)
{
    const struct plogp *plogp = point->state;
    if (point->algorithm == SEND_OVERHEAD)
        return run_send(point);
    if (point->algorithm == RECEIVE_OVERHEAD)
        return run_receive(point);
    return run_train(point, plogp->train); /* ROUND_TRIP: of 1 message */
}

static int receiver(const struct contend_point *point)
{
    return point->algorithm == RECEIVE_OVERHEAD ? 0 : 1;
}

static int window_of(size_t m)
{
    const size_t fitting = m > 0 ? WINDOW_BYTES / m : WINDOW;
    return fitting >= WINDOW ? WINDOW : fitting > 1 ? (int)fitting : 2;
}

static void setup(struct contend_point *point)
{
    struct plogp *plogp = contend_allocate(sizeof *plogp, "state");
    *plogp = (struct plogp){.window = window_of(point->m), .train = 1};
    plogp->data = contend_allocate((size_t)plogp->window * point->m, "messages");
    const int dst = receiver(point), src = 1 - dst;
    for (int slot = 0; slot < plogp->window; slot++)
        (point->rank == src ? contend_pattern_fill : contend_pattern_poison)(
            plogp->data + (size_t)slot * point->m, point->m, src, dst);
    point->state = plogp;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct plogp *plogp = point->state;
    const int dst = receiver(point);
    const int used = plogp->train < plogp->window ? plogp->train : plogp->window;
    for (int slot = 0; point->rank == dst && slot < used; slot++)
        if (!contend_pattern_check(plogp->data + (size_t)slot * point->m, point->m, 1 - dst, dst,
                                   detail, size))
            return false;
    return true;
}

static double shortest_train(const struct contend_point *point, int messages)
{
    double shortest = INFINITY;
    for (int i = 0; i < PROBES; i++)
        shortest = fmin(shortest, run_train(point, messages));
    return shortest;
}

static void find_train(struct contend_point *point)
{
    struct plogp *plogp = point->state;
    double gap = shortest_train(point, plogp->train);
    for (int goes_on = 1; goes_on;) {
        plogp->train *= 2;
        const double next = shortest_train(point, plogp->train);
        plogp->is_saturated = fabs(next - gap) < TRAIN_CHANGE * gap;
        goes_on = !plogp->is_saturated && 2 * plogp->train <= TRAIN_MAX &&
                  2 * plogp->train * next < TRAIN_PART * point->max_seconds;
        gap = next;
        REQUIRE_MPI(MPI_Bcast(&goes_on, 1, MPI_INT, 0, point->comm));
    }
}

/* By round trips with the data from rank 0; links are taken to be alike both ways. */
static void find_pause(struct contend_point *point)
{
    struct plogp *plogp = point->state;
    double longest = 0.0;
    for (int i = 0; i < PROBES; i++)
        longest = fmax(longest, run_train(point, 1));
    plogp->pause = PAUSE_ROUND_TRIPS * longest;
}

static void calibrate(struct contend_point *point)
{
    if (point->algorithm == SATURATION_GAP)
        find_train(point);
    else if (point->algorithm == RECEIVE_OVERHEAD)
        find_pause(point);
}

static void parameters(const struct contend_point *point, char *json, size_t size)
{
    const struct plogp *plogp = point->state;
    if (point->algorithm == SATURATION_GAP)
        snprintf(json, size, "{\"train\":%d,\"is_saturated\":%s}", plogp->train,
                 plogp->is_saturated ? "true" : "false");
    if (point->algorithm == RECEIVE_OVERHEAD)
        snprintf(json, size, "{\"pause_s\":%.9e}", plogp->pause);
}

static void teardown(struct contend_point *point)
{
    struct plogp *plogp = point->state;
    free(plogp->data);
    free(plogp);
}

static const char *const algorithms[] = {"saturation_gap", "round_trip", "send_overhead",
                                         "receive_overhead", NULL}; /* as the enum */

const struct contend_experiment contend_experiment = {
    .name = "plogp",
    .algorithms = algorithms,
    .processes_min = 2,
    .processes_max = 2,
    .is_local = true,
    .setup = setup,
    .run = run,
    .check = check,
    .teardown = teardown,
    .calibrate = calibrate,
    .parameters = parameters,
};
