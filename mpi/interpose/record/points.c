/* What is noted of messages between two ranks. */
#include "notes.h"

#include "trace.h"

static struct contend_handles messages; /* caught by Mprobe and not yet received */

int32_t contend_peer(int peer)
{
    if (peer == MPI_PROC_NULL)
        return CONTEND_NO_PEER;
    if (peer == MPI_ROOT)
        return CONTEND_ROOT;
    return peer < 0 ? CONTEND_UNKNOWN : peer;
}

int64_t contend_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    if (PMPI_Get_elements_x((MPI_Status *)status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
        return 0;
    return (int64_t)bytes;
}

void contend_note_message(struct contend_visit *visit, MPI_Comm comm, int dest, int tag,
                          struct contend_data data)
{
    contend_note_comm(visit, comm);
    visit->record.peer = contend_peer(dest);
    visit->record.tag = tag;
    visit->record.bytes = dest == MPI_PROC_NULL ? 0 : contend_bytes(&data);
}

static void note_wildcards(struct contend_visit *visit, int source, int tag)
{
    if (source == MPI_ANY_SOURCE)
        visit->record.flags |= CONTEND_ANY_SOURCE;
    if (tag == MPI_ANY_TAG)
        visit->record.flags |= CONTEND_ANY_TAG;
}

void contend_note_receive(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                          struct contend_data data)
{
    contend_note_message(visit, comm, source, tag == MPI_ANY_TAG ? 0 : tag, data);
    note_wildcards(visit, source, tag);
}

void contend_note_status(struct contend_visit *visit, const MPI_Status *status)
{
    visit->record.peer = contend_peer(status->MPI_SOURCE);
    visit->record.tag = status->MPI_TAG;
    visit->record.bytes = visit->record.peer == CONTEND_NO_PEER ? 0 : contend_status_bytes(status);
}

void contend_note_received(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                           const MPI_Status *status)
{
    contend_note_comm(visit, comm);
    note_wildcards(visit, source, tag);
    contend_note_status(visit, status);
}

void contend_note_other_half(struct contend_visit *visit, int source, int tag,
                             const MPI_Status *status)
{
    note_wildcards(visit, source, tag);
    if (!contend_trace_has_room(&visit->record, 3))
        return;
    const int32_t peer = contend_peer(status->MPI_SOURCE);
    contend_trace_word(&visit->record, peer);
    contend_trace_word(&visit->record, status->MPI_TAG);
    contend_trace_word(&visit->record, peer == CONTEND_NO_PEER ? 0 : contend_status_bytes(status));
}

void contend_note_none(struct contend_visit *visit)
{
    visit->record.flags |= CONTEND_UNSUCCESSFUL;
    visit->record.bytes = visit->record.end - visit->record.start;
    visit->record.received = 1;
}

void contend_note_probed(struct contend_visit *visit, MPI_Comm comm, int source, int tag,
                         bool is_there, const MPI_Status *status)
{
    if (is_there) {
        contend_note_received(visit, comm, source, tag, status);
        return;
    }
    contend_note_comm(visit, comm);
    contend_note_none(visit);
}

void contend_note_caught(struct contend_visit *visit, MPI_Message message)
{
    const struct contend_record *record = &visit->record;
    if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
        contend_handles_add(&messages, HANDLE(message),
                            (struct contend_known){.comm = record->comm,
                                                   .peer = record->peer,
                                                   .tag = record->tag,
                                                   .bytes = record->bytes,
                                                   .flags = record->flags});
}

void contend_note_matched(struct contend_visit *visit, MPI_Message message)
{
    struct contend_known known;
    contend_lock();
    if (contend_handles_take(&messages, HANDLE(message), &known)) {
        visit->record.comm = known.comm;
        visit->record.peer = known.peer;
        visit->record.tag = known.tag;
        visit->record.bytes = known.bytes;
        visit->record.flags |= known.flags & (CONTEND_ANY_SOURCE | CONTEND_ANY_TAG);
    }
    contend_unlock();
}
