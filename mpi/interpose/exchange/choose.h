/* Which choice of the plan serves blocks of a size. */
#ifndef CONTEND_CHOOSE_H
#define CONTEND_CHOOSE_H

#include "state.h"

/* The outermost level that divides the communicator and has choices, -1 where there is none. */
int contend_find_level(const struct contend_state *state);

/* Whether the choice is one of the communicator's level. */
bool contend_counts_here(const struct contend_state *state, const struct contend_choice *choice);

/* The choice for blocks of that many bytes; NULL: the library's own. */
const struct contend_choice *contend_choose(const struct contend_state *state, int64_t bytes);

const struct contend_partition *contend_groups_of(const struct contend_state *state,
                                                  const struct contend_algorithm *algorithm);

#endif
