/* What may serve blocks of a size, where that is found out by timing it. */
#include "candidates.h"

#include <math.h>

#include "../ledger.h"

/* Over a slow link: the exchange that packs, and one that spares the link's buffer, at its rate
 * where that is known, else two messages at a time, or two pairs. Where nodes are all that is
 * known: the one that packs for every pair of ranks, the one that does so for every pair of nodes,
 * and all messages at once, which the library does not always take where it should. */
static const struct {
    const char *algorithm;
    int window;
    int level; /* -1: any but nodes */
} own[] = {{"lg_balanced", 0, -1},
           {"spaced", 0, -1},
           {"paced", 2, -1},
           {"throttled_pairwise", 2, -1},
           {"lg_balanced", 0, CONTEND_NODE},
           {"node_aware", 0, CONTEND_NODE},
           {"throttled_pairwise", CONTEND_ALL, CONTEND_NODE}};

enum { OWN = sizeof own / sizeof own[0] };

/* Times the buffer of the slow link: what comes over some time fits where it is little more. At 1.7
 * times one call of MPI_Alltoallv in fifty lost a frame, at 2.5 times one in twelve to one in two.
 */
#define SURELY 2.0

static bool is_link_known(const struct contend_plan *plan)
{
    for (int level = 0; level <= CONTEND_NODE; level++)
        if (plan->levels[level].bandwidth > 0)
            return true;
    return false;
}

bool contend_add_own_choices(struct contend_plan *plan)
{
    const bool is_known = is_link_known(plan);
    plan->choices = contend_take(OWN * sizeof *plan->choices);
    if (plan->choices == NULL)
        return false;
    for (int i = 0; i < OWN; i++) {
        const struct contend_algorithm *algorithm = contend_algorithm_named(own[i].algorithm);
        const bool is_paced = own[i].level < 0 && is_known;
        if (algorithm != NULL)
            plan->choices[plan->choice_count++] =
                (struct contend_choice){.level = own[i].level,
                                        .algorithm = algorithm,
                                        .settings = {.window = is_paced ? 0 : own[i].window}};
    }
    plan->is_own = true;
    return true;
}

/* Of those that nobody asked for; each costs trials, so that one process per node has none. */
static bool is_of_use(const struct contend_state *state, const struct contend_choice *choice)
{
    if (state->level == CONTEND_NODE)
        return choice->level == CONTEND_NODE &&
               contend_has_carriers(&state->partitions[CONTEND_NODE]);
    const bool is_rate_known = state->plan->levels[state->level].bandwidth > 0;
    return contend_is_packed(choice->algorithm) || choice->algorithm->is_spaced == is_rate_known;
}

bool contend_is_fit(const struct contend_state *state, const struct contend_choice *choice)
{
    const struct contend_algorithm *algorithm = choice->algorithm;
    if (algorithm == &contend_native || !contend_counts_here(state, choice) ||
        !algorithm->suits(contend_groups_of(state, algorithm)))
        return false;
    return !state->plan->is_own || is_of_use(state, choice);
}

/* The last of those that begin at a size is the one that counts. */
static bool is_shadowed(const struct contend_state *state, int index)
{
    const struct contend_choice *choices = state->plan->choices;
    for (int i = index + 1; i < state->plan->choice_count; i++)
        if (contend_counts_here(state, &choices[i]) &&
            choices[i].from_bytes == choices[index].from_bytes)
            return true;
    return false;
}

/* Where the next choice begins. */
static int64_t end_of(const struct contend_state *state, const struct contend_choice *choice)
{
    int64_t end = INT64_MAX;
    for (int i = 0; i < state->plan->choice_count; i++) {
        const struct contend_choice *other = &state->plan->choices[i];
        if (contend_counts_here(state, other) && other->from_bytes > choice->from_bytes &&
            other->from_bytes < end)
            end = other->from_bytes;
    }
    return end;
}

/* Bytes of a block, at least 1. */
static int64_t mean_of(const struct contend_state *state, const struct contend_volume *volume)
{
    const int64_t mean = volume->sent / ((int64_t)state->processes * state->processes);
    return mean > 0 ? mean : 1;
}

/* How many times the buffer of the slow link a group sends another one at once; 0: not known. */
static double fills(const struct contend_state *state, const struct contend_volume *volume)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    const double buffer = state->plan->levels[state->level].buffer;
    const int64_t crossing = contend_most_crossing(volume, groups);
    if (buffer <= 0 || crossing >= 0)
        return buffer > 0 ? (double)crossing / buffer : 0;
    double blocks = 0;
    for (int i = 1; i < groups->groups; i++)
        blocks =
            fmax(blocks, (double)contend_group_size(groups, i - 1) * contend_group_size(groups, i));
    return blocks * (double)mean_of(state, volume) / buffer;
}

