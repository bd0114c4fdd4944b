/* What is kept of the collective calls of a process and of its job, from MPI_Init to its end.
 *
 * At MPI_Init all ranks agree on a number for the job, find out how their clocks differ and which
 * of them share a node; at MPI_Finalize what they have seen adds up along a tree, and rank 0
 * appends the record of the job to the file that CONTEND_WATCH names. Until then each rank leaves a
 * line of its own beside that file, from time to time and where it ends without MPI_Finalize; these
 * go when the record is there. A world that was spawned leaves none, and neither does a forked
 * process. */
#include "job.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../communicators.h"
#include "../exchange/transport/agree.h"
#include "../modes.h"
#include "../offsets.h"
#include "../ticks.h"
#include "append.h"
#include "members.h"
#include "merge.h"
#include "verified.h"

enum { WATCHED_ROWS = 128, WATCHED_COUNTS = 448, WATCHED_SAMPLES = 448, VERIFIED_ROWS = 8192 };
enum {
    EXCHANGES = 16,
    RECORD_PATIENCE_MS = 20000,
    LINE_PATIENCE_MS = 1000,
    PATIENCE_S = 20,
    EVERY_S = 600
};

_Static_assert(CONTEND_LEDGER_BYTES(WATCHED_ROWS, WATCHED_COUNTS, WATCHED_SAMPLES) +
                       sizeof contend_bin_limits + CONTEND_ORIGIN_BYTES <=
                   64 * 1024,
               "what a rank is promised to need");
_Static_assert(CONTEND_OPERATIONS *CONTEND_FORMS <= CONTEND_OTHERS, "each has a count");

struct contend_ledger *contend_watched_calls, *contend_verified_calls;
atomic_llong contend_line_due = LLONG_MAX;

