/* What all calls of a program add up to, in a file of JSON at MPI_Finalize.
 *
 * $CONTEND_EXCHANGE_SUMMARY names the file; rank 0 of MPI_COMM_WORLD writes it. Every rank adds its
 * part where all of them have met in a communicator of the whole world and each wants a summary:
 * then each has this library and comes here. Otherwise a reduction might wait for a rank that never
 * does, so that the file holds what rank 0 saw, and says so as its scope. Processes that were
 * spawned leave the file to those that spawned them. */
#include "summary.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../communicators.h"
#include "../ledger.h"
#include "../transport/agree.h"
#include "explain.h"

static atomic_bool is_met, is_spawned, has_unserved, has_calls;

void contend_meet(const struct contend_state *state)
{
    int relation = MPI_UNEQUAL;
    if (contend_has_parent())
        is_spawned = true;
    if (is_met)
        return;
    if (PMPI_Comm_compare(state->owner, MPI_COMM_WORLD, &relation) != MPI_SUCCESS ||
        relation == MPI_UNEQUAL)
        return;
    if (contend_agree(state->owner, state->plan->summary[0] != '\0', 0))
        is_met = true;
}

static void write_row(FILE *file, const char *separator, enum contend_exchange_kind kind, int size,
                      const struct contend_algorithm *algorithm, const struct contend_tally *tally)
{
    fprintf(file,
            "%s\n  {\"call\": \"%s\", \"from_bytes\": %lld, \"below_bytes\": %lld, \"algorithm\": "
            "\"%s\", \"calls\": %.0f, \"bytes\": %.0f, \"seconds\": %.9g, \"saved_s\": ",
            separator, contend_kind_text(kind), size == 0 ? 0LL : 1LL << size, 1LL << (size + 1),
            algorithm->name, tally->calls, tally->bytes, tally->seconds);
    if (tally->saved_calls > 0)
        fprintf(file, "%.9g}", tally->saved_s);
    else
        fprintf(file, "null}");
}

static void write_all(FILE *file, const struct contend_totals *totals, int ranks, bool is_of_all)
{
    char name[CONTEND_WORDS];
    const char *separator = "";
    fprintf(file,
            "{\"schema\": \"contend.exchange-summary\", \"version\": 1, \"scope\": \"%s\", "
            "\"ranks\": %d,\n \"check\": {\"sizes\": %.0f, \"calls\": %.0f, \"seconds\": %.9g},\n"
            " \"rows\": [",
            is_of_all ? "sums over all ranks" : "rank 0 alone", is_of_all ? ranks : 1,
            totals->checked_sizes, totals->checked_calls, totals->check_s);
    for (int i = 0; i < CONTEND_EXCHANGE_KINDS * CONTEND_SIZES; i++)
        for (int k = 0; contend_algorithm_at(k) != NULL; k++) {
            const enum contend_exchange_kind kind = (enum contend_exchange_kind)(i / CONTEND_SIZES);
            const struct contend_tally *tally = &totals->of[kind][i % CONTEND_SIZES][k];
            if (tally->calls <= 0)
                continue;
            write_row(file, separator, kind, i % CONTEND_SIZES, contend_algorithm_at(k), tally);
            separator = ",";
        }
    fprintf(file, "],\n \"unserved\": [");
    separator = "";
    for (int i = 0; i < CONTEND_OPERATIONS * CONTEND_FORMS; i++) {
        const double calls = totals->unserved[i / CONTEND_FORMS][i % CONTEND_FORMS];
        if (calls <= 0)
            continue;
        fprintf(file, "%s\n  {\"call\": \"%s\", \"calls\": %.0f}", separator,
                contend_form_text(i / CONTEND_FORMS, i % CONTEND_FORMS, name), calls);
        separator = ",";
    }
    fprintf(file, "]}\n");
}

/* Whether it is there and no plain file: a pipe, /dev/stdout. */
static bool is_special(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

static bool write_to(const char *path, const struct contend_totals *totals, int ranks,
                     bool is_of_all)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    write_all(file, totals, ranks, is_of_all);
    const bool is_ok = !ferror(file);
    return fclose(file) == 0 && is_ok;
}

/* Beside its place first: whoever reads sees all of it or nothing. What is special stays. */
static void write_file(const char *path, const struct contend_totals *totals, int ranks,
                       bool is_of_all)
{
    char beside[CONTEND_PATH + 32];
    bool is_ok;
    if (is_special(path)) {
        is_ok = write_to(path, totals, ranks, is_of_all);
    } else {
        snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
        is_ok = write_to(beside, totals, ranks, is_of_all) && rename(beside, path) == 0;
        if (!is_ok)
            unlink(beside);
    }
    if (!is_ok)
        fprintf(stderr,
                "contend: the summary %s cannot be written; name a file in a folder that exists "
                "with CONTEND_EXCHANGE_SUMMARY\n",
                path);
}

void contend_sum_up(void)
{
    const struct contend_plan *plan = contend_read_plan();
    if (plan->summary[0] == '\0' && plan->explain[0] == '\0')
        return;
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct contend_totals *own = contend_take(sizeof *own), *all = contend_take(sizeof *all);
    if (own != NULL)
        contend_read_totals(own);
    if (own != NULL && rank == 0 && plan->explain[0] != '\0')
        contend_explain_totals(plan, own);
    bool is_of_all = false;
    if (is_met) { /* a rank without memory sends nothing, and all know */
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        is_of_all = contend_agree(MPI_COMM_WORLD, own != NULL && all != NULL, 0) &&
                    PMPI_Reduce(own, all, (int)(sizeof *own / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                                0, MPI_COMM_WORLD) == MPI_SUCCESS;
    }
    const bool is_wanted = plan->summary[0] != '\0' && (has_calls || has_unserved);
    if (rank == 0 && own != NULL && is_wanted && !is_spawned)
        write_file(plan->summary, is_of_all ? all : own, ranks, is_of_all);
    contend_release(own);
    contend_release(all);
}

static struct contend_totals totals;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

int contend_size_class(int64_t bytes)
{
    int size = 0;
    while (size + 1 < CONTEND_SIZES && bytes >> (size + 1) > 0)
        size++;
    return size;
}

void contend_count_call(enum contend_exchange_kind kind, int size,
                        const struct contend_algorithm *algorithm, const struct contend_tally *call)
{
    struct contend_tally *tally = &totals.of[kind][size][contend_algorithm_index(algorithm)];
    pthread_mutex_lock(&counting);
    tally->calls += call->calls;
    tally->bytes += call->bytes;
    tally->seconds += call->seconds;
    tally->saved_calls += call->saved_calls;
    tally->saved_s += call->saved_s;
    pthread_mutex_unlock(&counting);
    has_calls = true;
}

void contend_count_check(double calls, double seconds)
{
    pthread_mutex_lock(&counting);
    totals.checked_sizes++;
    totals.checked_calls += calls;
    totals.check_s += seconds;
    pthread_mutex_unlock(&counting);
}

void contend_count_unserved(enum contend_operation operation, enum contend_form form)
{
    if (strstr(contend_operation_names[operation], "alltoall") == NULL)
        return;
    pthread_mutex_lock(&counting);
    totals.unserved[operation][form]++;
    pthread_mutex_unlock(&counting);
    has_unserved = true;
}

bool contend_has_unserved(void) { return has_unserved; }

void contend_read_totals(struct contend_totals *copy)
{
    pthread_mutex_lock(&counting);
    *copy = totals;
    pthread_mutex_unlock(&counting);
}
