/* What the library keeps on a communicator, as an attribute that is freed with it.
 *
 * The first call on a communicator is where its ranks agree: they make the private one, compare
 * what they have read and tell each other where they are. A rank that lacks memory or a plan says
 * so there, and then all of them leave every call to MPI. What still lives when MPI ends is freed
 * by MPI_Finalize, or where another one is called, by an attribute of MPI_COMM_SELF, which is
 * deleted before anything else. */
#include "state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../communicators.h"
#include "choose/candidates.h"
#include "choose/check.h"
#include "endings.h"
#include "ledger.h"
#include "report/explain.h"
#include "report/summary.h"
#include "transport/agree.h"
#include "transport/call.h"
#include "world.h"

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static atomic_int keyval = MPI_KEYVAL_INVALID; /* set last, when all is there that it needs */
static int last_keyval = MPI_KEYVAL_INVALID;
static atomic_bool is_over, is_told, has_copied;
static struct contend_state *all;
static struct contend_state without_memory = {
    .comm = MPI_COMM_NULL, .is_native = true, .why = "there is no memory"};

static void free_content(struct contend_state *state)
{
    for (int i = 0; state->ways != NULL && i < state->plan->choice_count; i++)
        contend_free_itinerary(state->ways[i].itinerary);
    contend_release(state->ways);
    contend_explain_undecided(state);
    contend_free_check(state->check);
    contend_free_partitions(state->partitions);
    contend_release(state->requests);
    contend_release(state->far_peers);
    contend_release(state->scratch);
    contend_release(state->varying);
    contend_release(state->seats);
    contend_free_private(&state->comm);
}

static int delete_state(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    struct contend_state *state = value;
    if (state == &without_memory)
        return MPI_SUCCESS;
    pthread_mutex_lock(&keeping);
    *state->link = state->next;
    if (state->next != NULL)
        state->next->link = state->link;
    pthread_mutex_unlock(&keeping);
    if (!state->is_broken) {
        free_content(state);
        contend_release(state);
    }
    return MPI_SUCCESS;
}

/* Deletes the attribute of MPI_COMM_SELF, while all else still works. */
static int end_all(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    is_over = true;
    while (all != NULL && /* each takes itself off the list */
           PMPI_Comm_delete_attr(all->owner, keyval) == MPI_SUCCESS)
        continue;
    contend_sum_up();
    contend_end_world();
    int key_of_states = keyval;
    PMPI_Comm_free_keyval(&key_of_states);
    PMPI_Comm_free_keyval(&last_keyval);
    contend_forget_plan();
    return MPI_SUCCESS;
}

void contend_end_states(void)
{
    if (!atomic_exchange(&is_over, true)) {
        if (keyval != MPI_KEYVAL_INVALID)
            PMPI_Comm_delete_attr(MPI_COMM_SELF, last_keyval);
        else if (contend_has_unserved())
            contend_sum_up();
    }
    contend_forget_plan(); /* which trials read where nobody has a state */
}

/* Once per process; the lock is held. */
static bool make_keyvals(void)
{
    if (keyval != MPI_KEYVAL_INVALID)
        return true;
    int made = MPI_KEYVAL_INVALID;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_all, &last_keyval, NULL) !=
            MPI_SUCCESS ||
        PMPI_Comm_set_attr(MPI_COMM_SELF, last_keyval, NULL) != MPI_SUCCESS ||
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_state, &made, NULL) != MPI_SUCCESS)
        return false;
    keyval = made;
    return true;
}

static bool allocate(struct contend_state *state)
{
    const size_t processes = (size_t)state->processes;
    const size_t choices = (size_t)state->plan->choice_count;
    state->requests = contend_take(4 * processes * sizeof(MPI_Request));
    state->far_peers = contend_take(processes * sizeof(int));
    state->ways = contend_take(choices * sizeof *state->ways);
    if (state->ways != NULL)
        memset(state->ways, 0, choices * sizeof *state->ways);
    state->seats = contend_take(processes * sizeof *state->seats);
    state->check = state->plan->is_checked ? contend_make_check() : NULL;
    return state->requests != NULL && state->seats != NULL && state->far_peers != NULL &&
           state->ways != NULL && (state->check != NULL) == state->plan->is_checked;
}

void contend_tell_once(const struct contend_state *state, const char *why, const char *which)
{
    if (why[0] != '\0' && state->rank == 0 && !atomic_exchange(&is_told, true))
        fprintf(stderr, "contend: %s; %s the MPI library's own\n", why, which);
}

static void tell(const struct contend_state *state, const char *why)
{
    contend_tell_once(state, why, "every all-to-all is");
}

