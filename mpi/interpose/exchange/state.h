/* What the library keeps on a communicator, as an attribute that is freed with it. */
#ifndef CONTEND_STATE_H
#define CONTEND_STATE_H

#include "choose/plan.h"

struct contend_check;

/* How the choices of one algorithm at one level go; shared by all choices of both. */
struct contend_way {
    struct contend_itinerary *itinerary; /* NULL before its first use */
    bool is_planned;                     /* and NULL still: a rank could not make its own */
    bool is_placed;                      /* for the varying counts of this call */
};

struct contend_state {
    MPI_Comm owner, comm; /* comm: private, of the same ranks */
    int rank, processes;
    bool is_native;              /* all ranks have agreed that every call is the library's own */
    const char *why;             /* is_native: the reason */
    bool is_noted;               /* the calls are explained or summed up */
    struct contend_check *check; /* NULL: the plan is obeyed as it is */
    double offset_s;             /* the ranks' common clock, later than that of this one */
    double agreement_s;          /* of one agreement of the ranks, as this one saw it */
    double asking_s;             /* of asking for a size, likewise */
    struct contend_seat *seats;  /* [processes]; NULL where they are known from elsewhere */
    const struct contend_plan *plan;
    struct contend_partition partitions[CONTEND_MAX_LEVELS + 1];
    int level;                            /* whose choices count here */
    struct contend_way *ways;             /* [choices] */
    MPI_Request *requests;                /* [4 processes] */
    int *far_peers;                       /* [processes] */
    char *scratch;                        /* of equal blocks: as large at all ranks */
    int64_t scratch_bytes, refused_bytes; /* refused: a rank could not have so much */
    char *varying;                        /* scratch of this rank for counts that vary */
    int64_t varying_bytes;
    bool is_broken;                     /* a message failed: memory stays for what is under way */
    struct contend_state *next, **link; /* of all that live */
};

/* The state of a communicator; made by all its ranks together at their first call. NULL where no
 * call may be ours: an intercommunicator, one rank, or it or MPI is about to end. */
struct contend_state *contend_state_of(MPI_Comm comm);

/* The one for its exchanges, MPI_COMM_NULL where there is none. */
MPI_Comm contend_private_of(MPI_Comm comm);

/* That a communicator is being copied, perhaps for long: communicators without a state get none. */
void contend_note_copy(void);
bool contend_has_copied(void);

/* Says on standard error, once per process and by the first rank, why calls are not served, and
 * `which` of them. */
void contend_tell_once(const struct contend_state *state, const char *why, const char *which);

/* Frees all states, when MPI is about to end; then no call is ours. */
void contend_end_states(void);

#endif
