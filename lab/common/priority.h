/* The processor before everybody else, where the machine lets its user have that. */
#ifndef CONTEND_LAB_PRIORITY_H
#define CONTEND_LAB_PRIORITY_H

#include <stdbool.h>

/* For this process and those that it starts, where that is root's or the limit of the user's
 * real-time priority (ulimit -r) is not 0. In a user namespace of one's own root is like others. */
void contend_lab_take_priority(void);

/* Whether this process has it. */
bool contend_lab_has_priority(void);

/* Give it up for good: what runs next is an ordinary program. */
void contend_lab_drop_priority(void);

#endif
