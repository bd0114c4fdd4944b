/* An experiment of bench/ under settings of the MPI library that are forced one after another.
 *
 * Idea: what an environment variable sets at the start of a program, MPI_T sets while it runs. Some
 * libraries read such variables when a communicator is made (Open MPI), others at the call (MPICH):
 * so each setting has a communicator of its own, made while its variables are set, and these are
 * set anew for its points. All settings are timed in one launch, one after the other at
 * each size.
 * Restrictions: of a library that reads them at the call, also untimed calls between repetitions
 * are under them; in Open MPI these have communicators of their own.
 *
 *   forced FILE --sizes 64,1024 ...     settings.c says what is in the file
 *   forced --look NAME ...              one process, without MPI_Init: what variables are now
 *   forced --library                    likewise: what the library says of itself
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "experiment.h"
#include "require.h"
#include "settings.h"

#define EXIT_ARGUMENTS 2

/* Every experiment is compiled into this program under a name of its own: EXPERIMENTS is
 * EXPERIMENT(alltoall_native) EXPERIMENT(bcast) ..., from the Makefile. */
#define EXPERIMENT(name) extern const struct contend_experiment contend_experiment_##name;
EXPERIMENTS
#undef EXPERIMENT

static const struct {
    const char *name;
    const struct contend_experiment *experiment;
} experiments[] = {
#define EXPERIMENT(name) {#name, &contend_experiment_##name},
    EXPERIMENTS
#undef EXPERIMENT
};

/* The state of a point. */
struct under {
    struct contend_point timed;
    bool was_called;
};

/* What all points share. */
struct forcing {
    const struct contend_experiment *timed;
    struct contend_settings settings;
    MPI_Comm *comms; /* [settings.count], MPI_COMM_NULL until they are used */
};

static void force(const struct forcing *forcing, int setting, bool is_first)
{
    const struct contend_setting *one = forcing->settings.settings + setting;
    for (size_t i = 0; i < one->count; i++)
        if (one->controls[i].is_first == is_first && !contend_set_control(one->controls + i))
            contend_abort(1, "%s: the library does not take %lld for %s",
                          forcing->settings.names[setting], one->controls[i].value,
                          one->controls[i].name);
}

static void release(const struct forcing *forcing, int setting, bool is_all)
{
    const struct contend_setting *one = forcing->settings.settings + setting;
    for (size_t i = 0; i < one->count; i++)
        if ((is_all || one->controls[i].is_first) && !contend_restore_control(one->controls + i))
            contend_abort(1, "the library does not take back %lld for %s", one->controls[i].before,
                          one->controls[i].name);
}

static struct contend_point *timed_point(const struct contend_point *point)
{
    struct under *under = point->state;
    return &under->timed;
}

static bool begin_tools(void)
{
    int provided;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
}

static int end_tools(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    return MPI_T_finalize();
}

/* MPI_T, from now until MPI_Finalize, which first deletes what is attached to MPI_COMM_SELF: Open
 * MPI dies of an MPI_T that outlives MPI. */
static void use_tools(void)
{
    static bool are_used = false;
    int key;
    if (are_used)
        return;
    are_used = true;
    if (!begin_tools())
        contend_abort(1, "this MPI library does not start MPI_T");
    REQUIRE_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_tools, &key, NULL));
    REQUIRE_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    REQUIRE_MPI(MPI_Comm_free_keyval(&key));
}

static void setup(struct contend_point *point)
{
    const struct forcing *forcing = point->context;
    use_tools();
    MPI_Comm *comm = forcing->comms + point->algorithm;
    struct under *under = contend_allocate(sizeof *under, "point");
    force(forcing, point->algorithm, false);
    if (*comm == MPI_COMM_NULL) /* inherits the error handler */
        REQUIRE_MPI(MPI_Comm_dup(point->comm, comm));
    force(forcing, point->algorithm, true);
    *under = (struct under){.timed = *point};
    under->timed.comm = *comm;
    under->timed.algorithm = 0;
    under->timed.context = forcing->timed->context;
    forcing->timed->setup(&under->timed);
    point->state = under;
}

static double run(struct contend_point *point)
{
    const struct forcing *forcing = point->context;
    struct under *under = point->state;
    const double value = forcing->timed->run(&under->timed);
    if (!under->was_called)
        release(forcing, point->algorithm, false);
    under->was_called = true;
    return value;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct forcing *forcing = point->context;
    return forcing->timed->check(timed_point(point), detail, size);
}

static void refill(struct contend_point *point)
{
    const struct forcing *forcing = point->context;
    forcing->timed->refill(timed_point(point));
}

static void teardown(struct contend_point *point)
{
    const struct forcing *forcing = point->context;
    forcing->timed->teardown(timed_point(point));
    release(forcing, point->algorithm, true);
    free(point->state);
}

static int look(int count, char **names)
{
    if (!begin_tools()) {
        fputs("contend: forced: MPI_T does not start; a variable may have a value that the library "
              "does not know\n",
              stderr);
        return EXIT_FAILURE;
    }
    static const char *const states[] = {"unknown", "no number", "fixed", "writable"};
    for (int i = 0; i < count; i++) {
        long long value = 0;
        const enum contend_control_state state = contend_look_at_control(names[i], &value);
        printf("%s\t%s\t%lld\n", names[i], states[state], value);
    }
    MPI_T_finalize();
    return EXIT_SUCCESS;
}

static int tell_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    REQUIRE_MPI(MPI_Get_library_version(text, &length));
    puts(text);
    return EXIT_SUCCESS;
}

static bool find_experiment(struct forcing *forcing, char *error, size_t size)
{
    const char *name = forcing->settings.experiment;
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
        if (strcmp(name, experiments[i].name) == 0)
            forcing->timed = experiments[i].experiment;
    if (forcing->timed == NULL || forcing->timed->algorithms[1] != NULL)
        snprintf(error, size, "%s is no experiment of one algorithm", name);
    return forcing->timed != NULL && forcing->timed->algorithms[1] == NULL;
}

static int drive(struct forcing *forcing, int argc, char **argv)
{
    const size_t count = forcing->settings.count;
    forcing->comms = contend_allocate(count * sizeof *forcing->comms, "communicators");
    for (size_t i = 0; i < count; i++)
        forcing->comms[i] = MPI_COMM_NULL;
    const struct contend_experiment experiment = {
        .name = forcing->timed->name,
        .algorithms = (const char *const *)forcing->settings.names,
        .processes_min = forcing->timed->processes_min,
        .processes_max = forcing->timed->processes_max,
        .setup = setup,
        .run = run,
        .check = check,
        .teardown = teardown,
        .refill = forcing->timed->refill != NULL ? refill : NULL,
        .context = forcing,
    };
    const int code = contend_drive(&experiment, argc, argv);
    free(forcing->comms); /* MPI_Finalize has freed what they are */
    return code;
}

int main(int argc, char **argv)
{
    struct forcing forcing = {0};
    char error[512] = "give a file of settings, or --look and names of control variables";
    int code = EXIT_ARGUMENTS;
    if (argc > 2 && strcmp(argv[1], "--look") == 0)
        code = look(argc - 2, argv + 2);
    else if (argc == 2 && strcmp(argv[1], "--library") == 0)
        code = tell_library();
    else if (argc > 1 && contend_read_settings(argv[1], &forcing.settings, error, sizeof error) &&
             find_experiment(&forcing, error, sizeof error))
        code = drive(&forcing, argc - 1, argv + 1);
    else
        fprintf(stderr, "contend: forced: %s\n", error);
    contend_free_settings(&forcing.settings);
    return code;
}
