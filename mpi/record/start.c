/* The beginning and the end of a trace: MPI_Init, MPI_Finalize and MPI_Abort. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "communicators.h"
#include "entry.h"
#include "notes.h"
#include "offsets.h"
#include "trace.h"

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
    if (contend_find_offset(comm, rank, n, found) != MPI_SUCCESS)
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
    fprintf(stream, "contend trace 2\nranks %d\nrun %016llx\nlibrary %s\n", ranks,
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

NEXT_OF(Init)
NEXT_OF(Init_thread)
NEXT_OF(Finalize)
NEXT_OF(Abort)

/* Leaves the name of the library that the program uses, for who started it. */
static void note_other_library(const char *folder)
{
    char path[4096];
    Dl_info other;
    snprintf(path, sizeof path, "%s/other-mpi.txt", folder);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    const bool is_known = dladdr(*(void **)&next_Init, &other) != 0 && other.dli_fname != NULL;
    dprintf(file, "%s\n", is_known ? other.dli_fname : "another MPI library");
    close(file);
}

/* What the recorder does before the program goes on is within MPI_Init, which ends on all ranks at
 * the same time: so neither is taken for the program's time. */
static void begin(int64_t start)
{
    const char *folder = getenv("CONTEND_RECORD");
    MPI_Comm parent = MPI_COMM_NULL;
    struct contend_origin origin = {.folder = folder};
    struct contend_clock_offset offset;
    if (folder == NULL || folder[0] == '\0')
        return;
    if (!contend_has_own_mpi("CONTEND_RECORD_MPI")) {
        note_other_library(folder);
        return;
    }
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
static void note_last_clock(void)
{
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

static int contend_Init(int *count, char ***words)
{
    const int64_t start = contend_nanoseconds();
    contend_shut();
    const int code = NEXT(Init)(count, words);
    if (code == MPI_SUCCESS)
        begin(start);
    contend_open();
    return code;
}

static int contend_Init_thread(int *count, char ***words, int wished, int *given)
{
    const int64_t start = contend_nanoseconds();
    contend_shut();
    const int code = NEXT(Init_thread)(count, words, wished, given);
    if (code == MPI_SUCCESS)
        begin(start);
    contend_open();
    return code;
}

static int contend_Finalize(void)
{
    const int64_t start = contend_nanoseconds();
    contend_shut();
    if (is_begun)
        note_last_clock();
    const int code = NEXT(Finalize)();
    append(CONTEND_KIND_Finalize, start, contend_nanoseconds());
    contend_lock();
    contend_trace_close();
    contend_unlock();
    contend_open();
    return code;
}

static int contend_Abort(MPI_Comm comm, int code)
{
    const int64_t now = contend_nanoseconds();
    append(CONTEND_KIND_Abort, now, now);
    contend_lock();
    contend_trace_flush();
    contend_unlock();
    return NEXT(Abort)(comm, code);
}

/* Programs may end without MPI_Finalize. */
__attribute__((destructor)) static void end(void)
{
    if (!contend_lock_if_free())
        return;
    contend_trace_flush();
    contend_unlock();
}

EXPORTED(Init)
EXPORTED(Init_thread)
EXPORTED(Finalize)
EXPORTED(Abort)
