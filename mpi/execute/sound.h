/* Whether a program as it was read can be run without reaching beyond its memory. */
#ifndef CONTEND_SOUND_H
#define CONTEND_SOUND_H

#include "program.h"

/* Places within the memory, extents as long as their messages, instructions for slots that can do
 * what they say, nothing under way twice or at the end. Trusts none of the numbers but the counts,
 * which have been checked. */
bool contend_is_sound(const struct contend_program *program, int64_t ranks);

#endif