/* Whether every host is in one group of every level, as `contend list groups` demands too. */
static bool has_groups(const struct contend_state *state, const struct contend_seat *seats)
{
    for (int level = 0; level < state->plan->level_count; level++)
        for (int rank = 0; rank < state->processes; rank++) {
            if (seats[rank].group[level] >= 0)
                continue;
            char why[256];
            snprintf(why, sizeof why, "the host of a rank is in %s of level '%s'; %s",
                     seats[rank].group[level] == CONTEND_NOWHERE ? "no group" : "two groups",
                     state->plan->levels[level].name,
                     "mend the groups' file, 'contend list groups' helps");
            tell(state, why);
            return false;
        }
    return true;
}

/* Hosts that share a slow link are a matter of the groups, of which a job of contend alltoall run
 * without a plan has none but the nodes. */
static void tell_of_no_link(const struct contend_state *state)
{
    static atomic_bool is_said;
    int processes = 0;
    const int hosts = state->partitions[CONTEND_NODE].groups;
    if (state->plan->is_run && !state->plan->is_forced && !state->plan->is_site && hosts > 1 &&
        state->rank == 0 && PMPI_Comm_size(MPI_COMM_WORLD, &processes) == MPI_SUCCESS &&
        processes == state->processes && !atomic_exchange(&is_said, true))
        fprintf(stderr,
                "contend: no slow link between the %d hosts is known, so only ranks of one node "
                "count as near each other; to find such links: contend measure hosts, then contend "
                "alltoall run --groups FILE\n",
                hosts);
}

/* Where the ranks are, as they tell each other, or have told before. */
static bool find_seats(struct contend_state *state)
{
    if (contend_world() != NULL)
        return contend_seats_of(state->owner, state->processes, state->seats);
    const struct contend_seat own = contend_find_seat(state->plan);
    const int bytes = (int)sizeof own;
    return PMPI_Allgather(&own, bytes, MPI_BYTE, state->seats, bytes, MPI_BYTE, state->owner) ==
           MPI_SUCCESS;
}

/* The same at all ranks: nothing is kept of the seats where one of them failed. */
static bool find_groups(struct contend_state *state, bool is_copied)
{
    const bool has_seats = find_seats(state);
    const bool is_grouped =
        has_seats && has_groups(state, state->seats) &&
        contend_partition_all(state->plan, state->seats, state->processes, state->partitions);
    const double begin = contend_seconds();
    if (!contend_agree(state->owner, has_seats, (uint64_t)is_grouped << 1 | is_copied)) {
        contend_release(state->seats);
        state->seats = NULL;
        return false;
    }
    state->agreement_s = state->asking_s = contend_seconds() - begin;
    return is_grouped;
}

/* Whether there are groups for an algorithm. What is forced was asked for by somebody, who is told
 * where it cannot be; of communicators with a part of the ranks nobody knows that they were meant.
 */
static bool has_use(struct contend_state *state)
{
    const struct contend_algorithm *algorithm = state->plan->choices[0].algorithm;
    const bool is_forced = state->plan->is_forced && algorithm != &contend_native;
    const bool is_divided = state->level >= 0;
    if (is_divided && (!is_forced || algorithm->suits(contend_groups_of(state, algorithm))))
        return true;
    state->why = is_divided ? "the groups do not suit the algorithm that is forced" : "one group";
    int processes = 0;
    if (is_forced && PMPI_Comm_size(MPI_COMM_WORLD, &processes) == MPI_SUCCESS &&
        processes == state->processes) {
        char why[128];
        snprintf(why, sizeof why,
                 is_divided ? "groups of these sizes do not suit '%s'"
                            : "all ranks are in one group, not as '%s' needs",
                 algorithm->name);
        tell(state, why);
    }
    return false;
}

/* Whether something is there that could serve a call; with a host for each rank and no slow link
 * there is nothing. */
static bool has_candidates(struct contend_state *state)
{
    if (!has_use(state))
        return false;
    for (int i = 0; i < state->plan->choice_count; i++)
        if (contend_may_serve(state, &state->plan->choices[i]))
            return true;
    state->why = "no algorithm suits the groups";
    return false;
}

/* Why every call is the library's own, as all ranks know without a message; NULL: they have to
 * agree. */
static const char *why_native(MPI_Comm comm, int processes)
{
    const struct contend_world *world = contend_world();
    if (world == NULL || world->why != NULL)
        return world == NULL ? NULL : world->why;
    return contend_is_one_group(comm, processes) ? "one group" : NULL;
}

