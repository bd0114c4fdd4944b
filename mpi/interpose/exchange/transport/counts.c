/* Sizes of blocks where each rank knows its own only.
 *
 * A source knows what it sends and tells it to who collects it. A destination knows what it gets
 * and tells it to who takes it in for it: so nothing has to cross the slow link twice. */
#include "counts.h"

#include "../schedule/parcels.h"
#include "requests.h"

/* The same for all ranks of the group: a leg that is sent and the one that it arrives by, here with
 * sizes in place of the blocks, one of both against their direction. */
struct channel {
    int from, to, tag;
};
static const struct channel channels[] = {
    {CONTEND_COLLECT_OUT, CONTEND_COLLECT_IN, CONTEND_COLLECT_COUNTS},
    {CONTEND_HAND_IN, CONTEND_HAND_OUT, CONTEND_HAND_COUNTS},
};

enum { CHANNELS = sizeof channels / sizeof channels[0] };

static void fill_own(struct contend_task *task)
{
    struct contend_leg *legs = task->itinerary->leg;
    for (size_t i = 0; i < legs[CONTEND_COLLECT_OUT].blocks; i++)
        legs[CONTEND_COLLECT_OUT].bytes[i] =
            contend_capped_bytes(&task->call->sent, legs[CONTEND_COLLECT_OUT].block[i].dst);
    for (size_t i = 0; i < legs[CONTEND_HAND_IN].blocks; i++)
        legs[CONTEND_HAND_IN].bytes[i] =
            contend_capped_bytes(&task->call->received, legs[CONTEND_HAND_IN].block[i].src);
}

/* What crosses, from what was told. */
static void fill_crossing(struct contend_task *task)
{
    struct contend_leg *legs = task->itinerary->leg;
    struct contend_leg *out = &legs[CONTEND_CROSS_OUT], *in = &legs[CONTEND_CROSS_IN];
    for (size_t i = 0; i < out->blocks; i++)
        out->bytes[i] = out->block[i].from == CONTEND_OWN
                            ? contend_capped_bytes(&task->call->sent, out->block[i].dst)
                            : legs[CONTEND_COLLECT_IN].bytes[out->block[i].from];
    for (size_t i = 0; i < in->blocks; i++)
        if (in->block[i].dst == task->rank)
            in->bytes[i] = contend_capped_bytes(&task->call->received, in->block[i].src);
    for (size_t i = 0; i < legs[CONTEND_HAND_OUT].blocks; i++)
        in->bytes[legs[CONTEND_HAND_OUT].block[i].from] = legs[CONTEND_HAND_OUT].bytes[i];
}

static int begin_telling(struct contend_task *task, struct channel channel, MPI_Request **next)
{
    struct contend_leg *from = &task->itinerary->leg[channel.from];
    struct contend_leg *to = &task->itinerary->leg[channel.to];
    int code = MPI_SUCCESS;
    for (int i = 0; i < to->parcels && code == MPI_SUCCESS; i++)
        code = contend_begin_receive(to->bytes + to->parcel[i].first,
                                     (int)(to->parcel[i].end - to->parcel[i].first), MPI_INT64_T,
                                     to->parcel[i].peer, channel.tag, task->comm, (*next)++);
    for (int i = 0; i < from->parcels && code == MPI_SUCCESS; i++)
        code = contend_begin_send(from->bytes + from->parcel[i].first,
                                  (int)(from->parcel[i].end - from->parcel[i].first), MPI_INT64_T,
                                  from->parcel[i].peer, channel.tag, false, task->comm, (*next)++);
    return code;
}

/* What comes from the own group, where nobody has to be told. */
static void fill_straight(struct contend_task *task)
{
    struct contend_leg *in = &task->itinerary->leg[CONTEND_COLLECT_IN];
    for (size_t i = 0; i < in->blocks; i++)
        in->bytes[i] = contend_capped_bytes(&task->call->received, in->block[i].src);
}

int contend_tell_counts(struct contend_task *task, bool is_straight)
{
    MPI_Request *next = task->itinerary->requests;
    int code = MPI_SUCCESS;
    fill_own(task);
    if (is_straight)
        fill_straight(task);
    for (size_t i = 0; i < CHANNELS && !is_straight && code == MPI_SUCCESS; i++)
        code = begin_telling(task, channels[i], &next);
    if (code == MPI_SUCCESS)
        code = contend_wait_all((int)(next - task->itinerary->requests), task->itinerary->requests);
    if (code != MPI_SUCCESS)
        return code;
    fill_crossing(task);
    contend_place_varying(task->itinerary, task->call);
    return MPI_SUCCESS;
}
