/* Which ranks of the world each communicator has.
 *
 * Members are written as runs of equal steps, since most groups are few of them: first, count, step
 * and so on; those of the other group of an intercommunicator after a run of 0 ranks. */
#include <stdlib.h>

#include "notes.h"
#include "trace.h"

enum { WORDS_OF_RUN = 3 };

static struct contend_handles communicators;
static int32_t count;
static struct {
    uint64_t handle;
    struct contend_known known;
    bool is_set;
} last; /* most calls are on the one of the call before */

static int *members_of(MPI_Group group, int *size)
{
    MPI_Group world;
    *size = 0;
    if (PMPI_Group_size(group, size) != MPI_SUCCESS || *size <= 0 ||
        PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return NULL;
    int *own = malloc(2 * (size_t)*size * sizeof *own);
    if (own != NULL) {
        for (int i = 0; i < *size; i++)
            own[*size + i] = i;
        PMPI_Group_translate_ranks(group, *size, own + *size, world, own);
    }
    PMPI_Group_free(&world);
    return own;
}

static int run_at(const int *members, int at, int size)
{
    int end = at + 1;
    while (end + 1 < size && members[end + 1] - members[end] == members[at + 1] - members[at])
        end++;
    return end < size ? end + 1 - at : 1;
}

/* Ranks of another world are -1 each, as MPI_UNDEFINED differs by library. */
static void write_runs(struct contend_record *record, MPI_Group group)
{
    int size;
    int *members = members_of(group, &size);
    for (int i = 0; members != NULL && i < size; i++)
        members[i] = members[i] == MPI_UNDEFINED ? -1 : members[i];
    for (int at = 0; members != NULL && at < size;) {
        const int length = run_at(members, at, size);
        if (contend_trace_room() < WORDS_OF_RUN) {
            record->flags |= CONTEND_CUT;
            break;
        }
        contend_trace_word(record, members[at]);
        contend_trace_word(record, length);
        contend_trace_word(record, length > 1 ? members[at + 1] - members[at] : 0);
        at += length;
    }
    if (members == NULL)
        record->flags |= CONTEND_CUT;
    free(members);
}

/* Writes the record of a communicator; `like` has its members, as its own cannot be asked yet. */
static struct contend_known add(MPI_Comm comm, MPI_Comm like)
{
    struct contend_known known = {.id = (uint32_t)count++, .comm = -1};
    int rank = 0, size = 0, remote = 0, is_inter = 0;
    PMPI_Comm_rank(like, &rank);
    PMPI_Comm_size(like, &size);
    PMPI_Comm_test_inter(like, &is_inter);
    if (is_inter)
        PMPI_Comm_remote_size(like, &remote);
    known.peer = rank;
    known.bytes = is_inter ? remote : size;
    known.flags = is_inter ? CONTEND_INTER : 0;
    struct contend_record record = {.kind = CONTEND_KIND_communicator,
                                    .flags = (uint16_t)known.flags,
                                    .comm = (int32_t)known.id,
                                    .peer = rank,
                                    .bytes = size,
                                    .received = remote};
    record.start = record.end = contend_nanoseconds();
    contend_trace_begin(&record);
    contend_trace_has_room(&record, (size_t)(size + remote + 1) * WORDS_OF_RUN);
    record.flags &= (uint16_t)~CONTEND_CUT; /* that is the most; runs may need less */
    MPI_Group group;
    if (PMPI_Comm_group(like, &group) == MPI_SUCCESS) {
        write_runs(&record, group);
        PMPI_Group_free(&group);
    }
    if (is_inter && PMPI_Comm_remote_group(like, &group) == MPI_SUCCESS) {
        for (int i = 0; i < WORDS_OF_RUN && contend_trace_room() > 0; i++)
            contend_trace_word(&record, 0);
        write_runs(&record, group);
        PMPI_Group_free(&group);
    }
    contend_trace_append(&record);
    contend_handles_add(&communicators, HANDLE(comm), known);
    return known;
}

void contend_know_communicator(MPI_Comm comm) { add(comm, comm); }

static struct contend_known find(MPI_Comm comm)
{
    const uint64_t handle = HANDLE(comm);
    if (last.is_set && last.handle == handle)
        return last.known;
    const struct contend_known *known = contend_handles_find(&communicators, handle);
    last.known = known != NULL ? *known : add(comm, comm);
    last.handle = handle;
    last.is_set = true;
    return last.known;
}

struct contend_known contend_note_comm(struct contend_visit *visit, MPI_Comm comm)
{
    const struct contend_known known = find(comm);
    visit->record.comm = (int32_t)known.id;
    contend_trace_begin(&visit->record);
    return known;
}

void contend_note_made(struct contend_visit *visit, MPI_Comm parent, MPI_Comm made)
{
    contend_note_comm(visit, parent);
    if (made != MPI_COMM_NULL)
        visit->record.tag = (int32_t)add(made, made).id;
    contend_trace_begin(&visit->record);
}

void contend_note_dup_begun(struct contend_visit *visit, MPI_Comm parent, MPI_Comm made)
{
    contend_note_comm(visit, parent);
    visit->record.tag = (int32_t)add(made, parent).id;
    contend_trace_begin(&visit->record);
}

void contend_note_ending(struct contend_visit *visit, MPI_Comm comm)
{
    struct contend_known known;
    if (comm == MPI_COMM_NULL)
        return;
    contend_lock();
    if (contend_handles_take(&communicators, HANDLE(comm), &known))
        visit->record.comm = (int32_t)known.id;
    last.is_set = false;
    contend_unlock();
}
