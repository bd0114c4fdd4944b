/* What an experiment is: the one thing that a file in bench/ defines. The driver does the rest. */
#ifndef CONTEND_EXPERIMENT_H
#define CONTEND_EXPERIMENT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* One size with one algorithm. */
struct contend_point {
    MPI_Comm comm; /* set by the driver, as is all that follows */
    int rank;
    int n;                  /* processes in comm */
    size_t m;               /* bytes, at most INT_MAX */
    int algorithm;          /* index in contend_experiment.algorithms */
    double max_seconds;     /* time the whole point may take */
    bool is_oversubscribed; /* some machine has more ranks than cores */
    const void *context;    /* of the experiment */
    void *state;            /* set by setup, freed by teardown */
};

struct contend_experiment {
    const char *name;
    const char *const *algorithms; /* ends with NULL */
    int processes_min;
    int processes_max; /* 0: no limit */
    /* true: a repetition's value is what run returns on rank 0.
     * false: it is the time until the last rank has returned from run. */
    bool is_local;
    /* Allocates, fills the send buffers with the pattern and poisons the receive buffers. */
    void (*setup)(struct contend_point *point);
    /* One repetition. Called once before check, and then many times. */
    double (*run)(struct contend_point *point);
    /* True if this rank received what it should; else says what is wrong. */
    bool (*check)(struct contend_point *point, char *detail, size_t size);
    void (*teardown)(struct contend_point *point);
    /* Optional (NULL): fills and poisons anew after the first check; there is then a second one of
     * what the timed repetitions have left. */
    void (*refill)(struct contend_point *point);
    /* Optional (NULL): finds what run needs to know, by untimed repetitions after check. */
    void (*calibrate)(struct contend_point *point);
    /* Optional (NULL): what calibrate chose, as a JSON object; called on rank 0. */
    void (*parameters)(const struct contend_point *point, char *json, size_t size);
    /* Optional (NULL, both): parts of a repetition, such as messages, whose ends are told apart. So
     * many there are on all ranks; after run, the instants (contend_now) of those that ended here,
     * and 0 for the others. */
    size_t (*n_parts)(const struct contend_point *point);
    const double *(*part_ends)(const struct contend_point *point);
    const void *context; /* Optional (NULL): what setup needs to know. */
};

/* Defined by the file in bench/; main.c runs it. */
extern const struct contend_experiment contend_experiment;

#endif
