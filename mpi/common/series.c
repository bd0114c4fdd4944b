/* All repetitions of one point: warm-up, batches, the decision to stop.
 *
 * Ranks keep their own times; rank 0 has the maxima after each batch, so that no exchange of times
 * disturbs the repetitions of a batch.
 */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "busy.h"
#include "clock.h"
#include "require.h"
#include "waiting.h"

/* Repetitions that are made however long they take: fewer say nothing about their spread. */
#define REPETITIONS_OBLIGED 5
/* The same where messages were lost: some repetitions then wait for a time-out and some do not, and
 * two modes cannot be told from fewer. */
#define REPETITIONS_OF_LOSSES 10

struct measuring {
    const struct contend_experiment *experiment;
    struct contend_point *point;
    const struct contend_arguments *arguments;
    struct contend_starter *starter;
    struct contend_counters *counters;
    struct contend_cores cores_before;
    double began, waited_before; /* of this rank, as all seconds here */
    double spent[2];             /* since then: waiting for a processor, and in all */
    double deadline;
    size_t obliged; /* on rank 0: of the next batch, however long they take; set by decide */
    double *own;    /* this rank's times of one batch */
    struct contend_series series;
};

static void reserve(struct measuring *measuring, size_t wanted)
{
    struct contend_series *series = &measuring->series;
    const size_t n = (size_t)measuring->point->n;
    const size_t capacity = series->count + wanted;
    measuring->own = contend_reallocate(measuring->own, wanted * sizeof(double), "times");
    series->values = contend_reallocate(series->values, capacity * sizeof(double), "times");
    series->is_late = contend_reallocate(series->is_late, capacity * sizeof(bool), "late marks");
    if (measuring->arguments->is_per_rank && measuring->point->rank == 0)
        series->rank_values = contend_reallocate(series->rank_values, capacity * n * sizeof(double),
                                                 "times per rank");
    contend_reserve_parts(&series->parts, measuring->experiment, measuring->point, wanted,
                          capacity);
    series->capacity = capacity;
}

static size_t repeat(struct measuring *measuring, size_t wanted, size_t obliged)
{
    const struct contend_experiment *experiment = measuring->experiment;
    bool *is_late = measuring->series.is_late + measuring->series.count;
    double begin;
    for (size_t done = 0; done < wanted; done++) {
        const bool stops = done >= obliged && contend_now() >= measuring->deadline;
        if (!contend_begin(measuring->starter, stops, &begin))
            return done;
        const double value = experiment->run(measuring->point);
        const double end = contend_now();
        measuring->own[done] = experiment->is_local ? value : end - begin;
        contend_note_parts(&measuring->series.parts, experiment, measuring->point, done, begin);
        is_late[done] = contend_end(measuring->starter);
    }
    return wanted;
}

/* rank_values[repetition][rank] from the rank-major order in which they arrive. */
static void gather_ranks(struct measuring *measuring, size_t done)
{
    const struct contend_point *point = measuring->point;
    const size_t n = (size_t)point->n;
    double *gathered = NULL;
    if (point->rank == 0)
        gathered = contend_allocate(n * done * sizeof *gathered, "times per rank");
    REQUIRE_MPI(MPI_Gather(measuring->own, (int)done, MPI_DOUBLE, gathered, (int)done, MPI_DOUBLE,
                           0, point->comm));
    double *rank_values = measuring->series.rank_values;
    for (size_t i = 0; point->rank == 0 && i < n * done; i++)
        rank_values[(measuring->series.count + i % done) * n + i / done] = gathered[i];
    free(gathered);
}

static void gather_slowest(struct measuring *measuring, size_t done)
{
    double *slowest = measuring->series.values + measuring->series.count;
    if (measuring->experiment->is_local) {
        for (size_t i = 0; i < done; i++)
            slowest[i] = measuring->own[i];
        return;
    }
    REQUIRE_MPI(MPI_Reduce(measuring->own, slowest, (int)done, MPI_DOUBLE, MPI_MAX, 0,
                           measuring->point->comm));
}

/* Returns the number of repetitions made: `wanted`, or at least `obliged` when time is up. */
static size_t run_batch(struct measuring *measuring, size_t wanted, size_t obliged)
{
    if (wanted == 0)
        return 0;
    reserve(measuring, wanted);
    const size_t done = repeat(measuring, wanted, obliged);
    if (done == 0)
        return 0;
    gather_slowest(measuring, done);
    if (measuring->arguments->is_per_rank && !measuring->experiment->is_local)
        gather_ranks(measuring, done);
    contend_gather_parts(&measuring->series.parts, measuring->point, done, measuring->series.count);
    measuring->series.count += done;
    return done;
}

