/* What all calls of a program add up to, in a file of JSON at MPI_Finalize. */
#ifndef CONTEND_SUMMARY_H
#define CONTEND_SUMMARY_H

#include <stdint.h>

#include "../../collective.h"
#include "../../watch/sums.h"
#include "../algorithm.h"
#include "../state.h"

/* Called by all ranks of a communicator that have just agreed on it: whoever talks there to the
 * whole world can do so at the end. */
void contend_meet(const struct contend_state *state);

/* What was asked for: totals explained, the file written. MPI_Finalize has begun, and MPI works. */
void contend_sum_up(void);

/* MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw. */
enum contend_exchange_kind {
    CONTEND_EQUAL,
    CONTEND_VARYING,
    CONTEND_TYPED,
    CONTEND_EXCHANGE_KINDS
};

/* Powers of two of the bytes of a block; the first also has the blocks of no bytes. */
enum { CONTEND_SIZES = 32 };

struct contend_tally {
    double calls, bytes, seconds;
    double saved_calls, saved_s; /* of calls for which the library's own time is known */
};

/* Doubles alone, so that all ranks add theirs up in one reduction. */
struct contend_totals {
    struct contend_tally of[CONTEND_EXCHANGE_KINDS][CONTEND_SIZES][CONTEND_MAX_ALGORITHMS];
    double checked_sizes, checked_calls, check_s;
    double unserved[CONTEND_OPERATIONS][CONTEND_FORMS];
};

/* Of a block of that many bytes. */
int contend_size_class(int64_t bytes);

/* Adds a call, or what checking took: all may be called by threads at once. */
void contend_count_call(enum contend_exchange_kind kind, int size,
                        const struct contend_algorithm *algorithm,
                        const struct contend_tally *call);
void contend_count_check(double calls, double seconds);

/* Counts a call that no algorithm is for, where it is a kind of all-to-all exchange. */
void contend_count_unserved(enum contend_operation operation, enum contend_form form);

/* Whether there was any. */
bool contend_has_unserved(void);

/* A copy. */
void contend_read_totals(struct contend_totals *totals);

#endif
