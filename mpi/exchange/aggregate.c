/* Total exchange by carriers: blocks for other groups are packed, each crosses the slow link once.
 */
#include "aggregate.h"

#include <string.h>

#include "packing.h"
#include "wait.h"
#include "window.h"

static int64_t parcel_bytes(const struct contend_leg *leg, const struct contend_parcel *parcel)
{
    return leg->at[parcel->end] - leg->at[parcel->first];
}

/* Requests of the legs, each with room for all processes. */
enum { LOCAL_OUT, LOCAL_IN, FAR_OUT, FAR_IN };

static MPI_Request *requests_of(const struct contend_task *task, int leg)
{
    return task->requests + (size_t)leg * (size_t)task->processes;
}

/* An empty parcel is no message, at both ends. */
static int receive_leg(struct contend_task *task, const struct contend_leg *leg, int tag,
                       MPI_Request *requests)
{
    for (int i = 0; i < leg->parcels; i++) {
        const struct contend_parcel *parcel = &leg->parcel[i];
        const int64_t bytes = parcel_bytes(leg, parcel);
        requests[i] = MPI_REQUEST_NULL;
        if (bytes == 0 || parcel->peer == task->rank)
            continue;
        const int code =
            contend_begin_receive(task->scratch + leg->at[parcel->first], (int)bytes, MPI_PACKED,
                                  parcel->peer, tag, task->comm, &requests[i]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static int send_parcel(struct contend_task *task, const struct contend_leg *leg, int index, int tag,
                       bool is_synchronous, MPI_Request *request)
{
    const struct contend_parcel *parcel = &leg->parcel[index];
    const int64_t bytes = parcel_bytes(leg, parcel);
    *request = MPI_REQUEST_NULL;
    if (bytes == 0)
        return MPI_SUCCESS;
    return contend_begin_send(task->scratch + leg->at[parcel->first], (int)bytes, MPI_PACKED,
                              parcel->peer, tag, is_synchronous, task->comm, request);
}

static int send_far(struct contend_task *task, int index, bool is_synchronous, MPI_Request *request)
{
    return send_parcel(task, &task->itinerary->far_out, index, CONTEND_FAR, is_synchronous,
                       request);
}

/* What this rank sends or carries for itself does not leave it. */
static void keep_own(struct contend_task *task, const struct contend_parcel *out)
{
    const struct contend_leg *from = &task->itinerary->local_out, *to = &task->itinerary->local_in;
    for (int i = 0; i < to->parcels; i++)
        if (to->parcel[i].peer == task->rank && parcel_bytes(from, out) > 0)
            memcpy(task->scratch + to->at[to->parcel[i].first],
                   task->scratch + from->at[out->first], (size_t)parcel_bytes(from, out));
}

static int pack_parcel(struct contend_task *task, const struct contend_parcel *parcel)
{
    const struct contend_leg *leg = &task->itinerary->local_out;
    int code = MPI_SUCCESS;
    for (size_t i = parcel->first; i < parcel->end && code == MPI_SUCCESS; i++)
        code =
            contend_pack(&task->call->sent, leg->other[i], task->scratch + leg->at[i], task->comm);
    return code;
}

static int send_local(struct contend_task *task)
{
    const struct contend_leg *leg = &task->itinerary->local_out;
    MPI_Request *requests = requests_of(task, LOCAL_OUT);
    for (int i = 0; i < leg->parcels; i++) {
        requests[i] = MPI_REQUEST_NULL;
        int code = pack_parcel(task, &leg->parcel[i]);
        if (code == MPI_SUCCESS && leg->parcel[i].peer == task->rank)
            keep_own(task, &leg->parcel[i]);
        else if (code == MPI_SUCCESS)
            code = send_parcel(task, leg, i, CONTEND_LOCAL, false, &requests[i]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static void pack_passed(struct contend_task *task)
{
    const struct contend_itinerary *way = task->itinerary;
    for (size_t i = 0; i < way->far_out.blocks; i++) {
        const int64_t bytes = way->far_out.at[i + 1] - way->far_out.at[i];
        if (bytes > 0)
            memcpy(task->scratch + way->far_out.at[i],
                   task->scratch + way->local_in.at[way->passed[i]], (size_t)bytes);
    }
}

/* The blocks from members of the group that end here. */
static int unpack_local(struct contend_task *task)
{
    const struct contend_leg *leg = &task->itinerary->local_in;
    int code = MPI_SUCCESS;
    for (int p = 0; p < leg->parcels; p++)
        for (size_t i = leg->parcel[p].first; i < leg->parcel[p].end && code == MPI_SUCCESS; i++)
            if (leg->other[i] == task->rank)
                code = contend_unpack(&task->call->received, leg->parcel[p].peer,
                                      task->scratch + leg->at[i], task->comm);
    return code;
}

static int unpack_far(struct contend_task *task)
{
    const struct contend_leg *leg = &task->itinerary->far_in;
    int code = contend_wait_all(leg->parcels, requests_of(task, FAR_IN));
    for (size_t i = 0; i < leg->blocks && code == MPI_SUCCESS; i++)
        code = contend_unpack(&task->call->received, leg->other[i], task->scratch + leg->at[i],
                              task->comm);
    return code;
}

static int pass_on(struct contend_task *task)
{
    const struct contend_leg *leg = &task->itinerary->far_out;
    int64_t most = 0;
    pack_passed(task);
    for (int i = 0; i < leg->parcels; i++) {
        const int64_t bytes = parcel_bytes(leg, &leg->parcel[i]);
        most = bytes > most ? bytes : most;
    }
    const int group = task->groups->group_of[task->rank];
    const int window = contend_window(task, most, contend_group_size(task->groups, group), 0);
    return contend_send_all(task, leg->parcels, window, send_far, requests_of(task, FAR_OUT));
}

int contend_aggregate(struct contend_task *task)
{
    struct contend_itinerary *way = task->itinerary;
    int code = receive_leg(task, &way->far_in, CONTEND_FAR, requests_of(task, FAR_IN));
    if (code == MPI_SUCCESS)
        code = receive_leg(task, &way->local_in, CONTEND_LOCAL, requests_of(task, LOCAL_IN));
    if (code == MPI_SUCCESS)
        code = send_local(task);
    if (code == MPI_SUCCESS)
        code = contend_wait_all(way->local_in.parcels, requests_of(task, LOCAL_IN));
    if (code == MPI_SUCCESS)
        code = pass_on(task);
    if (code == MPI_SUCCESS) /* in place, nothing is unpacked before all is packed */
        code = unpack_local(task);
    if (code == MPI_SUCCESS)
        code = unpack_far(task);
    if (code == MPI_SUCCESS)
        code = contend_wait_all(way->local_out.parcels, requests_of(task, LOCAL_OUT));
    return code;
}

/* The sizes travel as bytes in the places where those of the blocks will stand. */
static int tell_local(struct contend_task *task)
{
    struct contend_leg *out = &task->itinerary->local_out, *in = &task->itinerary->local_in;
    MPI_Request *sending = requests_of(task, LOCAL_OUT), *receiving = requests_of(task, LOCAL_IN);
    int code = MPI_SUCCESS;
    for (int i = 0; i < in->parcels && code == MPI_SUCCESS; i++) {
        const struct contend_parcel *parcel = &in->parcel[i];
        receiving[i] = MPI_REQUEST_NULL;
        if (parcel->peer != task->rank)
            code = contend_begin_receive(in->at + parcel->first, (int)(parcel->end - parcel->first),
                                         MPI_INT64_T, parcel->peer, CONTEND_COUNTS, task->comm,
                                         &receiving[i]);
    }
    for (int i = 0; i < out->parcels && code == MPI_SUCCESS; i++) {
        const struct contend_parcel *parcel = &out->parcel[i];
        const size_t blocks = parcel->end - parcel->first;
        sending[i] = MPI_REQUEST_NULL;
        if (parcel->peer != task->rank)
            code = contend_begin_send(out->at + parcel->first, (int)blocks, MPI_INT64_T,
                                      parcel->peer, CONTEND_COUNTS, false, task->comm, &sending[i]);
        for (int k = 0; parcel->peer == task->rank && k < in->parcels; k++)
            if (in->parcel[k].peer == task->rank)
                memcpy(in->at + in->parcel[k].first, out->at + parcel->first,
                       blocks * sizeof *out->at);
    }
    if (code == MPI_SUCCESS)
        code = contend_wait_all(in->parcels, receiving);
    return code == MPI_SUCCESS ? contend_wait_all(out->parcels, sending) : code;
}

int contend_tell_counts(struct contend_task *task)
{
    struct contend_itinerary *way = task->itinerary;
    for (size_t i = 0; i < way->local_out.blocks; i++)
        way->local_out.at[i] = contend_bytes(&task->call->sent, way->local_out.other[i]);
    const int code = tell_local(task);
    if (code != MPI_SUCCESS)
        return code;
    for (size_t i = 0; i < way->far_out.blocks; i++)
        way->far_out.at[i] = way->local_in.at[way->passed[i]];
    for (size_t i = 0; i < way->far_in.blocks; i++)
        way->far_in.at[i] = contend_bytes(&task->call->received, way->far_in.other[i]);
    contend_place_varying(way);
    return MPI_SUCCESS;
}

bool contend_has_carriers(const struct contend_partition *groups)
{
    return groups->groups > 1 && groups->largest > 1;
}
