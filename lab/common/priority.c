#include "priority.h"

#include <sched.h>

#include "fail.h"

void contend_lab_take_priority(void)
{
    const struct sched_param lowest = {.sched_priority = 1};
    (void)sched_setscheduler(0, SCHED_FIFO, &lowest); /* who may not does without */
}

bool contend_lab_has_priority(void) { return sched_getscheduler(0) == SCHED_FIFO; }

void contend_lab_drop_priority(void)
{
    const struct sched_param none = {.sched_priority = 0};
    if (contend_lab_has_priority() && sched_setscheduler(0, SCHED_OTHER, &none) != 0)
        contend_fail_errno("giving up priority");
}
