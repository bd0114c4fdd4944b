/* One call, served by the portfolio where all ranks agree to.
 *
 * MPI_Alltoall: a block has the same bytes at all ranks, as MPI demands, so every rank chooses
 * alike from its own arguments. Scratch grows in steps that all ranks know; each step is agreed
 * once.
 *
 * MPI_Alltoallv, MPI_Alltoallw: a rank knows its own counts only, so nothing is decided by them
 * alone. Where the plan leaves one choice, unchecked, and that needs no scratch, it runs. Otherwise
 * members of a group tell each other the sizes of what they carry, which stays inside the group;
 * then the bytes and the doubts of all ranks are added up: any doubt makes the call native, else
 * the mean block chooses. Ranks may not expect other bytes than come, but MPI libraries serve those
 * that expect more: then more are expected than sent in all, which is a doubt as well.
 *
 * Who chooses is contend_pick: the plan, or the check, which times the first calls of a size. */
#include "exchange.h"

#include <math.h>
#include <string.h>

#include "choose/candidates.h"
#include "choose/check.h"
#include "choose/round.h"
#include "choose/unasked.h"
#include "ledger.h"
#include "schedule/parcels.h"
#include "schedule/spacing.h"
#include "transport/addition.h"
#include "transport/counts.h"
#include "transport/direct.h"

#define USUAL_CHUNK 16384 /* bytes, that of the catalogue */

enum { AT_ONCE = 4 }; /* ways that are agreed on */

/* The level whose links the messages cross. */
static const struct contend_level *level_of(const struct contend_state *state,
                                            const struct contend_choice *choice)
{
    return &state->plan->levels[choice->algorithm->is_on_nodes ? CONTEND_NODE : state->level];
}

static struct contend_task make_task(struct contend_state *state, const struct contend_call *call,
                                     const struct contend_volume *volume,
                                     const struct contend_choice *choice)
{
    const struct contend_partition *groups = contend_groups_of(state, choice->algorithm);
    const struct contend_level *link = level_of(state, choice);
    const bool is_spaced = choice->algorithm->is_spaced && link->bandwidth > 0;
    return (struct contend_task){.call = call,
                                 .groups = groups,
                                 .settings = choice->settings,
                                 .in_flight = 2 * link->latency_s * link->bandwidth + link->buffer,
                                 .spaced_by = is_spaced ? link : NULL,
                                 .volume = volume,
                                 .comm = state->comm,
                                 .rank = state->rank,
                                 .processes = state->processes,
                                 .requests = state->requests,
                                 .far_peers = state->far_peers};
}

/* Bytes in which messages are cut. */
static int64_t segment_of(const struct contend_state *state, const struct contend_choice *choice)
{
    if (!choice->algorithm->is_cut)
        return INT64_MAX;
    if (choice->settings.chunk > 0)
        return choice->settings.chunk;
    if (!choice->algorithm->is_spaced)
        return USUAL_CHUNK;
    return contend_spaced_bytes(level_of(state, choice),
                                contend_groups_of(state, choice->algorithm));
}

static bool has_same_way(const struct contend_state *state, const struct contend_choice *one,
                         const struct contend_choice *other)
{
    return one->algorithm->route == other->algorithm->route &&
           one->algorithm->is_on_nodes == other->algorithm->is_on_nodes &&
           one->settings.leaders == other->settings.leaders &&
           segment_of(state, one) == segment_of(state, other);
}

/* The first choice of the same route at the same groups keeps the way of all. */
static struct contend_way *way_of(const struct contend_state *state,
                                  const struct contend_choice *choice)
{
    int first = 0;
    while (!has_same_way(state, &state->plan->choices[first], choice))
        first++;
    return &state->ways[first];
}

