/* What is noted of requests, from their beginning to their end. */
#include <pthread.h>
#include <stdlib.h>

#include "notes.h"
#include "trace.h"

enum { WORDS_OF_END = 4 /* request, source, tag, bytes */ };

/* What a thread keeps over a call, as calls overwrite requests and may be given no statuses. */
static __thread struct {
    MPI_Request *requests;
    MPI_Status *statuses;
    size_t request_max, status_max;
    bool is_kept;
} kept __attribute__((tls_model("initial-exec"))); /* as in visit.c */
static __thread MPI_Status one_status __attribute__((tls_model("initial-exec")));

static struct contend_handles requests_known;
static uint32_t last_id;

static uint32_t next_id(void) { return ++last_id == 0 ? ++last_id : last_id; }

MPI_Status *contend_own_status(MPI_Status *given)
{
    return given == MPI_STATUS_IGNORE ? &one_status : given;
}

static pthread_key_t of_thread;

static void forget(void *unused)
{
    (void)unused;
    free(kept.requests);
    free(kept.statuses);
    kept.requests = NULL;
    kept.statuses = NULL;
    kept.request_max = kept.status_max = 0;
}

static void make_key(void) { pthread_key_create(&of_thread, forget); }

/* What a thread keeps is freed at its end. */
static void free_at_end(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    pthread_setspecific(of_thread, &kept);
}

static bool have(void **memory, size_t *have, size_t wanted, size_t size)
{
    if (*have >= wanted)
        return true;
    free_at_end();
    void *more = realloc(*memory, wanted * size);
    if (more == NULL)
        return false;
    *memory = more;
    *have = wanted;
    return true;
}

MPI_Status *contend_own_statuses(int count, MPI_Status *given)
{
    if (given != MPI_STATUSES_IGNORE || count <= 0 ||
        !have((void **)&kept.statuses, &kept.status_max, (size_t)count, sizeof *kept.statuses))
        return given;
    return kept.statuses;
}

void contend_keep(int count, const MPI_Request *requests)
{
    kept.is_kept =
        count > 0 && requests != NULL &&
        have((void **)&kept.requests, &kept.request_max, (size_t)count, sizeof *kept.requests);
    if (kept.is_kept)
        memcpy(kept.requests, requests, (size_t)count * sizeof *requests);
}

void contend_note_begun(struct contend_visit *visit, MPI_Request request, int does)
{
    struct contend_record *record = &visit->record;
    record->flags |= (uint16_t)does;
    if (request == MPI_REQUEST_NULL)
        return;
    record->request = does & CONTEND_PERSISTS ? 0 : next_id();
    contend_handles_add(&requests_known, HANDLE(request),
                        (struct contend_known){.id = record->request,
                                               .flags = record->flags,
                                               .kind = record->kind,
                                               .comm = record->comm,
                                               .peer = record->peer,
                                               .tag = record->tag,
                                               .bytes = record->bytes});
}

/* A record for each request, all but the first without time. */
void contend_note_started(struct contend_visit *visit, int count, const MPI_Request *requests)
{
    struct contend_record *record = &visit->record;
    bool is_first = true;
    for (int i = 0; i < count; i++) {
        struct contend_known *known = contend_handles_find(&requests_known, HANDLE(requests[i]));
        if (known == NULL)
            continue;
        if (!is_first) {
            contend_trace_append(record);
            record->start = record->end;
            contend_trace_begin(record);
        }
        known->id = next_id();
        known->flags |= CONTEND_ACTIVE;
        record->flags = known->flags & (uint16_t)~CONTEND_ACTIVE;
        record->request = known->id;
        record->comm = known->comm;
        record->peer = known->peer;
        record->tag = known->tag;
        record->bytes = known->bytes;
        record->received = known->kind;
        is_first = false;
    }
}

void contend_note_cancelled(struct contend_visit *visit, MPI_Request request)
{
    struct contend_known *known = contend_handles_find(&requests_known, HANDLE(request));
    if (known == NULL)
        return;
    known->flags |= CONTEND_CANCELLED;
    visit->record.request = known->id;
    visit->record.comm = known->comm;
}

void contend_note_freed(struct contend_visit *visit)
{
    struct contend_known known;
    if (!kept.is_kept || !contend_handles_take(&requests_known, HANDLE(kept.requests[0]), &known))
        return;
    visit->record.request = known.id;
    visit->record.comm = known.comm;
    visit->record.flags |= known.flags & (CONTEND_SENDS | CONTEND_RECEIVES | CONTEND_PERSISTS);
}

/* Takes what is known of a request that may be over; whether it is one that has ended. */
static bool take_ended(MPI_Request before, MPI_Request after, struct contend_known *ended)
{
    if (before == MPI_REQUEST_NULL)
        return false;
    struct contend_known *known = contend_handles_find(&requests_known, HANDLE(before));
    if (known == NULL)
        return false;
    if (!(known->flags & CONTEND_PERSISTS))
        return after == MPI_REQUEST_NULL &&
               contend_handles_take(&requests_known, HANDLE(before), ended);
    *ended = *known;
    known->flags &= ~(uint32_t)(CONTEND_ACTIVE | CONTEND_CANCELLED);
    return ended->flags & CONTEND_ACTIVE;
}

static void write_end(struct contend_record *record, const struct contend_known *ended,
                      const MPI_Status *status)
{
    int64_t peer = CONTEND_UNKNOWN, tag = 0, bytes = 0;
    int is_cancelled = 0;
    if (status != NULL && (ended->flags & CONTEND_CANCELLED))
        PMPI_Test_cancelled(status, &is_cancelled);
    if (is_cancelled) {
        peer = CONTEND_NOT_RECEIVED;
    } else if (status != NULL && (ended->flags & CONTEND_RECEIVES)) {
        peer = contend_peer(status->MPI_SOURCE);
        tag = status->MPI_TAG;
        bytes = peer == CONTEND_NO_PEER ? 0 : contend_status_bytes(status);
    }
    record->flags |= CONTEND_ENDS;
    contend_trace_word(record, ended->id);
    contend_trace_word(record, peer);
    contend_trace_word(record, tag);
    contend_trace_word(record, bytes);
}

static void go_on_in_another(struct contend_record *record)
{
    contend_trace_append(record);
    record->start = record->end;
    record->flags |= CONTEND_CONTINUED;
    contend_trace_begin(record);
    contend_trace_has_room(record, contend_trace_room() + 1); /* writes what is held */
    record->flags &= (uint16_t)~CONTEND_CUT;
}

void contend_note_ends(struct contend_visit *visit, int code, bool is_over, int count,
                       const int *which, const MPI_Request *requests, const MPI_Status *statuses)
{
    struct contend_record *record = &visit->record;
    const bool is_known = code == MPI_SUCCESS && statuses != MPI_STATUSES_IGNORE;
    if (code == MPI_SUCCESS && !is_over)
        contend_note_none(visit);
    if (!kept.is_kept || (code == MPI_SUCCESS && !is_over) || count == MPI_UNDEFINED)
        return;
    for (int i = 0; i < count; i++) {
        const int at = which == NULL ? i : which[i];
        struct contend_known ended;
        if (at < 0 || !take_ended(kept.requests[at], requests[at], &ended))
            continue;
        if (contend_trace_room() < WORDS_OF_END)
            go_on_in_another(record);
        write_end(record, &ended, is_known ? &statuses[i] : NULL);
    }
}
