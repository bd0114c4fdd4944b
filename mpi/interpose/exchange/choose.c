/* Which choice of the plan serves blocks of a size. */
#include "choose.h"

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