static void plan_way(struct contend_state *state, const struct contend_choice *choice)
{
    struct contend_way *way = way_of(state, choice);
    way->is_planned = true;
    way->itinerary = contend_plan_itinerary(contend_groups_of(state, choice->algorithm),
                                            choice->algorithm->route, choice->settings.leaders,
                                            segment_of(state, choice), state->rank);
}

/* Of which the greatest of all ranks counts. */
static void tell_blocks(struct contend_way *const *ways, int count, double *most)
{
    for (int i = 0; i < count; i++)
        most[i] = ways[i]->itinerary == NULL ? HUGE_VAL : (double)ways[i]->itinerary->most_blocks;
}

/* None has a way that a rank could not make. */
static void keep_planned(struct contend_way *const *ways, int count, const double *most)
{
    for (int i = 0; i < count; i++) {
        if (!isinf(most[i])) {
            ways[i]->itinerary->most_blocks = (int64_t)most[i];
        } else {
            contend_free_itinerary(ways[i]->itinerary);
            ways[i]->itinerary = NULL;
        }
    }
}

static void agree_on(struct contend_state *state, struct contend_way *const *ways, int count)
{
    double most[AT_ONCE];
    tell_blocks(ways, count, most);
    contend_find_greatest(state, count, most);
    keep_planned(ways, count, most);
}

/* NULL where a rank could not make its own. Called by all ranks. */
static struct contend_itinerary *itinerary_of(struct contend_state *state,
                                              const struct contend_choice *choice)
{
    struct contend_way *way = way_of(state, choice);
    if (!way->is_planned) {
        plan_way(state, choice);
        agree_on(state, &way, 1);
    }
    return way->itinerary;
}

/* Scratch for equal blocks: `bytes` is the same at all ranks. */
static bool reserve(struct contend_state *state, int64_t bytes)
{
    if (bytes <= state->scratch_bytes)
        return true;
    if (bytes > state->plan->memory || bytes >= state->refused_bytes)
        return false;
    int64_t wanted = 4096; /* a page, then powers of two: few steps to agree on */
    while (wanted < bytes)
        wanted *= 2;
    wanted = wanted < state->plan->memory ? wanted : state->plan->memory;
    contend_release(state->scratch);
    state->scratch = contend_take((size_t)wanted);
    const bool is_had = contend_all_agree(state, state->scratch != NULL);
    state->scratch_bytes = is_had ? wanted : 0;
    if (!is_had) {
        contend_release(state->scratch);
        state->scratch = NULL;
        state->refused_bytes = bytes;
    }
    return is_had;
}

/* What MPI reports of a message goes to the user's error handler. Where it ended the exchange
 * before its end, nothing more is tried here, and what messages may be under way from or to stays;
 * else all ranks can go on alike, though one has an error. */
static int report(struct contend_state *state, int code, bool is_over)
{
    if (code == MPI_SUCCESS)
        return code;
    state->is_broken = state->is_broken || (!is_over && contend_exchange_held("requests") > 0);
    state->is_native = state->is_native || !is_over;
    PMPI_Comm_call_errhandler(state->owner, code);
    return code;
}

static int run(struct contend_state *state, const struct contend_choice *choice,
               struct contend_task *task)
{
    atomic_fetch_add_explicit(choice->algorithm->calls, 1, memory_order_relaxed);
    const int code = choice->algorithm->run(task);
    return report(state, code, task->is_over);
}

/* Makes the task; false where no rank can have the memory for it. */
static bool prepare_equal(struct contend_state *state, const struct contend_call *call,
                          const struct contend_choice *choice, struct contend_task *task)
{
    const int64_t size = contend_side_bytes(&call->received, 0);
    int64_t bytes = contend_in_place_bytes(call);
    *task = make_task(state, call, NULL, choice);
    if (choice->algorithm->route != NULL) {
        task->itinerary = itinerary_of(state, choice);
        if (task->itinerary == NULL || task->itinerary->most_blocks > state->plan->memory / size)
            return false;
        contend_place_equal(task->itinerary, size);
        bytes = task->itinerary->most_blocks * size + contend_whole_bytes(task->itinerary);
    }
    if (!reserve(state, bytes))
        return false;
    task->scratch = state->scratch;
    return true;
}

