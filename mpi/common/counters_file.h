/* The file of counters that the switch of an emulated network shares with whoever maps it.
 *
 * In the byte order of the machine. The switch writes, with relaxed atomics. Values only grow, but
 * for gauges (queue:*: what is there now) and peaks (peak:*: the most since the epoch last changed,
 * which readers may do). Knows no MPI.
 */
#ifndef CONTEND_COUNTERS_FILE_H
#define CONTEND_COUNTERS_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define CONTEND_COUNTERS_MAGIC "contend1"

struct contend_counter {
    char name[56]; /* ends with a zero */
    _Atomic uint64_t value;
};

struct contend_counters_file {
    char magic[8];
    uint32_t count;
    _Atomic uint32_t epoch;
    struct contend_counter entries[];
};

_Static_assert(sizeof(struct contend_counter) == 64, "the format has no padding");
_Static_assert(sizeof(struct contend_counters_file) == 16, "the format has no padding");

#endif
