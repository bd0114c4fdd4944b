/* What may serve blocks of a size, where that is found out by timing it. */
#ifndef CONTEND_CANDIDATES_H
#define CONTEND_CANDIDATES_H

#include "../schedule/volume.h"
#include "../state.h"
#include "contest.h"

/* The choices that the library tries where its plan has none, at any level; false without memory.
 */
bool contend_add_own_choices(struct contend_plan *plan);

/* Puts the library's own and the three likeliest others into an empty contest: the plan's choice
 * for the mean block of what all ranks send, and those that it has for the nearest other sizes, of
 * what suits the groups. */
void contend_find_candidates(const struct contend_state *state, const struct contend_volume *volume,
                             struct contend_contest *contest);

/* Whether the first of the others spaces messages that would overflow the link's buffer, so that it
 * is known what it takes. */
bool contend_is_sure_of_spacing(const struct contend_state *state,
                                const struct contend_volume *volume,
                                const struct contend_contest *contest);

/* Whether the choice suits the communicator's groups. */
bool contend_is_fit(const struct contend_state *state, const struct contend_choice *choice);

/* Whether they are served in the same way. */
bool contend_is_alike(const struct contend_choice *one, const struct contend_choice *other);

/* Whether blocks of some size may get the choice. */
bool contend_may_serve(const struct contend_state *state, const struct contend_choice *choice);

/* The outermost level that divides the communicator and has choices, -1 where there is none. */
int contend_find_level(const struct contend_state *state);

/* Whether the choice is one of the communicator's level. */
bool contend_counts_here(const struct contend_state *state, const struct contend_choice *choice);

/* The choice for blocks of that many bytes; NULL: the library's own. */
const struct contend_choice *contend_choose(const struct contend_state *state, int64_t bytes);

const struct contend_partition *contend_groups_of(const struct contend_state *state,
                                                  const struct contend_algorithm *algorithm);

#endif
