/* Ping-pong: half the round trip of m bytes.
 *
 * Source: the customary measurement of Hockney's alpha and beta (Hockney 1994, "The communication
 * challenge for MPP", Parallel Computing 20).
 * Idea: rank 0 sends m bytes, rank 1 sends m bytes back; half of that time is one message.
 * Timed: on rank 0, from before MPI_Send to after MPI_Recv. Before it, untimed, an empty message
 * from rank 1 says that it is about to receive.
 * Restriction: exactly two processes.
 */
#include <stdlib.h>

#include "clock.h"
#include "experiment.h"
#include "pair.h"
#include "pattern.h"
#include "require.h"

struct buffers {
    unsigned char *sent;
    unsigned char *received;
};

static void setup(struct contend_point *point)
{
    struct buffers *buffers = contend_allocate(sizeof *buffers, "buffers");
    const int peer = 1 - point->rank;
    buffers->sent = contend_allocate(point->m, "send buffer");
    buffers->received = contend_allocate(point->m, "receive buffer");
    contend_pattern_fill(buffers->sent, point->m, point->rank, peer);
    contend_pattern_poison(buffers->received, point->m, peer, point->rank);
    point->state = buffers;
}

static double run(struct contend_point *point)
{
    const struct buffers *buffers = point->state;
    if (point->rank == 1) {
        contend_send_empty(point);
        contend_receive_data(point, buffers->received);
        contend_send_data(point, buffers->sent);
        return 0.0;
    }
    contend_receive_empty(point);
    const double begin = contend_now();
    contend_send_data(point, buffers->sent);
    contend_receive_data(point, buffers->received);
    return 0.5 * (contend_now() - begin);
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct buffers *buffers = point->state;
    return contend_pattern_check(buffers->received, point->m, 1 - point->rank, point->rank, detail,
                                 size);
}

static void teardown(struct contend_point *point)
{
    struct buffers *buffers = point->state;
    free(buffers->sent);
    free(buffers->received);
    free(buffers);
}

static const char *const algorithms[] = {"half_round_trip", NULL};

const struct contend_experiment contend_experiment = {
    .name = "pingpong",
    .algorithms = algorithms,
    .processes_min = 2,
    .processes_max = 2,
    .is_local = true,
    .setup = setup,
    .run = run,
    .check = check,
    .teardown = teardown,
};
