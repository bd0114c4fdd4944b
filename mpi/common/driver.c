/* The course of every experiment: reads the command line, runs every size with every algorithm. */
#include "driver.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "counters.h"
#include "experiment.h"
#include "output.h"
#include "places.h"
#include "require.h"
#include "series.h"
#include "start.h"

#define EXIT_ARGUMENTS 2
#define EXIT_WRONG_DATA 3

/* Before MPI_Init nobody knows which process is rank 0, hence the error waits until here. */
static int refuse(const struct contend_experiment *experiment, int rank, const char *error)
{
    if (rank == 0)
        fprintf(stderr, "contend: %s: %s\n", experiment->name, error);
    REQUIRE_MPI(MPI_Finalize());
    return EXIT_ARGUMENTS;
}

static bool is_process_count_allowed(const struct contend_experiment *experiment, int n,
                                     char *error, size_t size)
{
    const int least = experiment->processes_min, most = experiment->processes_max;
    if (n >= least && (most == 0 || n <= most))
        return true;
    if (most == least)
        snprintf(error, size, "needs exactly %d processes, got %d; try mpiexec -n %d", least, n,
                 least);
    else if (n < least)
        snprintf(error, size, "needs at least %d processes, got %d; try mpiexec -n %d", least, n,
                 least);
    else
        snprintf(error, size, "needs at most %d processes, got %d; try mpiexec -n %d", most, n,
                 most);
    return false;
}

/* Wrong data on any rank end the program. */
static void verify(const struct contend_experiment *experiment, struct contend_point *point)
{
    char detail[256] = "";
    const bool is_right = experiment->check(point, detail, sizeof detail);
    int candidate = is_right ? point->n : point->rank, first = 0;
    REQUIRE_MPI(MPI_Allreduce(&candidate, &first, 1, MPI_INT, MPI_MIN, point->comm));
    if (first == point->n)
        return;
    REQUIRE_MPI(MPI_Bcast(detail, sizeof detail, MPI_CHAR, first, point->comm));
    if (point->rank == 0)
        contend_print_wrong_data(experiment, point, first, detail);
    REQUIRE_MPI(MPI_Barrier(point->comm)); /* let rank 0 write before anyone ends it */
    MPI_Abort(MPI_COMM_WORLD, EXIT_WRONG_DATA);
    exit(EXIT_WRONG_DATA);
}

static void run_point(const struct contend_experiment *experiment, struct contend_point *point,
                      const struct contend_arguments *arguments,
                      const struct contend_places *places, struct contend_starter *starter,
                      struct contend_counters *counters)
{
    experiment->setup(point);
    experiment->run(point);
    verify(experiment, point);
    if (experiment->refill != NULL)
        experiment->refill(point);
    struct contend_series series = contend_measure(experiment, point, arguments, starter, counters);
    if (experiment->refill != NULL)
        verify(experiment, point);
    if (point->rank == 0)
        contend_print_point(experiment, point, &series, places, starter->start, counters);
    contend_free_series(&series);
    experiment->teardown(point);
}

static void run_all(const struct contend_experiment *experiment, MPI_Comm comm, int rank, int n,
                    const struct contend_arguments *arguments)
{
    struct contend_places places = contend_find_places(comm);
    struct contend_starter starter = contend_make_starter(
        comm, experiment->is_local ? CONTEND_START_LOCAL : arguments->start, &places);
    struct contend_counters counters = {0};
    if (rank == 0) {
        counters = contend_open_counters();
        contend_print_launch(experiment, n, &places, &starter);
    }
    size_t points = 0;
    for (size_t i = 0; i < arguments->n_sizes; i++) {
        for (int algorithm = 0; experiment->algorithms[algorithm] != NULL; algorithm++) {
            struct contend_point point = {.comm = comm,
                                          .rank = rank,
                                          .n = n,
                                          .m = arguments->sizes[i],
                                          .algorithm = algorithm,
                                          .max_seconds = arguments->limits.max_seconds,
                                          .is_oversubscribed = places.is_oversubscribed,
                                          .context = experiment->context};
            run_point(experiment, &point, arguments, &places, &starter, &counters);
            points++;
        }
    }
    if (rank == 0)
        contend_print_end(points);
    contend_close_counters(&counters);
    contend_free_starter(&starter);
    contend_free_places(&places);
}

int contend_drive(const struct contend_experiment *experiment, int argc, char **argv)
{
    char error[512] = "";
    struct contend_arguments arguments;
    const bool is_understood = contend_parse_arguments(argc, argv, &arguments, error, sizeof error);
    if (is_understood && arguments.is_describe) {
        contend_print_describe(experiment);
        contend_free_arguments(&arguments);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    REQUIRE_MPI(MPI_Init(&argc, &argv));
    REQUIRE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_Comm comm; /* inherits the error handler */
    int rank, n;
    REQUIRE_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    REQUIRE_MPI(MPI_Comm_rank(comm, &rank));
    REQUIRE_MPI(MPI_Comm_size(comm, &n));
    if (!is_understood || !is_process_count_allowed(experiment, n, error, sizeof error)) {
        contend_free_arguments(&arguments);
        REQUIRE_MPI(MPI_Comm_free(&comm));
        return refuse(experiment, rank, error);
    }
    run_all(experiment, comm, rank, n, &arguments);
    contend_free_arguments(&arguments);
    REQUIRE_MPI(MPI_Comm_free(&comm));
    REQUIRE_MPI(MPI_Finalize());
    return EXIT_SUCCESS;
}
