/* What is known of a size before anything is timed. */
#ifndef CONTEND_OPENING_H
#define CONTEND_OPENING_H

#include "check.h"

/* Finds who may serve a size; `volume` is that of all ranks. */
void contend_open_contest(struct contend_state *state, struct contend_asked *asked,
                          enum contend_exchange_kind kind, const struct contend_volume *volume);

/* What spaced messages are likely to take, where all ranks send as much as each other. */
void contend_expect_spacing(const struct contend_state *state, struct contend_contest *contest,
                            const struct contend_volume *volume, double asking_s);

/* Spaced messages have the first call of a size, and go on until the library's own is looked at. */
void contend_begin_spaced(struct contend_asked *asked);

/* Whether that is due. Asked by all ranks at the same call. */
bool contend_owes_look(const struct contend_check *check, const struct contend_asked *asked);

void contend_begin_look(struct contend_asked *asked);

/* Where no call so far has crossed the slow link. */
void contend_bound_contest(const struct contend_state *state, struct contend_contest *contest,
                           const struct contend_volume *volume);

#endif
