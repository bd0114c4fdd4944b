/* The way of a collective call through the modes: they see it as the program made it, and then one
 * may serve it. */
#include "collective.h"

#include "communicators.h"
#include "exchange/exchange.h"
#include "frame.h"
#include "modes.h"
#include "record/notes.h"
#include "try/offers.h"

/* On a communicator of its own the algorithm is seen when it runs; else it is known by name. */
static void tell_watch_of_offer(struct contend_frame *frame)
{
    if (frame->tried.offer->choice != NULL)
        return; /* it says so itself, where it serves */
    if (contend_offers_by_communicator())
        frame->watched.comm = frame->tried.comm;
    else
        contend_watch_served(frame->tried.offer->name);
}

void contend_collective_begin(struct contend_frame *frame, const struct contend_collective *call,
                              int kind)
{
    const unsigned modes = contend_modes;
    frame->turn.state = NULL;
    frame->tried.size = NULL;
    frame->tried.offer = NULL;
    frame->is_fortran = contend_is_fortran;
    contend_is_fortran = false;
    frame->is_recorded = (modes & CONTEND_RECORDS) && contend_enter(&frame->visit, kind);
    frame->is_seen = contend_depth++ == frame->is_recorded;
    if (frame->is_seen && (modes & CONTEND_TRIES))
        contend_try_begin(&frame->tried, call);
    if (frame->is_seen && (modes & CONTEND_ADDS_UP)) {
        contend_watch_begin(&frame->watched, call);
        if (frame->tried.offer != NULL)
            tell_watch_of_offer(frame);
    }
    if (frame->is_recorded)
        frame->visit.record.start = contend_nanoseconds();
}

bool contend_collective_is_served(struct contend_frame *frame,
                                  const struct contend_collective *call, bool is_of_program,
                                  int *code)
{
    const struct contend_offer *offer = frame->tried.offer;
    const bool may_exchange =
        offer != NULL ? offer->choice != NULL : (contend_modes & CONTEND_EXCHANGES) != 0;
    if (!may_exchange || !(is_of_program || frame->is_fortran))
        return false;
    frame->turn = (struct contend_turn){.given = offer == NULL ? NULL : offer->choice,
                                        .is_tried = frame->tried.size != NULL};
    if (!contend_exchange(call, &frame->turn, code))
        return false;
    if (frame->is_seen && frame->turn.choice != NULL &&
        frame->turn.choice->algorithm != &contend_native)
        contend_watch_served(frame->turn.choice->algorithm->name);
    return true;
}

MPI_Comm contend_collective_comm(const struct contend_frame *frame, MPI_Comm comm)
{
    return frame->tried.offer != NULL ? frame->tried.comm : comm;
}

void contend_collective_end(struct contend_frame *frame, const struct contend_collective *call,
                            int code)
{
    if (frame->tried.size != NULL)
        contend_try_stop(&frame->tried);
    if (frame->turn.state != NULL)
        contend_turn_end(&frame->turn, code);
    if (frame->is_recorded)
        frame->visit.record.end = contend_nanoseconds();
    if (frame->is_seen && (contend_modes & CONTEND_ADDS_UP))
        contend_watch_end(&frame->watched);
    if (frame->is_recorded) {
        contend_settle(&frame->visit, code);
        if (code == MPI_SUCCESS)
            contend_note_collective(&frame->visit, call);
        contend_leave(&frame->visit);
    }
    if (frame->tried.size != NULL)
        contend_try_end(&frame->tried, code);
    contend_depth--;
}

/* A type is asked for its size only where the call uses it. */
int64_t contend_bytes(const struct contend_data *data)
{
    MPI_Count size = 0;
    if (data->count <= 0 || data->type == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(data->type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (int64_t)(data->count * size);
}

struct contend_data contend_data_of(const struct contend_data *data, int rank)
{
    struct contend_data one = {.count = data->count, .type = data->type};
    if (data->counts != NULL)
        one.count = data->width == sizeof(int) ? ((const int *)data->counts)[rank]
                                               : ((const MPI_Count *)data->counts)[rank];
    if (data->types != NULL)
        one.type = data->types[rank];
    return one;
}

/* Of one count, or the mean over the ranks. */
static int64_t mean_bytes(const struct contend_data *data, MPI_Comm comm)
{
    if (data->counts == NULL)
        return contend_bytes(data);
    const int n = contend_processes(comm);
    int64_t sum = 0;
    struct contend_data all = {.type = data->type};
    for (int i = 0; i < n; i++) {
        const struct contend_data one = contend_data_of(data, i);
        if (data->types == NULL)
            all.count += one.count;
        else
            sum += contend_bytes(&one);
    }
    return n > 0 ? (sum + contend_bytes(&all)) / n : 0;
}

int64_t contend_block_bytes(const struct contend_collective *call)
{
    const struct contend_data *data = &call->sent;
    if (call->shape == CONTEND_TO_ALL || (call->shape == CONTEND_FROM_ROOT && !call->is_in_place) ||
        (call->shape == CONTEND_TO_ROOT && call->is_in_place))
        data = &call->received;
    const bool is_of_root = call->shape == CONTEND_TO_ROOT || call->shape == CONTEND_FROM_ROOT;
    if (is_of_root && data->counts != NULL)
        return 0; /* the root's own block is not known to others */
    return mean_bytes(data, call->comm);
}
