/* What a program says: lines of "contend " and a JSON object, on standard output, from rank 0. */
#include "output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "host.h"
#include "json.h"
#include "require.h"

static const char *const stopped_names[] = {[CONTEND_GO_ON] = "",
                                            [CONTEND_PRECISION] = "precision",
                                            [CONTEND_MAX_REPETITIONS] = "max_repetitions",
                                            [CONTEND_MAX_SECONDS] = "max_seconds"};

static void end_line(void)
{
    putchar('\n');
    if (fflush(stdout) != 0 || ferror(stdout))
        contend_abort(1, "cannot write to standard output");
}

static void begin_line(const char *kind, const struct contend_experiment *experiment)
{
    printf("contend {\"kind\":\"%s\",\"experiment\":", kind);
    contend_json_string(stdout, experiment->name);
}

void contend_print_describe(const struct contend_experiment *experiment)
{
    printf("{\"experiment\":");
    contend_json_string(stdout, experiment->name);
    printf(",\"algorithms\":[");
    for (int i = 0; experiment->algorithms[i] != NULL; i++) {
        fputs(i > 0 ? "," : "", stdout);
        contend_json_string(stdout, experiment->algorithms[i]);
    }
    printf("],\"processes_min\":%d,\"processes_max\":", experiment->processes_min);
    if (experiment->processes_max > 0)
        printf("%d}\n", experiment->processes_max);
    else
        printf("null}\n");
}

static void print_library(void)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, version = 0, subversion = 0;
    REQUIRE_MPI(MPI_Get_library_version(library, &length));
    REQUIRE_MPI(MPI_Get_version(&version, &subversion));
    library[strcspn(library, "\n")] = '\0';
    printf(",\"mpi_library\":");
    contend_json_string(stdout, library);
    printf(",\"mpi_standard\":\"%d.%d\"", version, subversion);
}

static void print_host(void)
{
    const struct contend_host host = contend_find_host();
    fputs(",\"kernel\":", stdout);
    contend_json_string(stdout, host.kernel);
    fputs(",\"cpu\":", stdout);
    contend_json_string(stdout, host.cpu);
    fputs(",\"congestion_control\":", stdout);
    contend_json_string(stdout, host.congestion_control);
}

void contend_print_launch(const struct contend_experiment *experiment, int n,
                          const struct contend_places *places,
                          const struct contend_starter *starter)
{
    begin_line("launch", experiment);
    printf(",\"n\":%d,\"processes_per_node\":%d,\"nodes\":%d,\"hosts\":[", n,
           places->processes_per_node, places->n_hosts);
    for (int i = 0; i < places->n_hosts; i++) {
        fputs(i > 0 ? "," : "", stdout);
        contend_json_string(stdout, places->hosts[i]);
    }
    printf("],\"host_of\":[");
    for (int i = 0; i < n; i++)
        printf("%s%d", i > 0 ? "," : "", places->host_of[i]);
    printf("]");
    print_library();
    print_host();
    printf(",\"clock_resolution_s\":%.9e,\"cores_available\":%d,\"oversubscribed\":%s,"
           "\"start\":\"%s\",\"clocks\":",
           contend_clock_resolution(), places->cores_available,
           places->is_oversubscribed ? "true" : "false", contend_start_names[starter->start]);
    if (starter->clocks.count > 0)
        printf("%d", starter->clocks.count);
    else
        printf("null"); /* nobody asked whether they are one */
    printf(",\"start_note\":");
    contend_json_string(stdout, starter->note);
    printf("}");
    end_line();
}

/* A row of `width` values for each repetition that is not warm-up. */
static void print_rows(const char *name, const struct contend_series *series, const double *values,
                       size_t width)
{
    printf(",\"%s\":[", name);
    for (size_t i = series->n_warmup; i < series->count; i++) {
        fputs(i > series->n_warmup ? "," : "", stdout);
        contend_json_seconds(stdout, values + i * width, width);
    }
    printf("]");
}

static void print_parameters(const struct contend_experiment *experiment,
                             const struct contend_point *point)
{
    char json[256] = "";
    if (experiment->parameters != NULL)
        experiment->parameters(point, json, sizeof json);
    if (json[0] != '\0')
        printf(",\"parameters\":%s", json);
}

static size_t count_late(const struct contend_series *series)
{
    size_t late = 0;
    for (size_t i = series->n_warmup; i < series->count; i++)
        late += series->is_late[i];
    return late;
}

static void print_known(double value)
{
    if (isfinite(value))
        printf("%.6e", value);
    else
        printf("null");
}

void contend_print_point(const struct contend_experiment *experiment,
                         const struct contend_point *point, const struct contend_series *series,
                         const struct contend_places *places, enum contend_start start,
                         const struct contend_counters *counters)
{
    begin_line("point", experiment);
    printf(",\"algorithm\":");
    contend_json_string(stdout, experiment->algorithms[point->algorithm]);
    printf(",\"n\":%d,\"processes_per_node\":%d,\"m\":%zu,\"start\":\"%s\",\"times_s\":", point->n,
           places->processes_per_node, point->m, contend_start_names[start]);
    contend_json_seconds(stdout, series->values + series->n_warmup,
                         series->count - series->n_warmup);
    printf(",\"warmup_s\":");
    contend_json_seconds(stdout, series->values, series->n_warmup);
    printf(",\"late_starts\":%zu,\"stopped\":\"%s\",\"interval_relative\":", count_late(series),
           stopped_names[series->stopped]);
    print_known(series->interval_relative); /* not of one value, or of a median of 0 */
    printf(",\"start_skew_s\":");
    print_known(series->skew.largest);
    printf(",\"start_skew_bound_s\":");
    print_known(series->skew.bound);
    printf(",\"cpu_busy\":");
    print_known(series->busy_share);
    printf(",\"cpu_wait\":");
    print_known(series->wait_share);
    contend_print_counters(stdout, counters);
    printf(",\"checked\":true");
    print_parameters(experiment, point);
    if (series->rank_values != NULL && !experiment->is_local)
        print_rows("rank_times_s", series, series->rank_values, (size_t)point->n);
    if (series->parts.count > 0)
        print_rows("part_ends_s", series, series->parts.ends, series->parts.count);
    printf("}");
    end_line();
}

void contend_print_wrong_data(const struct contend_experiment *experiment,
                              const struct contend_point *point, int rank, const char *detail)
{
    printf("contend {\"kind\":\"error\",\"what\":\"data\",\"experiment\":");
    contend_json_string(stdout, experiment->name);
    printf(",\"algorithm\":");
    contend_json_string(stdout, experiment->algorithms[point->algorithm]);
    printf(",\"m\":%zu,\"rank\":%d,\"detail\":", point->m, rank);
    contend_json_string(stdout, detail);
    printf("}");
    end_line();
}

void contend_print_end(size_t points)
{
    printf("contend {\"kind\":\"end\",\"points\":%zu}", points);
    end_line();
}