static bool exchange_equal(struct contend_state *state, const struct contend_call *call,
                           struct contend_turn *turn, int *code)
{
    const int64_t size = contend_side_bytes(&call->received, 0);
    const struct contend_choice *choice = NULL;
    struct contend_task task;
    turn->why = size == 0 ? "no data" : "blocks of more bytes than an int can say";
    if (size > 0 && !call->is_huge) {
        if (state->check != NULL)
            turn->volume = contend_equal_volume(&state->partitions[state->level], size);
        choice = contend_pick(state, size, turn);
    }
    if (choice != NULL && !prepare_equal(state, call, choice, &task)) {
        contend_refuse_candidate(turn);
        if (state->plan->is_forced)
            contend_tell_once(state, "no memory for what is forced, see CONTEND_EXCHANGE_MEMORY",
                              "calls as large as this are");
        choice = NULL;
    }
    contend_turn_begin(turn, state, choice);
    if (choice != NULL)
        *code = run(state, choice, &task);
    return choice != NULL;
}

/* The choice that serves whatever the counts are, NULL where they must be known. */
static const struct contend_choice *only_choice(const struct contend_state *state)
{
    const struct contend_choice *only = contend_choose(state, 0);
    for (int i = 0; i < state->plan->choice_count; i++)
        if (contend_counts_here(state, &state->plan->choices[i]) &&
            contend_choose(state, state->plan->choices[i].from_bytes) != only)
            return NULL;
    return only;
}

/* Whether all choices leave the call to the library. */
static bool is_always_native(const struct contend_state *state)
{
    for (int i = 0; i < state->plan->choice_count; i++)
        if (contend_may_serve(state, &state->plan->choices[i]))
            return false;
    return true;
}

/* Own scratch for the counts of this call. */
static bool reserve_varying(struct contend_state *state, int64_t bytes)
{
    if (bytes <= state->varying_bytes)
        return true;
    if (bytes > state->plan->memory)
        return false;
    contend_release(state->varying);
    state->varying = contend_take((size_t)bytes);
    state->varying_bytes = state->varying == NULL ? 0 : bytes;
    return state->varying != NULL;
}

/* Whether blocks of some size get the choice, and its route is not placed yet. The first call is
 * for those who have nothing to tell each other. */
static bool wants_places(const struct contend_state *state, const struct contend_turn *turn,
                         const struct contend_choice *choice)
{
    return choice->algorithm->route != NULL && !way_of(state, choice)->is_placed &&
           (choice->algorithm->is_straight || !turn->is_survey) &&
           (turn->given != NULL ? choice == turn->given : contend_may_serve(state, choice));
}

/* Plans what is new, without agreement; returns how many. */
static int plan_varying(struct contend_state *state, const struct contend_turn *turn,
                        struct contend_way **planned)
{
    int count = 0;
    for (int i = 0; i < state->plan->choice_count && count < AT_ONCE; i++) {
        const struct contend_choice *choice = &state->plan->choices[i];
        if (!wants_places(state, turn, choice) || way_of(state, choice)->is_planned)
            continue;
        plan_way(state, choice);
        planned[count++] = way_of(state, choice);
    }
    return count;
}

