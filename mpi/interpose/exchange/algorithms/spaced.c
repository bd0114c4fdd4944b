/* Spaced direct exchange: messages leave at the rate of the slow link.
 *
 * Source: this project; pacing by time as in rate-based transport (Aggarwal, Savage, Anderson 2000,
 * "Understanding the performance of TCP pacing").
 * Idea: every block goes straight to its destination, in chunks. Position p of a group sends to
 * position p of the next group, of the one after, ..., then to p + 1 of each, ..., modulo their
 * sizes, so that no rank is sent to by many at once. Nobody waits for an answer: between two
 * messages to a group a rank lets pass the time in which the link there carries one of each rank of
 * its own group, and ahead of that they send no more than its buffer holds. What is local goes in
 * between.
 * Cost: n1 n2 m over the bandwidth of the link, plus one way, and what headers take.
 * Restrictions: two groups or more. Where the plan does not know the link's bandwidth, all leaves
 * at once. Where blocks differ, each rank has a part of the link by its bytes to that group, for up
 * to four groups; of more groups ranks are taken to send as much as each other. */
#include "../schedule/parcels.h"
#include "../schedule/spacing.h"
#include "../transport/direct.h"
#include "../transport/requests.h"

static atomic_long calls;

struct sending {
    struct contend_pacer pacer;
    struct contend_spacing spacing;
};

static bool suits(const struct contend_partition *groups) { return groups->groups > 1; }

static struct contend_passage route(const struct contend_partition *groups, int leaders, int src,
                                    int dst)
{
    (void)leaders;
    const int size = contend_group_size(groups, groups->group_of[dst]);
    const int64_t turn = (groups->place_of[dst] + size - groups->place_of[src] % size) % size;
    return (struct contend_passage){
        src, dst, turn * groups->groups + contend_group_distance(groups, src, dst)};
}

/* A window is for those who ask for one. */
static struct sending begin_sending(const struct contend_task *task)
{
    const struct contend_itinerary *itinerary = task->itinerary;
    const int parcels = itinerary->leg[CONTEND_CROSS_OUT].parcels;
    return (struct sending){
        contend_make_pacer(contend_leg_requests(task, CONTEND_CROSS_OUT, 0), parcels,
                           parcels * itinerary->chunks,
                           task->settings.window > 0 ? task->settings.window : 0),
        contend_begin_spacing(task)};
}

static int send_far(struct contend_task *task, struct sending *sending,
                    const struct contend_parcel *parcel)
{
    MPI_Request *request = NULL;
    const int group = task->groups->group_of[parcel->peer];
    int code = contend_await_turn(&sending->spacing, group, parcel->bytes, task->comm);
    if (code == MPI_SUCCESS)
        code = contend_find_place(&sending->pacer, &request);
    return code == MPI_SUCCESS ? contend_send_parcel(task, parcel, CONTEND_CROSS,
                                                     sending->pacer.is_synchronous, request)
                               : code;
}

static int pack_leg(struct contend_task *task, const struct contend_leg *leg)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < leg->parcels && code == MPI_SUCCESS; i++)
        code = contend_pack_parcel(task, leg, NULL, &leg->parcel[i]);
    return code;
}

/* Local messages are spread over those to others. All at once they would fill the rank's own link,
 * and what is spaced would queue behind them and come to the slow one together. In place, nothing
 * of a chunk is put before all of it is packed. */
static int send_chunk(struct contend_task *task, struct sending *sending, int64_t chunk)
{
    const struct contend_leg *far = contend_leg_at(task, CONTEND_CROSS_OUT, chunk);
    const struct contend_leg *near = contend_leg_at(task, CONTEND_COLLECT_OUT, chunk);
    MPI_Request *requests = contend_leg_requests(task, CONTEND_COLLECT_OUT, chunk);
    int code = pack_leg(task, near), sent = 0;
    if (code == MPI_SUCCESS)
        code = pack_leg(task, far);
    for (int i = 0; i < far->parcels && code == MPI_SUCCESS; i++) {
        code = send_far(task, sending, &far->parcel[i]);
        const int64_t due = (int64_t)near->parcels * (i + 1) / far->parcels;
        for (; sent < due && code == MPI_SUCCESS; sent++)
            code = contend_send_parcel(task, &near->parcel[sent], CONTEND_COLLECT, false,
                                       &requests[sent]);
    }
    return code;
}

static int begin_chunk(struct contend_task *task, struct sending *sending, int64_t chunk)
{
    int code = contend_receive_leg(task, CONTEND_CROSS_IN, chunk, CONTEND_CROSS);
    if (code == MPI_SUCCESS)
        code = contend_receive_leg(task, CONTEND_COLLECT_IN, chunk, CONTEND_COLLECT);
    return code == MPI_SUCCESS ? send_chunk(task, sending, chunk) : code;
}

static int put(struct contend_task *task, int leg, int64_t chunk)
{
    const int code = contend_wait_leg(task, leg, chunk);
    return code == MPI_SUCCESS ? contend_put_leg(task, contend_leg_at(task, leg, chunk)) : code;
}

static int end_chunk(struct contend_task *task, int64_t chunk)
{
    int code = put(task, CONTEND_COLLECT_IN, chunk);
    if (code == MPI_SUCCESS)
        code = put(task, CONTEND_CROSS_IN, chunk);
    return code == MPI_SUCCESS ? contend_wait_leg(task, CONTEND_COLLECT_OUT, chunk) : code;
}

static int run(struct contend_task *task)
{
    const int64_t chunks = task->itinerary->chunks, later = CONTEND_CHUNKS_UNDER_WAY - 1;
    struct sending sending = begin_sending(task);
    int code = contend_begin_pieces(task);
    if (code == MPI_SUCCESS)
        code = contend_copy_own(task);
    for (int64_t step = 0; step < chunks + later && code == MPI_SUCCESS; step++) {
        if (step < chunks)
            code = begin_chunk(task, &sending, step);
        if (step >= later && code == MPI_SUCCESS)
            code = end_chunk(task, step - later);
    }
    if (code == MPI_SUCCESS)
        code = contend_wait_all(sending.pacer.used, sending.pacer.requests);
    return code == MPI_SUCCESS ? contend_end_pieces(task) : code;
}

const struct contend_algorithm contend_spaced = {.name = "spaced",
                                                 .is_cut = true,
                                                 .is_straight = true,
                                                 .is_spaced = true,
                                                 .route = route,
                                                 .suits = suits,
                                                 .run = run,
                                                 .calls = &calls};
