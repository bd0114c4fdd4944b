/* What is noted of collectives, of one-sided calls and of files. */
#include "notes.h"
#include "trace.h"

#define NOTHING ((struct contend_data){.type = MPI_DATATYPE_NULL})

static int64_t bytes_of(const struct contend_data *data, int64_t rank)
{
    const struct contend_data own = contend_data_of(data, (int)rank);
    return contend_bytes(&own);
}

static int64_t sum_of(const struct contend_data *data, int64_t ranks)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < ranks; i++)
        sum += bytes_of(data, i);
    return sum;
}

static void write_counts(struct contend_visit *visit, const struct contend_data *data,
                         int64_t ranks)
{
    if (data->counts == NULL || (visit->record.flags & CONTEND_CUT))
        return;
    for (int64_t i = 0; i < ranks; i++)
        contend_trace_word(&visit->record, bytes_of(data, i));
}

static int64_t words_of(const struct contend_data *data, int64_t ranks)
{
    return data->counts == NULL ? 0 : ranks;
}

static int64_t total(const struct contend_data *data, int64_t ranks)
{
    return data->counts == NULL ? contend_bytes(data) : sum_of(data, ranks);
}

static bool is_rooted(enum contend_shape shape)
{
    return shape == CONTEND_TO_ROOT || shape == CONTEND_FROM_ROOT ||
           shape == CONTEND_TO_ROOT_ALIKE || shape == CONTEND_FROM_ROOT_ALIKE;
}

/* Leaves of both sides only what the call has read on this rank. */
static void keep_significant(enum contend_shape shape, int root, bool is_in_place,
                             const struct contend_known *comm, struct contend_data *sent,
                             struct contend_data *received)
{
    const bool is_inter = comm->flags & CONTEND_INTER;
    const bool is_root = is_inter ? root == MPI_ROOT : root == comm->peer;
    const bool is_bystander = is_inter && is_rooted(shape) && root == MPI_PROC_NULL;
    if (is_bystander || (shape == CONTEND_FROM_ROOT && !is_root) ||
        (is_inter && is_root && shape == CONTEND_TO_ROOT))
        *sent = NOTHING;
    if (is_bystander || (shape == CONTEND_TO_ROOT && !is_root) ||
        (is_inter && is_root && shape == CONTEND_FROM_ROOT))
        *received = NOTHING;
    if (!is_in_place)
        return;
    if (shape == CONTEND_TO_ALL || shape == CONTEND_TO_ROOT)
        *sent = contend_data_of(received, comm->peer);
    if (shape == CONTEND_FROM_ROOT)
        *received = contend_data_of(sent, comm->peer);
}

void contend_note_collective(struct contend_visit *visit, const struct contend_collective *call)
{
    struct contend_record *record = &visit->record;
    const enum contend_shape shape = call->shape;
    const bool is_in_place = call->is_in_place;
    struct contend_data sent = call->sent, received = call->received;
    const struct contend_known known = contend_note_comm(visit, call->comm);
    const bool is_exchange = sent.counts != NULL && received.counts != NULL;
    int64_t peers = known.bytes;
    if (shape == CONTEND_OF_OWN_GROUP && (known.flags & CONTEND_INTER)) {
        int size = 0;
        PMPI_Comm_size(call->comm, &size);
        peers = size;
    }
    if (is_in_place && is_exchange)
        sent = received; /* of an exchange in place: both sides are alike */
    else
        keep_significant(shape, call->root, is_in_place, &known, &sent, &received);
    if (is_in_place)
        record->flags |= CONTEND_IN_PLACE;
    if (is_rooted(shape))
        record->peer = contend_peer(call->root);
    record->bytes = total(&sent, peers);
    record->received = total(&received, peers);
    contend_trace_has_room(record, (size_t)(words_of(&sent, peers) + words_of(&received, peers)));
    write_counts(visit, &sent, peers);
    write_counts(visit, &received, peers);
}

void contend_note_reached(struct contend_visit *visit, int target, struct contend_data data)
{
    visit->record.peer = contend_peer(target);
    visit->record.bytes = target == MPI_PROC_NULL ? 0 : contend_bytes(&data);
}

void contend_note_moved(struct contend_visit *visit, struct contend_data data)
{
    visit->record.bytes = contend_bytes(&data);
}