/* How many times larger or smaller the nearest size is that gets the choice; 0: this one. */
static double distance(const struct contend_state *state, int index,
                       const struct contend_volume *volume)
{
    const int64_t bytes = mean_of(state, volume);
    const struct contend_choice *choice = &state->plan->choices[index];
    if (state->plan->is_own) /* the likeliest first */
        return choice->algorithm->is_spaced && fills(state, volume) > 1 ? -1 : index;
    if (is_shadowed(state, index))
        return HUGE_VAL;
    if (bytes < choice->from_bytes)
        return (double)choice->from_bytes / (double)bytes;
    const int64_t end = end_of(state, choice);
    return bytes < end ? 0 : (double)(bytes + 1) / (double)end;
}

bool contend_is_alike(const struct contend_choice *one, const struct contend_choice *other)
{
    return one->algorithm == other->algorithm && one->settings.window == other->settings.window &&
           one->settings.chunk == other->settings.chunk &&
           one->settings.leaders == other->settings.leaders;
}

static bool is_there(const struct contend_contest *contest, const struct contend_choice *choice)
{
    for (int i = 1; i < contest->count; i++)
        if (contend_is_alike(contest->candidate[i].choice, choice))
            return true;
    return false;
}

/* The nearest that the contest has not, NULL where there is none. */
static const struct contend_choice *next_choice(const struct contend_state *state,
                                                const struct contend_volume *volume,
                                                const struct contend_contest *contest)
{
    const struct contend_choice *best = NULL;
    double least = HUGE_VAL;
    for (int i = 0; i < state->plan->choice_count; i++) {
        const struct contend_choice *choice = &state->plan->choices[i];
        if (!contend_is_fit(state, choice) || is_there(contest, choice))
            continue;
        const double far = distance(state, i, volume);
        if (far < least) {
            least = far;
            best = choice;
        }
    }
    return best;
}

void contend_find_candidates(const struct contend_state *state, const struct contend_volume *volume,
                             struct contend_contest *contest)
{
    *contest = (struct contend_contest){.count = 1};
    while (contest->count < CONTEND_CANDIDATES) {
        const struct contend_choice *next = next_choice(state, volume, contest);
        if (next == NULL)
            break;
        contest->candidate[contest->count++].choice = next;
    }
    contest->candidate[0].is_trying = true; /* the first round is a look at the library alone */
    contest->is_decided = contest->count == 1;
}

bool contend_is_sure_of_spacing(const struct contend_state *state,
                                const struct contend_volume *volume,
                                const struct contend_contest *contest)
{
    return contest->count > 1 && contest->candidate[1].choice->algorithm->is_spaced &&
           state->plan->levels[state->level].bandwidth > 0 && fills(state, volume) > SURELY;
}

bool contend_may_serve(const struct contend_state *state, const struct contend_choice *choice)
{
    if (state->check != NULL)
        return contend_is_fit(state, choice);
    return contend_counts_here(state, choice) &&
           contend_choose(state, choice->from_bytes) == choice;
}

static bool has_choices(const struct contend_plan *plan, int level)
{
    for (int i = 0; i < plan->choice_count; i++)
        if (plan->choices[i].level == level || plan->choices[i].level < 0)
            return true;
    return false;
}

int contend_find_level(const struct contend_state *state)
{
    for (int level = 0; level <= CONTEND_NODE; level++)
        if (state->partitions[level].groups > 1 && has_choices(state->plan, level))
            return level;
    return -1;
}

bool contend_counts_here(const struct contend_state *state, const struct contend_choice *choice)
{
    return choice->level == state->level || choice->level < 0;
}

const struct contend_partition *contend_groups_of(const struct contend_state *state,
                                                  const struct contend_algorithm *algorithm)
{
    return &state->partitions[algorithm->is_on_nodes ? CONTEND_NODE : state->level];
}

const struct contend_choice *contend_choose(const struct contend_state *state, int64_t bytes)
{
    const struct contend_choice *best = NULL;
    for (int i = 0; i < state->plan->choice_count; i++) {
        const struct contend_choice *choice = &state->plan->choices[i];
        if (contend_counts_here(state, choice) && choice->from_bytes <= bytes &&
            (best == NULL || choice->from_bytes >= best->from_bytes))
            best = choice;
    }
    if (best == NULL || state->plan->is_own || best->algorithm == &contend_native ||
        !best->algorithm->suits(contend_groups_of(state, best->algorithm)))
        return NULL;
    return best;
}
