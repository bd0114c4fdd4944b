/* Sizes of blocks where each rank knows its own only. */
#ifndef CONTEND_COUNTS_H
#define CONTEND_COUNTS_H

#include "../algorithm.h"

/* For counts that vary: members of a group tell each other the sizes of what they collect and hand
 * out for each other, which stays inside the group, and is nothing where all blocks go straight;
 * then all blocks are placed. Blocks that no int can count are told as the most that it can: such a
 * call is not ours. */
int contend_tell_counts(struct contend_task *task, bool is_straight);

#endif
