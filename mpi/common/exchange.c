/* Bounds of the offset between the clocks of two ranks, from messages there and back.
 *
 * Source: Cristian 1989, "Probabilistic clock synchronization", Distributed Computing 3; the
 * smallest delay of each direction by itself, as in SKaMPI (Worsch, Reussner, Augustin 2002, "On
 * benchmarking collective MPI operations", LNCS 2474).
 * Idea: a message arrives after it was sent. What the answer shows is hence later than the request
 * and earlier than the answer's arrival; the messages that were fastest bound the offset closest.
 * Restriction: nothing tells a direction that always takes longer: half the width of the bounds is
 * as much as the offset may be wrong.
 */
#include "exchange.h"

#include <math.h>

#include "require.h"

#define TAG 3

struct contend_offset contend_ask_offset(MPI_Comm comm, int other, int times)
{
    struct contend_offset offset = {.low = -INFINITY, .high = INFINITY};
    const double begin = contend_own_now();
    for (int i = 0; i < times; i++) {
        const double asked = contend_own_now();
        double shown = 0.0;
        REQUIRE_MPI(MPI_Send(&asked, 1, MPI_DOUBLE, other, TAG, comm));
        REQUIRE_MPI(MPI_Recv(&shown, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE));
        offset.low = fmax(offset.low, shown - contend_own_now());
        offset.high = fmin(offset.high, shown - asked);
    }
    offset.at = 0.5 * (begin + contend_own_now());
    return offset;
}

void contend_answer_offset(MPI_Comm comm, int other, int times)
{
    for (int i = 0; i < times; i++) {
        double shown = 0.0;
        REQUIRE_MPI(MPI_Recv(&shown, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE));
        shown = contend_own_now();
        REQUIRE_MPI(MPI_Send(&shown, 1, MPI_DOUBLE, other, TAG, comm));
    }
}