static struct contend_job job;
static char path[PATH_MAX], beside[PATH_MAX + 64], library[MPI_MAX_LIBRARY_VERSION_STRING];
static int rank;
static int64_t began, every;
static struct contend_clock_offset first_offset;
static MPI_Comm own_comm = MPI_COMM_NULL;
static pid_t process;
static bool has_threads, is_over, is_told;
static atomic_ullong others[CONTEND_OTHERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void contend_enter_ledgers(void)
{
    if (has_threads)
        pthread_mutex_lock(&lock);
}

void contend_leave_ledgers(void)
{
    if (has_threads)
        pthread_mutex_unlock(&lock);
}

void contend_count_other(enum contend_operation operation, enum contend_form form)
{
    if (contend_watched_calls != NULL)
        atomic_fetch_add_explicit(&others[(int)operation * CONTEND_FORMS + (int)form], 1,
                                  memory_order_relaxed);
}

static void tell(const char *where, int error)
{
    if (rank == 0 && !is_told)
        fprintf(stderr, "contend watch: cannot write %s: %s; the program goes on without\n", where,
                strerror(error));
    is_told = true;
}

static uint64_t host_of_this(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *at = host; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    return hash;
}

static bool know_hosts(int ranks)
{
    const uint64_t own = host_of_this();
    uint64_t *all = malloc((size_t)ranks * sizeof *all);
    bool is_ok =
        contend_agree(own_comm, all != NULL, 0) &&
        PMPI_Allgather(&own, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, own_comm) == MPI_SUCCESS &&
        contend_know_nodes(all, ranks);
    free(all);
    return is_ok;
}

/* Messages of ours are on a communicator of our own. */
static bool make_comm(void)
{
    MPI_Group all;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &all) != MPI_SUCCESS)
        return false;
    const int code = PMPI_Comm_create(MPI_COMM_WORLD, all, &own_comm);
    PMPI_Group_free(&all);
    return code == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(own_comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

/* Begins with the eight digits of CONTEND_WATCH_JOB, where it has these: whoever has started a
 * program knows its jobs by them. */
static uint64_t named_by_starter(uint64_t id)
{
    const char *start = getenv("CONTEND_WATCH_JOB");
    if (start == NULL || strlen(start) != 8 || strspn(start, "0123456789abcdef") != 8)
        return id;
    return strtoull(start, NULL, 16) << 32 | (id & 0xFFFFFFFFu);
}

/* Another for each job: rank 0's counts. */
static int64_t new_id(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    job.began_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    const uint64_t id =
        contend_lot(host_of_this() ^ (uint64_t)getpid() << 32, (uint32_t)now.tv_nsec) ^
        (uint64_t)now.tv_sec << 20;
    return (int64_t)named_by_starter(id);
}

static void name_files(void)
{
    const char *given = getenv("CONTEND_WATCH");
    char folder[PATH_MAX] = "";
    if (given[0] != '/' && getcwd(folder, sizeof folder - 1) != NULL)
        strcat(folder, "/");
    if (snprintf(path, sizeof path, "%s%s", folder, given) >= (int)sizeof path)
        path[0] = '\0';
    snprintf(beside, sizeof beside, "%s.jobs/%016llx.jsonl", path, (unsigned long long)job.id);
}

/* Between lines as much time as the job has run, so that long jobs leave few; ranks by turns. */
static void set_line_due(int64_t now)
{
    const int64_t since = now - began;
    const int64_t wait = since > every ? since : every;
    const int64_t turn = (int64_t)((double)every * rank / job.ranks);
    atomic_store(&contend_line_due,
                 every <= 0 ? LLONG_MAX
                            : contend_ticks_at(now + wait + (since < every ? turn : 0)));
}

/* What the clock of rank 0 shows more. */
static int find_offset(struct contend_clock_offset *found)
{
    const struct contend_tree all = {.place = rank, .count = job.ranks};
    *found = (struct contend_clock_offset){0};
    return contend_find_offset(own_comm, all, EXCHANGES, found);
}

/* The same on all ranks, as they agree on each step that may fail. */
static bool begin_job(struct contend_ledger *ledger)
{
    int64_t id = new_id();
    if (!contend_agree_first(MPI_COMM_WORLD, ledger != NULL, 0, PATIENCE_S))
        return false;
    if (!contend_agree(MPI_COMM_WORLD, make_comm(), 0) ||
        !contend_agree(own_comm, know_hosts(job.ranks), 0))
        return false;
    const bool is_told_all = contend_tell_all(own_comm, rank, job.ranks, &id) == MPI_SUCCESS &&
                             find_offset(&first_offset) == MPI_SUCCESS;
    job.id = (uint64_t)id;
    job.nodes = contend_node_count();
    return contend_agree(own_comm, is_told_all, 0);
}

static void start_watching(void)
{
    struct contend_ledger *ledger =
        contend_make_ledger(WATCHED_ROWS, WATCHED_COUNTS, WATCHED_SAMPLES);
    const char *seconds = getenv("CONTEND_WATCH_EVERY");
    contend_prepare_bins();
    if (contend_has_parent() || !begin_job(ledger)) {
        free(ledger);
        return;
    }
    name_files();
    job.name = getenv("CONTEND_WATCH_NAME");
    began = contend_nanoseconds();
    every = (int64_t)(1e9 * (seconds != NULL ? atof(seconds) : EVERY_S));
    set_line_due(began);
    contend_watched_calls = ledger;
}

void contend_watch_start(void)
{
    int length = 0, provided = MPI_THREAD_SINGLE;
    process = getpid();
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    PMPI_Query_thread(&provided);
    PMPI_Get_library_version(library, &length);
    has_threads = provided == MPI_THREAD_MULTIPLE;
    contend_start_ticks();
    job.operations = contend_operation_names;
    job.library = library;
    if (contend_modes & CONTEND_VERIFIES) {
        contend_verified_calls = contend_make_ledger(VERIFIED_ROWS, 0, 0);
        contend_name_verified(rank, job.ranks, library);
    }
    library[strcspn(library, "\n,")] = '\0';
    if (contend_modes & CONTEND_WATCHES)
        start_watching();
}

/* What this rank has seen. Without memory, only how many calls are not kept. */
static struct contend_sums sum_up(const struct contend_clock_line *clock, int64_t bound)
{
    struct contend_sums sums = {0};
    struct contend_ledger *ledger = contend_watched_calls;
    contend_enter_ledgers();
    for (int i = 0; i < ledger->samples_used; i++)
        if (contend_is_ambiguous(ledger->samples[i].origin))
            ledger->samples[i].comm = 0;
    if (!contend_sum_up_ledger(&sums, ledger, clock))
        for (int i = 0; i < ledger->rows_used; i++)
            sums.head.not_kept += ledger->rows[i].calls;
    contend_leave_ledgers();
    for (int i = 0; i < CONTEND_OTHERS; i++)
        sums.head.others[i] = atomic_load(&others[i]);
    sums.head.ns = contend_nanoseconds() - began;
    sums.head.clock_error_ns = bound;
    return sums;
}

static int append(const char *to, const struct contend_sums *sums, int of, int patience_ms)
{
    char *line = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&line, &length);
    if (file == NULL)
        return ENOMEM;
    contend_write_line(file, sums, &job, of);
    const bool is_ok = fclose(file) == 0;
    const int error = is_ok ? contend_append_line(to, line, length, patience_ms) : ENOMEM;
    free(line);
    return error;
}