/* Every rank takes the same way through this: what may differ between them is agreed first. */
static bool is_agreed(struct contend_state *state)
{
    state->why = why_native(state->owner, state->processes);
    if (state->why != NULL)
        return false;
    const bool is_mine = state->plan->error[0] == '\0' && allocate(state) &&
                         contend_has_room_for_private() && contend_packs_plainly(state->owner);
    state->why = "the plan is refused, the ranks have different ones, or there is no memory for it";
    if (!contend_agree_first(state->owner, is_mine, state->plan->digest, state->plan->patience)) {
        tell(state, state->plan->error[0] != '\0' || !is_mine
                        ? state->plan->error
                        : "the ranks have not read the same plan, or one lacks memory for it");
        return false;
    }
    contend_meet(state);
    state->why = "the plan has no choices";
    if (state->plan->choice_count == 0)
        return false;
    state->why = "a host is in no group, or there is no memory for the groups";
    const bool is_copied = has_copied;
    if (!find_groups(state, is_copied))
        return false;
    state->level = contend_find_level(state);
    tell_of_no_link(state);
    if (!has_candidates(state))
        return false;
    state->why = "MPI_Comm_idup was called before, and a copy may be under way";
    if (is_copied)
        return false;
    state->why = "there is no communicator for it";
    return contend_agree(state->owner, contend_make_private(state->owner, &state->comm), 0);
}

static void link_to_all(struct contend_state *state)
{
    state->next = all;
    state->link = &all;
    if (all != NULL)
        all->link = &state->next;
    all = state;
}

/* Attaches it, or where there is no memory, the one of all such communicators. */
static struct contend_state *attach(MPI_Comm comm)
{
    struct contend_state *state = contend_take(sizeof *state);
    pthread_mutex_lock(&keeping);
    const bool is_kept = make_keyvals();
    if (state != NULL && is_kept) {
        *state = (struct contend_state){
            .owner = comm, .comm = MPI_COMM_NULL, .refused_bytes = INT64_MAX};
        link_to_all(state);
    }
    pthread_mutex_unlock(&keeping);
    if (!is_kept) {
        contend_release(state);
        return NULL;
    }
    PMPI_Comm_set_attr(comm, keyval, state != NULL ? state : &without_memory);
    return state;
}

static struct contend_state *make_state(MPI_Comm comm)
{
    const bool is_of_world = contend_is_of_world(comm);
    struct contend_state *state = attach(comm);
    if (state == NULL) {
        int processes = 0;
        PMPI_Comm_size(comm, &processes);
        if (is_of_world && why_native(comm, processes) == NULL)
            contend_agree_first(comm, false, 0, contend_read_plan()->patience);
        return NULL;
    }
    PMPI_Comm_rank(comm, &state->rank);
    PMPI_Comm_size(comm, &state->processes);
    state->plan = contend_read_plan();
    state->is_noted = state->plan->explain[0] != '\0' || state->plan->summary[0] != '\0';
    state->why = "some of its ranks are of another MPI_COMM_WORLD";
    state->is_native = !is_of_world || !is_agreed(state);
    if (contend_world() != NULL) { /* which has them all */
        contend_release(state->seats);
        state->seats = NULL;
    }
    if (state->is_native) {
        contend_free_private(&state->comm);
        contend_free_check(state->check);
        state->check = NULL;
    } else if (state->check != NULL) {
        contend_take_over_meeting(state);
    }
    return state;
}

/* Whether it has a state, NULL where there was no memory for one. */
static bool has_state(MPI_Comm comm, struct contend_state **state)
{
    void *value = NULL;
    int is_there = 0;
    const bool is_found =
        keyval != MPI_KEYVAL_INVALID &&
        (PMPI_Comm_get_attr(comm, keyval, &value, &is_there) != MPI_SUCCESS || is_there);
    *state = value;
    return is_found;
}

/* Whether there may be a state. */
static bool is_ours(MPI_Comm comm)
{
    int is_between = 1, processes = 1, has_begun = 0;
    if (PMPI_Initialized(&has_begun) != MPI_SUCCESS || !has_begun) /* sessions alone: no self */
        return false;
    return PMPI_Comm_test_inter(comm, &is_between) == MPI_SUCCESS && !is_between &&
           PMPI_Comm_size(comm, &processes) == MPI_SUCCESS && processes > 1;
}

MPI_Comm contend_private_of(MPI_Comm comm)
{
    struct contend_state *state = NULL;
    const bool is_there = !is_over && comm != MPI_COMM_NULL && has_state(comm, &state);
    return is_there && state != NULL ? state->comm : MPI_COMM_NULL;
}

/* While a copy is under way, Open MPI lets the ranks of no communicator make another one, which is
 * how they meet for their first exchange; and when it is over, nobody but its owner knows. */
void contend_note_copy(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS ||
        strncmp(version, "Open MPI", 8) == 0)
        has_copied = true;
}

bool contend_has_copied(void) { return has_copied; }

struct contend_state *contend_state_of(MPI_Comm comm)
{
    struct contend_state *state = NULL;
    if (is_over || comm == MPI_COMM_NULL || contend_is_ending(comm))
        return NULL;
    if (has_state(comm, &state))
        return state;
    return is_ours(comm) ? make_state(comm) : NULL;
}