/* Places the blocks of every route that may be chosen; false with a doubt of this rank. */
static bool prepare_varying(struct contend_state *state, const struct contend_call *call,
                            const struct contend_turn *turn, int *code)
{
    int64_t most = contend_in_place_bytes(call);
    bool is_ok = !call->is_huge;
    for (int i = 0; i < state->plan->choice_count; i++)
        state->ways[i].is_placed = false;
    for (int i = 0; i < state->plan->choice_count && *code == MPI_SUCCESS; i++) {
        const struct contend_choice *choice = &state->plan->choices[i];
        if (!wants_places(state, turn, choice))
            continue;
        struct contend_task task = make_task(state, call, NULL, choice);
        task.itinerary = itinerary_of(state, choice);
        way_of(state, choice)->is_placed = true;
        is_ok = is_ok && task.itinerary != NULL;
        if (task.itinerary == NULL)
            continue;
        *code = contend_tell_counts(&task, choice->algorithm->is_straight);
        const int64_t bytes = task.itinerary->bytes + contend_whole_bytes(task.itinerary);
        most = bytes > most ? bytes : most;
    }
    return *code == MPI_SUCCESS && is_ok && reserve_varying(state, most);
}

/* The choice for the mean block, NULL where a rank has a doubt or MPI fails. */
static const struct contend_choice *choose_varying(struct contend_state *state,
                                                   const struct contend_call *call,
                                                   struct contend_turn *turn, int *code)
{
    const int64_t processes = state->processes;
    struct contend_way *planned[AT_ONCE];
    const int new_ways = plan_varying(state, turn, planned);
    if (new_ways > 0 && !turn->is_survey)
        agree_on(state, planned, new_ways);
    if (state->check != NULL)
        turn->before = contend_seconds();
    enum { EXPECTED, DOUBTS, VOLUME };
    _Static_assert((int)VOLUME + (int)CONTEND_VOLUMES <= (int)CONTEND_SUMS &&
                       (int)CONTEND_NUMBERS + (int)AT_ONCE <= (int)CONTEND_MAXIMA,
                   "room for all sums and numbers");
    struct contend_addition all = {.sum = {[DOUBTS] = !prepare_varying(state, call, turn, code)}};
    const struct contend_volume own =
        contend_volume_of(call, &state->partitions[state->level], state->rank);
    memcpy(&all.sum[VOLUME], &own, sizeof own);
    for (int other = 0; other < state->processes; other++)
        all.sum[EXPECTED] += contend_capped_bytes(&call->received, other);
    const double *times = contend_carried(state);
    if (times != NULL)
        memcpy(all.greatest, times, CONTEND_NUMBERS * sizeof *times);
    all.greatest[CONTEND_EVEN] =
        contend_crossing_if_even(&own, &state->partitions[state->level], state->rank);
    if (turn->is_survey)
        tell_blocks(planned, new_ways, &all.greatest[CONTEND_NUMBERS]);
    if (*code == MPI_SUCCESS)
        *code = contend_add_up(state, &all);
    if (*code != MPI_SUCCESS)
        return NULL;
    if (turn->is_survey)
        keep_planned(planned, new_ways, &all.greatest[CONTEND_NUMBERS]);
    if (times != NULL)
        contend_end_carried(state, all.greatest);
    turn->why = state->why;
    if (state->is_native)
        return NULL;
    memcpy(&turn->volume, &all.sum[VOLUME], sizeof turn->volume);
    turn->crossing_if_even = all.greatest[CONTEND_EVEN];
    turn->why = "a rank has no memory for its counts, or more bytes than an int can say";
    if (turn->volume.sent != all.sum[EXPECTED])
        turn->why = "ranks expect other bytes than come";
    if (all.sum[DOUBTS] > 0 || turn->volume.sent != all.sum[EXPECTED]) {
        contend_ask_in_vain(state, turn);
        return NULL;
    }
    return contend_pick(state, turn->volume.sent / (processes * processes), turn);
}

