/* The beginning and the end of a trace: MPI_Init, MPI_Finalize and MPI_Abort. */
#include "start.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../offsets.h"
#include "notes.h"
#include "trace.h"

enum { EXCHANGES = 16 };

static bool is_begun; /* on all ranks or on none */

static void append(enum contend_kind kind, int64_t start, int64_t end)
{
    struct contend_record record = {
        .start = start, .end = end, .kind = (uint16_t)kind, .comm = -1, .peer = CONTEND_NO_PEER};
    contend_lock();
    contend_trace_begin(&record);
    if (contend_trace_is_open())
        contend_trace_append(&record);
    contend_unlock();
}

static bool note_clock(MPI_Comm comm, int rank, int n, struct contend_clock_offset *found)
{
    const struct contend_tree tree = {.place = rank, .count = n};
    *found = (struct contend_clock_offset){0};
    if (contend_find_offset(comm, tree, EXCHANGES, found) != MPI_SUCCESS)
        return false;
    contend_lock();
    if (contend_trace_is_open())
        contend_trace_append(&(struct contend_record){.kind = CONTEND_KIND_clock,
                                                      .start = found->at,
                                                      .end = found->at,
                                                      .bytes = found->offset,
                                                      .received = found->bound,
                                                      .comm = -1,
                                                      .peer = CONTEND_NO_PEER});
    contend_unlock();
    return true;
}

/* Never 0, and another one for each launch. */
static uint64_t new_run(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t seconds = (uint64_t)now.tv_sec, process = (uint64_t)getpid();
    return (seconds << 30 | (uint64_t)now.tv_nsec) ^ process << 40 ^ 1ULL << 63;
}

/* The first file that a reader opens. */
static bool write_title(const char *folder, int ranks, uint64_t run)
{
    char path[4096], version[MPI_MAX_LIBRARY_VERSION_STRING] = "unknown";
    int length = 0;
    snprintf(path, sizeof path, "%s/trace.txt", folder);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (stream == NULL) {
        fprintf(stderr,
                "contend record: cannot write %s: %s; the program goes on without a trace\n", path,
                strerror(errno));
        return false;
    }
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    fprintf(stream, "contend trace 3\nranks %d\nrun %016llx\nlibrary %s\n", ranks,
            (unsigned long long)run, version);
    return fclose(stream) == 0;
}

/* On all ranks the number of this run, or 0 where the folder has another's title already. */
static uint64_t agree_on_run(const struct contend_origin *origin)
{
    int64_t told = 0;
    if (origin->rank == 0) {
        const uint64_t run = new_run();
        if (write_title(origin->folder, origin->ranks, run))
            memcpy(&told, &run, sizeof told);
    }
    if (contend_tell_all(MPI_COMM_WORLD, origin->rank, origin->ranks, &told) != MPI_SUCCESS)
        return 0;
    uint64_t run;
    memcpy(&run, &told, sizeof run);
    return run;
}

void contend_note_other_library(const void *function)
{
    const char *folder = getenv("CONTEND_RECORD");
    char path[4096];
    Dl_info other;
    snprintf(path, sizeof path, "%s/other-mpi.txt", folder);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    const bool is_known = dladdr(function, &other) != 0 && other.dli_fname != NULL;
    dprintf(file, "%s\n", is_known ? other.dli_fname : "another MPI library");
    close(file);
}

/* What the recorder does before the program goes on is within MPI_Init, which ends on all ranks at
 * the same time: so neither is taken for the program's time. */
void contend_record_begin(int64_t start)
{
    MPI_Comm parent = MPI_COMM_NULL;
    struct contend_origin origin = {.folder = getenv("CONTEND_RECORD")};
    struct contend_clock_offset offset;
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) /* started by the program itself, with a world of its own */
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &origin.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &origin.ranks);
    origin.run = agree_on_run(&origin);
    if (origin.run == 0)
        return;
    is_begun = true;
    if (contend_trace_open(&origin)) {
        contend_know_communicator(MPI_COMM_WORLD);
        contend_know_communicator(MPI_COMM_SELF);
    }
    if (note_clock(MPI_COMM_WORLD, origin.rank, origin.ranks, &offset))
        contend_start_together(MPI_COMM_WORLD, origin.rank, origin.ranks, &offset);
    append(CONTEND_KIND_Init, start, contend_nanoseconds());
}

/* Messages of the program that nobody received are on its communicators; attributes stay there. */
void contend_record_ending(void)
{
    if (!is_begun)
        return;
    struct contend_clock_offset offset;
    MPI_Group all;
    MPI_Comm comm = MPI_COMM_NULL;
    int rank, n;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n);
    if (PMPI_Comm_group(MPI_COMM_WORLD, &all) != MPI_SUCCESS)
        return;
    if (PMPI_Comm_create(MPI_COMM_WORLD, all, &comm) == MPI_SUCCESS) {
        note_clock(comm, rank, n, &offset);
        PMPI_Comm_free(&comm);
    }
    PMPI_Group_free(&all);
}

void contend_record_end(int64_t start)
{
    append(CONTEND_KIND_Finalize, start, contend_nanoseconds());
    contend_lock();
    contend_trace_close();
    contend_unlock();
}

void contend_record_abort(void)
{
    const int64_t now = contend_nanoseconds();
    append(CONTEND_KIND_Abort, now, now);
    contend_lock();
    contend_trace_flush();
    contend_unlock();
}

/* Programs may end without MPI_Finalize. */
__attribute__((destructor)) static void end(void)
{
    if (!contend_lock_if_free())
        return;
    contend_trace_flush();
    contend_unlock();
}