static void drop_warmup(struct contend_series *series)
{
    const size_t n = series->count - series->n_warmup;
    double *scratch = contend_allocate(n * sizeof *scratch, "warm-up detection");
    series->n_warmup += contend_warmup_length(series->values + series->n_warmup, n, scratch);
    free(scratch);
}

/* On rank 0: repetitions to be made however long they take. */
static size_t least_repetitions(const struct measuring *measuring)
{
    const size_t most = measuring->arguments->limits.max_repetitions;
    const bool has_lost = contend_counted(measuring->counters, "drops") > 0;
    const size_t least = has_lost ? REPETITIONS_OF_LOSSES : 0;
    return least < most ? least : most;
}

/* On rank 0: the size of the next batch, 0 to stop. */
static size_t decide(struct measuring *measuring)
{
    struct contend_series *series = &measuring->series;
    struct contend_limits limits = measuring->arguments->limits;
    const size_t kept = series->count - series->n_warmup;
    const size_t least = least_repetitions(measuring);
    measuring->obliged = kept < least ? least - kept : 0;
    if (limits.min_repetitions < least)
        limits.min_repetitions = least;
    double *sorted = contend_allocate(kept * sizeof *sorted, "interval of the median");
    contend_sort(series->values + series->n_warmup, kept, sorted);
    series->interval_relative =
        contend_interval_relative(contend_median_interval(sorted, kept, limits.confidence));
    free(sorted);
    series->stopped =
        contend_decide(&limits, kept, series->interval_relative,
                       measuring->obliged == 0 && contend_now() >= measuring->deadline);
    return series->stopped == CONTEND_GO_ON ? contend_next_batch(&limits, kept) : 0;
}

static size_t decide_together(struct measuring *measuring)
{
    const struct contend_point *point = measuring->point;
    unsigned long long next = point->rank == 0 ? decide(measuring) : 0;
    REQUIRE_MPI(MPI_Bcast(&next, 1, MPI_UNSIGNED_LONG_LONG, 0, point->comm));
    return (size_t)next;
}

/* Rank 0 has heard from every rank that the preceding repetitions are over. */
static void begin_counting(struct measuring *measuring)
{
    measuring->began = contend_now();
    measuring->waited_before = contend_waited();
    if (measuring->point->rank != 0)
        return;
    measuring->cores_before = contend_read_cores();
    contend_begin_counters(measuring->counters);
}

/* Likewise; the last call counts. */
static void end_counting(struct measuring *measuring)
{
    measuring->spent[0] = contend_waited() - measuring->waited_before;
    measuring->spent[1] = contend_now() - measuring->began;
    if (measuring->point->rank != 0)
        return;
    contend_end_counters(measuring->counters);
    const struct contend_cores cores = contend_read_cores();
    measuring->series.busy_share = contend_busy_share(&measuring->cores_before, &cores);
}

/* On rank 0: the share of their time that all ranks together waited. */
static void gather_waiting(struct measuring *measuring)
{
    double together[2] = {NAN, 1};
    REQUIRE_MPI(
        MPI_Reduce(measuring->spent, together, 2, MPI_DOUBLE, MPI_SUM, 0, measuring->point->comm));
    const double share = together[0] / together[1];
    measuring->series.wait_share = share > 1 ? 1 : share; /* two clocks; NAN stays */
}

struct contend_series contend_measure(const struct contend_experiment *experiment,
                                      struct contend_point *point,
                                      const struct contend_arguments *arguments,
                                      struct contend_starter *starter,
                                      struct contend_counters *counters)
{
    struct measuring measuring = {.experiment = experiment,
                                  .point = point,
                                  .arguments = arguments,
                                  .starter = starter,
                                  .counters = counters,
                                  .deadline = contend_now() + arguments->limits.max_seconds};
    const size_t first_batch = arguments->limits.min_repetitions;
    if (experiment->calibrate != NULL)
        experiment->calibrate(point);
    measuring.series.n_warmup = run_batch(&measuring, arguments->warmup, 1);
    begin_counting(&measuring);
    run_batch(&measuring, first_batch,
              first_batch < REPETITIONS_OBLIGED ? first_batch : REPETITIONS_OBLIGED);
    end_counting(&measuring);
    if (point->rank == 0)
        drop_warmup(&measuring.series);
    for (size_t next = decide_together(&measuring); next > 0; next = decide_together(&measuring)) {
        run_batch(&measuring, next, measuring.obliged);
        end_counting(&measuring);
    }
    gather_waiting(&measuring);
    measuring.series.skew = contend_take_skew(starter);
    free(measuring.own);
    return measuring.series;
}

void contend_free_series(struct contend_series *series)
{
    free(series->values);
    free(series->is_late);
    free(series->rank_values);
    contend_free_parts(&series->parts);
    *series = (struct contend_series){0};
}