static bool exchange_varying(struct contend_state *state, const struct contend_call *call,
                             struct contend_turn *turn, int *code)
{
    const struct contend_choice *choice = turn->given;
    turn->why = "";
    const bool is_native = is_always_native(state) || contend_leaves_to_trials(state, turn);
    if (choice == NULL && (is_native || contend_rests(state, turn))) {
        if (turn->asked != NULL) /* it may be looked at */
            turn->volume = contend_volume_of(call, &state->partitions[state->level], state->rank);
        contend_turn_begin(turn, state, NULL);
        return false;
    }
    if (choice == NULL)
        choice = state->check == NULL ? only_choice(state) : NULL;
    *code = MPI_SUCCESS;
    const bool is_summed = choice == NULL || choice->algorithm->route != NULL || call->is_in_place;
    if (is_summed)
        choice = choose_varying(state, call, turn, code);
    if (report(state, *code, false) != MPI_SUCCESS)
        return true;
    contend_turn_begin(turn, state, choice);
    if (choice == NULL)
        return false;
    struct contend_task task = make_task(state, call, is_summed ? &turn->volume : NULL, choice);
    task.scratch = state->varying;
    if (choice->algorithm->route != NULL)
        task.itinerary = itinerary_of(state, choice);
    *code = run(state, choice, &task);
    return true;
}

/* What a report wants to know of a call before anybody chooses; the mean of this rank's blocks. */
static void note(struct contend_turn *turn, const struct contend_call *call)
{
    for (int other = 0; other < call->processes; other++)
        turn->bytes += contend_side_bytes(&call->sent, other);
    turn->size = contend_size_class(turn->bytes / call->processes);
}

static struct contend_side side_of(const struct contend_data *data)
{
    const bool is_large = data->width > sizeof(int);
    return (struct contend_side){.buffer = data->buffer,
                                 .count = data->count,
                                 .counts = is_large ? NULL : data->counts,
                                 .displacements = is_large ? NULL : data->places,
                                 .large_counts = is_large ? data->counts : NULL,
                                 .large_displacements = is_large ? data->places : NULL,
                                 .types = data->types,
                                 .type = data->type};
}

/* Whether a call failed at this rank while it was timed: the others, which ask for the next size,
 * learn it there, and all leave the communicator to the library. */
static bool has_to_tell(const struct contend_state *state, const struct contend_collective *call)
{
    return call->operation != CONTEND_ALLTOALL && contend_carried(state) != NULL;
}

static bool is_served(const struct contend_collective *given, struct contend_turn *turn, int *code)
{
    struct contend_state *state = contend_state_of(given->comm);
    if (state == NULL)
        return false;
    contend_go_on_with_check(state);
    const bool is_left = state->is_native && !has_to_tell(state, given);
    if (is_left && !state->is_noted)
        return false;
    struct contend_call call = {.sent = side_of(&given->sent),
                                .received = side_of(&given->received),
                                .is_in_place = given->is_in_place,
                                .is_varying = given->operation != CONTEND_ALLTOALL,
                                .processes = state->processes};
    if (!contend_complete_call(&call))
        return false;
    turn->kind = given->operation == CONTEND_ALLTOALL    ? CONTEND_EQUAL
                 : given->operation == CONTEND_ALLTOALLV ? CONTEND_VARYING
                                                         : CONTEND_TYPED;
    if (state->is_noted)
        note(turn, &call);
    if (is_left) {
        turn->why = state->why;
        contend_turn_begin(turn, state, NULL);
        return false;
    }
    if (contend_has_devices())
        call.sent.is_plain = call.received.is_plain = false;
    return call.is_varying ? exchange_varying(state, &call, turn, code)
                           : exchange_equal(state, &call, turn, code);
}

bool contend_exchange(const struct contend_collective *call, struct contend_turn *turn, int *code)
{
    if (call->operation != CONTEND_ALLTOALL && call->operation != CONTEND_ALLTOALLV &&
        call->operation != CONTEND_ALLTOALLW) {
        contend_count_unserved(call->operation, CONTEND_OF_NEIGHBOURS);
        return false;
    }
    *code = MPI_SUCCESS;
    if (is_served(call, turn, code))
        return true;
    atomic_fetch_add_explicit(contend_native.calls, 1, memory_order_relaxed);
    return false;
}
