/* What all ranks of MPI_COMM_WORLD have told each other when MPI_Init ended.
 *
 * Ranks that first met in an exchange would make it longer by a dozen round trips, which a program
 * of few exchanges over a slow link does not win back. So they meet before: they compare what they
 * have read, tell each other where they are, and where a link between them is slow, make a common
 * clock and connect. For a communicator that is made later, seats are then looked up.
 *
 * Where $CONTEND_EXCHANGE_MEET is 0, nothing of this is done, and the ranks of each communicator
 * meet at its first exchange: for jobs in which some ranks are without this library. What is in
 * the world is the same at all ranks, also where one of them lacks memory or MPI failed there. */
#include "world.h"

#include <math.h>
#include <string.h>

#include "../communicators.h"
#include "../modes.h"
#include "choose/check.h"
#include "ledger.h"
#include "transport/addition.h"
#include "transport/meeting.h"

enum { AT_ONCE = 128, MOST_CONNECTED = 256 };

static struct contend_world world;
static bool is_there;

/* From when the last rank has come to when the last one is through. Whether all ranks had a clock
 * for that, and MPI did not fail. */
static bool time_asking(struct contend_state *state, bool has_clock)
{
    enum { BEGIN, END, AGAINST, NUMBERS };
    struct contend_addition all = {.sum = {0}};
    const double begin = contend_seconds();
    const int code = contend_add_up(state, &all);
    double own[NUMBERS] = {begin + state->offset_s, contend_seconds() + state->offset_s,
                           !has_clock || code != MPI_SUCCESS};
    contend_find_greatest(state, NUMBERS, own);
    state->asking_s = own[END] - own[BEGIN];
    return own[AGAINST] <= 0;
}

/* Over a slow link; on one switch a size that is worth a check pays for it by itself. All ranks go
 * on to the next step alike. */
static bool meet(struct contend_state *state)
{
    const bool is_small = state->processes <= MOST_CONNECTED;
    world.is_connected =
        is_small && contend_all_agree(state, contend_connect(state) == MPI_SUCCESS);
    if (is_small && !world.is_connected)
        return false;
    const bool has_clock = contend_synchronise(state) == MPI_SUCCESS;
    world.offset_s = state->offset_s;
    return time_asking(state, has_clock);
}

/* The times that all ranks are to have alike: what took the last one to come, which waited for
 * nobody, and so the least. Where they cannot be had, nothing is ever asked. */
static void keep_times(struct contend_state *state, bool is_met, double meeting_s)
{
    enum { AGREEMENT, ASKING, MEETING, MET, UNMET, TIMES };
    double all[TIMES] = {-state->agreement_s, -state->asking_s, -meeting_s,
                         contend_seconds() + state->offset_s, !is_met};
    contend_find_greatest(state, TIMES, all);
    if (!contend_all_agree(state, !isinf(all[UNMET]))) {
        state->is_native = true;
        state->why = "the ranks could not agree on times";
        return;
    }
    is_met = all[UNMET] <= 0;
    world.agreement_s = -all[AGREEMENT];
    world.asking_s = -all[ASKING];
    world.meeting_s = is_met ? -all[MEETING] : -8 * all[AGREEMENT]; /* until it was seen */
    world.met_s = is_met ? all[MET] : 0;
}

void contend_begin_world(void)
{
    world = (struct contend_world){0};
    if (!contend_read_plan()->is_met)
        return;
    struct contend_state *state = contend_state_of(MPI_COMM_WORLD);
    is_there = true;
    world.why = "a rank has no memory";
    if (state == NULL)
        return;
    world.seats = state->seats;
    world.why = state->seats == NULL ? state->why : NULL;
    state->seats = NULL;
    if (state->is_native || state->check == NULL)
        return;
    const double begin = contend_seconds();
    const bool is_met = state->level != CONTEND_NODE && meet(state);
    keep_times(state, is_met, contend_seconds() - begin);
    contend_take_over_meeting(state);
}

void contend_end_world(void)
{
    contend_release(world.seats);
    world.seats = NULL;
    is_there = false;
}

const struct contend_world *contend_world(void) { return is_there ? &world : NULL; }

/* The seats of the next ranks of a communicator, AT_ONCE at most; how many, 0 where MPI fails. */
static int look_up(MPI_Comm comm, int processes, int first, struct contend_seat *seats)
{
    int ranks[AT_ONCE];
    const int count = processes - first < AT_ONCE ? processes - first : AT_ONCE;
    if (!contend_world_ranks(comm, first, count, ranks))
        return 0;
    for (int i = 0; i < count; i++)
        seats[i] = world.seats[ranks[i]];
    return count;
}

bool contend_seats_of(MPI_Comm comm, int processes, struct contend_seat *seats)
{
    for (int first = 0, count = 0; first < processes; first += count) {
        count = look_up(comm, processes, first, seats + first);
        if (count == 0)
            return false;
    }
    return true;
}

bool contend_is_one_group(MPI_Comm comm, int processes)
{
    struct contend_seat seats[AT_ONCE], first;
    for (int at = 0, count = 0; at < processes; at += count) {
        count = look_up(comm, processes, at, seats);
        if (count == 0)
            return false;
        if (at == 0)
            first = seats[0];
        for (int i = 0; i < count; i++)
            if (memcmp(&seats[i], &first, sizeof first) != 0)
                return false;
    }
    return true;
}