void contend_write_own_line(const char *ended)
{
    const int64_t now = contend_nanoseconds();
    long long due = atomic_load(&contend_line_due);
    if (ended == NULL && (contend_ticks() < due ||
                          !atomic_compare_exchange_strong(&contend_line_due, &due, LLONG_MAX)))
        return; /* another thread does */
    const struct contend_clock_line clock = {.at = {first_offset.at, first_offset.at},
                                             .offset = {first_offset.offset, first_offset.offset}};
    struct contend_sums sums = sum_up(&clock, first_offset.bound);
    char folder[sizeof path + 8];
    snprintf(folder, sizeof folder, "%s.jobs", path);
    job.ended = ended;
    mkdir(folder, 0777);
    int error = append(beside, &sums, rank, LINE_PATIENCE_MS);
    if (error == ENOENT && mkdir(folder, 0777) == 0) /* the end of another job has removed it */
        error = append(beside, &sums, rank, LINE_PATIENCE_MS);
    if (error != 0 && error != EWOULDBLOCK)
        tell(beside, error);
    contend_free_sums(&sums);
    set_line_due(now);
}

/* The record of the job; the lines of its ranks have had their time. */
static void write_record(const struct contend_sums *sums)
{
    job.ended = "finalize";
    const int error = append(path, sums, -1, RECORD_PATIENCE_MS);
    if (error != 0) {
        tell(path, error);
        return;
    }
    unlink(beside);
    char *end = strrchr(beside, '/');
    *end = '\0';
    rmdir(beside);
}

static void finish_watching(void)
{
    struct contend_clock_offset last = first_offset;
    find_offset(&last);
    const struct contend_clock_line clock = {.at = {first_offset.at, last.at},
                                             .offset = {first_offset.offset, last.offset}};
    const int64_t bound = last.bound > first_offset.bound ? last.bound : first_offset.bound;
    struct contend_sums sums = sum_up(&clock, bound);
    contend_merge(own_comm, rank, job.ranks, &sums);
    if (rank == 0)
        write_record(&sums);
    contend_free_sums(&sums);
    PMPI_Comm_free(&own_comm);
}

/* Whether there is something to write, and this is the process to do so. */
static bool is_due(void) { return !is_over && process != 0 && process == getpid(); }

void contend_watch_finish(void)
{
    if (!is_due())
        return;
    is_over = true;
    atomic_store(&contend_line_due, LLONG_MAX);
    if (contend_verified_calls != NULL)
        contend_write_verified(contend_verified_calls);
    if (contend_watched_calls != NULL)
        finish_watching();
}

/* From wherever the program is, perhaps a handler of a signal within a call of ours. */
static void end_early(const char *ended)
{
    struct timespec until;
    if (!is_due() || clock_gettime(CLOCK_REALTIME, &until) != 0)
        return;
    is_over = true;
    until.tv_sec++;
    if (has_threads && pthread_mutex_timedlock(&lock, &until) != 0)
        return;
    has_threads = false; /* the lock is held until the end */
    if (contend_verified_calls != NULL)
        contend_write_verified(contend_verified_calls);
    if (contend_watched_calls != NULL)
        contend_write_own_line(ended);
}

void contend_watch_abort(void) { end_early("abort"); }

/* Programs may end without MPI_Finalize. */
__attribute__((destructor)) static void end(void) { end_early("exit"); }
